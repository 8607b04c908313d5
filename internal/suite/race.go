package suite

import (
	"context"
	"errors"
	"time"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/internal/bench"
)

// Measuring says how everything in a run is measured. The zero value is usable.
type Measuring struct {
	// Seed draws the input and the order of the contestants within a round.
	Seed uint64
	// Budget is the time to spend on samples per cell, beyond the least number of
	// samples. It also bounds what is optional: see phaseBudgets and bisectBudgets.
	Budget time.Duration
	// Clock is read around every sample; nil is the machine's own.
	Clock bench.Clock
	// Progress is told of every size before it is measured and at the end; nil is
	// nobody.
	Progress Progress
}

// Progress receives what is measured next ("" at the end) and how much of the
// work is done, in rows. It is called between measurements, never during one.
type Progress func(next string, done, total int)

func (m *Measuring) progress(next string, done, total int) {
	if m.Progress != nil {
		m.Progress(next, done, total)
	}
}

func (m *Measuring) options() bench.Options {
	return bench.Options{Clock: m.Clock, Budget: m.Budget, Seed: m.Seed}
}

// A cell is what was found out about one contestant at one size.
type cell struct {
	*entrant
	n        int
	stats    bench.Stats            // of whole calls, in ns
	speedup  map[string]bench.Ratio // over those that it is compared with, by name
	phases   map[string]float64
	phaseErr error // why there are no phases although they were asked for
	err      error
}

// race verifies the work of every entrant at size n, then measures them in
// interleaved rounds. It returns one cell for each, in order, and an error only
// if one of them was wrong (it wraps ErrMismatch) or ctx ended; then no cell
// counts.
func (m *Measuring) race(ctx context.Context, w workload, es []*entrant, n int) ([]cell, error) {
	cells := make([]cell, len(es))
	var tasks []bench.Task
	var trials []trial
	var at []int
	for i, e := range es {
		cells[i] = cell{entrant: e, n: n, err: e.err}
		if e.err != nil {
			continue
		}
		t, err := checked(ctx, w, e, n)
		if fatal(ctx, err) {
			return nil, err
		}
		if err != nil {
			cells[i].fail(err)
			continue
		}
		defer t.release()
		tasks = append(tasks, bench.Task{Name: e.Name, Run: t.run})
		trials, at = append(trials, t), append(at, i)
	}
	results, err := bench.Measure(ctx, tasks, m.options())
	if err != nil {
		return nil, err
	}
	for j, r := range results {
		c := &cells[at[j]]
		c.stats = r.Stats
		if r.Err != nil {
			c.fail(r.Err)
		} else if t, ok := trials[j].(phased); ok {
			c.phases = t.phases()
		}
	}
	for i := range cells {
		cells[i].compare(cells)
	}
	return cells, nil
}

// compare sets the speed-ups of c over others of the same race, by the ratios of
// samples from the same rounds: over one thread of the scalar code, and of a device,
// or of what chooses among all, over every CPU code.
func (c *cell) compare(cells []cell) {
	c.speedup = map[string]bench.Ratio{}
	for _, ref := range cells {
		if c.err != nil || ref.err != nil || ref.device() || ref.chooses() || ref.Name == c.Name {
			continue
		}
		if c.device() || c.chooses() || ref.Name == CPU {
			c.speedup[ref.Name] = bench.PairedRatio(ref.stats, c.stats)
		}
	}
}

// checked returns e's trial at size n if its output is right.
func checked(ctx context.Context, w workload, e *entrant, n int) (trial, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	t, err := w.trial(ctx, e, n)
	if err != nil {
		return nil, err
	}
	if err := t.verify(ctx); err != nil {
		var wrong mismatch
		if errors.As(err, &wrong) {
			wrong.by(e.Name, n)
		}
		t.release()
		return nil, err
	}
	return t, nil
}

// fatal reports whether err ends the run rather than one contestant's cell.
func fatal(ctx context.Context, err error) bool {
	return err != nil && (errors.Is(err, ErrMismatch) || ctx.Err() != nil)
}

// fail notes why the cell has no time. A lost device takes no further part.
func (c *cell) fail(err error) {
	c.err = err
	c.leave(err)
}

// failPhases notes why the cell has no phases; its time stands. A lost device
// takes no further part.
func (c *cell) failPhases(err error) {
	c.phaseErr = err
	c.leave(err)
}

func (e *entrant) leave(err error) {
	if errors.Is(err, backends.ErrDeviceLost) {
		e.err = err
	}
}

// find returns the cell of the named contestant at size n, nil if it was not
// measured.
func find(cells []cell, name string, n int) *cell {
	for i := range cells {
		if c := &cells[i]; c.Name == name && c.n == n && c.err == nil {
			return c
		}
	}
	return nil
}
