package suite

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/crosspoint-kernels/crosspoint/internal/bench"
)

// fitFrom is the smallest batch that a line is fitted through, where fitSizes such
// sizes were measured. Below it a device works partly idle, which is a regime of
// its own: a line through a batch of 1 misses the measurements that decide by
// more than a factor of two.
const fitFrom = 64

// fitSizes is the least number of sizes that a line is fitted through: two would
// always lie on it.
const fitSizes = 3

// fitOf is the line T(n) = D + tau·n through the cells of one contestant, in ns. It
// wraps bench.ErrFit where there are too few sizes, or where tau is not positive,
// since no backend does more rows in less time.
func fitOf(cells []cell, name string) (bench.Fit, error) {
	var points, large []bench.FitPoint
	for _, c := range cells {
		if c.Name != name || c.err != nil {
			continue
		}
		p := bench.FitPoint{N: c.n, T: c.stats.Median}
		points = append(points, p)
		if c.n >= fitFrom {
			large = append(large, p)
		}
	}
	if len(large) >= fitSizes {
		points = large
	}
	if len(points) < fitSizes {
		return bench.Fit{}, fmt.Errorf("%w: %d sizes", bench.ErrFit, len(points))
	}
	f, err := bench.FitLine(points)
	if err == nil && !(f.Tau > 0) {
		err = fmt.Errorf("%w: tau = %v", bench.ErrFit, f.Tau)
	}
	return f, err
}

// predict is where the fits of p's two cross, nil where they do not or where one of
// them does not describe what was measured.
func predict(cells []cell, p pair) *float64 {
	sub, err := fitOf(cells, p.sub.Name)
	if err != nil || !sub.Good() {
		return nil
	}
	ref, err := fitOf(cells, p.ref.Name)
	if err != nil || !ref.Good() {
		return nil
	}
	n, ok := bench.Predict(ref, sub)
	if !ok {
		return nil
	}
	return &n
}

// A pair asks where sub overtakes ref.
type pair struct{ sub, ref *entrant }

// pairs are the questions worth asking: every contestant against one thread of the
// scalar code, which is what GPUs are compared with as a rule, and every device
// against the best that the CPU can do, which is what it replaces.
func pairs(es []*entrant, cells []cell) []pair {
	var one *entrant
	if i := slices.IndexFunc(es, func(e *entrant) bool { return e.Name == CPU && e.err == nil }); i >= 0 {
		one = es[i]
	}
	best := bestCPU(es, cells)
	var ps []pair
	for _, e := range es {
		if e.err != nil || e == one || e.chooses() {
			continue
		}
		if one != nil {
			ps = append(ps, pair{e, one})
		}
		if best != nil && e.device() {
			ps = append(ps, pair{e, best})
		}
	}
	return ps
}

// bestCPU is the CPU code, other than one scalar thread, that was the fastest at the
// largest size where any was measured; the first of them where none was, nil for none.
func bestCPU(es []*entrant, cells []cell) *entrant {
	var best *entrant
	var at cell
	for _, e := range es {
		if e.err != nil || e.device() || e.chooses() || e.Name == CPU {
			continue
		}
		if best == nil {
			best = e
		}
		for _, c := range cells {
			if c.entrant != e || c.err != nil {
				continue
			}
			if c.n > at.n || c.n == at.n && c.stats.Median < at.stats.Median {
				best, at = e, c
			}
		}
	}
	return best
}

const (
	// bisectSteps is enough to bring two sizes a factor of four apart to 10 %,
	// with noise at both edges.
	bisectSteps = 10
	// bisectBudgets bounds the time of one search, in budgets.
	bisectBudgets = 50
	// callsPerSize is about how often a slow task is called to measure it.
	callsPerSize = 14
)

// crossover judges p over cells, and measures more sizes of w where that brings
// the crossover to within 10 %. Those cells are returned beside it, also those
// that failed: a failure ends the search, but the verdict stands over what was
// measured before. The error is that of a wrong output; a context that ends only
// ends the search.
func (m *Measuring) crossover(ctx context.Context, w workload, p pair, cells []cell) (bench.Crossover, []cell, error) {
	var points []bench.Point
	for _, c := range cells {
		if c.entrant != p.sub || c.err != nil {
			continue
		}
		if ref := find(cells, p.ref.Name, c.n); ref != nil {
			points = append(points, bench.NewPoint(c.n, c.stats, ref.stats))
		}
	}
	steps := m.steps(points)
	if p.sub.err != nil || p.ref.err != nil {
		steps = 0 // lost in the search of another pair
	}
	var extra []cell
	_, found, err := bench.Bisect(ctx, points, steps, func(ctx context.Context, n int) (bench.Point, error) {
		cs, err := m.race(ctx, w, []*entrant{p.sub, p.ref}, n)
		if err != nil {
			return bench.Point{}, err
		}
		extra = append(extra, cs...)
		for _, c := range cs {
			if c.err != nil {
				return bench.Point{}, c.err
			}
		}
		return bench.NewPoint(n, cs[0].stats, cs[1].stats), nil
	})
	if errors.Is(err, ErrMismatch) {
		return bench.Crossover{}, extra, err
	}
	return found, extra, nil
}

// steps is how many sizes a search below the largest of points may measure
// within its share of the budget.
func (m *Measuring) steps(points []bench.Point) int {
	c := bench.FindCrossover(points)
	if m.Budget == 0 || c.Hi == 0 {
		return bisectSteps
	}
	for _, p := range points {
		if p.N == c.Hi {
			perSize := callsPerSize * (p.Sub.Median + p.Ref.Median)
			return min(bisectSteps, int(bisectBudgets*float64(m.Budget)/max(perSize, 1)))
		}
	}
	return bisectSteps
}
