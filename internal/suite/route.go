package suite

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/internal/bench"
	"github.com/crosspoint-kernels/crosspoint/internal/report"
)

// ErrNoAuto is wrapped where what chooses among backends takes no part.
var ErrNoAuto = errors.New("suite: auto takes no part")

// settling is how many calls of a size auto gets before it is measured: it may spend
// some on what it has not seen yet, and that is no property of its choice.
const settling = 4

// Route measures, for each size of c, what [Auto] takes beside each backend that is
// always the same, and where it sent the calls. The first call, which measures what
// there is to choose from, is timed by itself. A context that ends leaves the sizes
// that were finished, and Partial set. Errors are those of Sweep, or wrap ErrNoAuto.
func Route(ctx context.Context, cs []Contestant, c Case, m Measuring) (*report.Routes, error) {
	r := &report.Routes{Op: c.Op.reportName(), Ring: c.ringName()}
	if err := checkSizes(c.Ring, c.Op, c.Sizes, 1); err != nil {
		return r, err
	}
	var es []*entrant
	for _, contestant := range cs {
		e := enter(contestant, c.Ring, c.Op.kinds(false)...)
		defer e.close()
		es = append(es, e)
	}
	i := slices.IndexFunc(es, func(e *entrant) bool { return e.chooses() && e.err == nil })
	if i < 0 {
		return r, ErrNoAuto
	}
	w := &router{Case: c, Measuring: &m, auto: es[i], work: endToEnd{newData(c.Ring, c.Op, c.Sizes[len(c.Sizes)-1], m.Seed)}}
	err := w.first(ctx, r)
	done := 0
	for _, n := range c.Sizes {
		if err != nil {
			break
		}
		m.progress(fmt.Sprintf("auto n = %d", n), done, Work(c.Sizes, 1))
		var row report.Route
		if row, err = w.size(ctx, es, n); err == nil {
			r.Rows = append(r.Rows, row)
		}
		done += work(n)
	}
	m.progress("", Work(c.Sizes, 1), Work(c.Sizes, 1))
	if err != nil && ctx.Err() != nil && !errors.Is(err, ErrMismatch) {
		r.Partial, err = true, nil
	}
	return r, err
}

// router is what a comparison of auto with the others needs at each size.
type router struct {
	Case
	*Measuring
	auto *entrant
	work endToEnd
}

// call makes one call of n rows with auto, and returns what it says of it.
func (w *router) call(ctx context.Context, n int) (backends.Timing, error) {
	var t backends.Timing
	d := w.work.data
	d.begin(n)
	x := planTrial{d, w.auto.plan, n}
	err := x.run(backends.WithTiming(ctx, func(x backends.Timing) { t = x }))
	return t, err
}

// first times the first call, of one row.
func (w *router) first(ctx context.Context, r *report.Routes) error {
	clock := w.Clock
	if clock == nil {
		clock = bench.Wall()
	}
	start := clock.Now()
	_, err := w.call(ctx, 1)
	r.FirstNs = float64(clock.Now() - start)
	return err
}

// size races all entrants at n rows, and compares auto with the fastest other one.
func (w *router) size(ctx context.Context, es []*entrant, n int) (report.Route, error) {
	row := report.Route{Batch: n}
	for range settling {
		if _, err := w.call(ctx, n); err != nil {
			return row, err
		}
	}
	cells, err := w.race(ctx, w.work, es, n)
	if err != nil {
		return row, err
	}
	auto := find(cells, Auto, n)
	var best *cell
	for i := range cells {
		if c := &cells[i]; c.err == nil && !c.chooses() && (best == nil || c.stats.Median < best.stats.Median) {
			best = c
		}
	}
	if auto == nil || best == nil {
		for _, c := range cells {
			err = errors.Join(err, c.err)
		}
		return row, err
	}
	ratio := bench.PairedRatio(auto.stats, best.stats)
	row.Best, row.BestNs, row.AutoNs = best.Name, best.stats.Median, auto.stats.Median
	row.Ratio = report.Ratio{Median: ratio.Median, Lo: ratio.Lo, Hi: ratio.Hi}
	t, err := w.call(ctx, n)
	row.Route = t.Route
	return row, err
}
