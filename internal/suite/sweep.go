package suite

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/crosspoint-kernels/crosspoint/internal/report"
)

// A subject is one operation at several sizes, in the terms that every sweep
// shares, whatever its rows are.
type subject struct {
	op       string            // in a report
	params   map[string]string // what defines it there
	resident bool
	title    string // for progress
	sizes    []int  // strictly increasing
	work     workload
	cost     func(n int) int // progress that size n makes
	// explain adds phases to cells; nil where the trials do that themselves, if
	// anyone does. Its error is as race's.
	explain func(ctx context.Context, cells []cell) error
	// root is the state root of n leaves, in hexadecimal; nil where rows are no
	// leaves.
	root func(n int) string
}

// sweep is a subject on its way through the contestants.
type sweep struct {
	subject
	*Measuring
	entrants    []*entrant
	cells       []cell
	extra       []cell
	done, total int
}

// sweep measures s on every entrant: all cells of one size interleaved, the
// phases where they are asked for, then a fit per entrant and the crossovers of
// each against one thread, of devices also against the best CPU code.
//
// A context that ends leaves a partial result and is no error. An error wraps
// ErrMismatch, and the result then holds what was finished before.
func (m *Measuring) sweep(ctx context.Context, es []*entrant, s subject) (*Result, error) {
	w := &sweep{subject: s, Measuring: m, entrants: es}
	for _, n := range s.sizes {
		w.total += s.cost(n)
	}
	err := w.measure(ctx)
	r := &Result{}
	if !errors.Is(err, ErrMismatch) {
		// After an interrupt this judges what was finished, without a search.
		err = cmp.Or(err, w.crossovers(ctx, r))
	}
	w.progress("", w.total, w.total)
	w.state(r)
	return r, r.partial(ctx, err)
}

// Work is the progress that measuring sizes makes, at rows per unit of size. The
// least time per size counts as some rows.
func Work(sizes []int, rows int) int {
	total := 0
	for _, n := range sizes {
		total += work(n * rows)
	}
	return total
}

func work(rows int) int { return rows + 1000 }

// measure measures every size, smallest first.
func (s *sweep) measure(ctx context.Context) error {
	for _, n := range s.sizes {
		s.progress(fmt.Sprintf("%s n = %d", s.title, n), s.done, s.total)
		cells, err := s.race(ctx, s.work, s.entrants, n)
		if err == nil && s.explain != nil {
			err = s.explain(ctx, cells)
		}
		if err != nil {
			return err
		}
		s.cells = append(s.cells, cells...)
		s.done += s.cost(n)
	}
	return nil
}

// crossovers judges every pair, and searches where that helps.
func (s *sweep) crossovers(ctx context.Context, r *Result) error {
	for _, p := range pairs(s.entrants, s.cells) {
		s.progress(fmt.Sprintf("where %s overtakes %s", p.sub.Name, p.ref.Name), s.done, s.total)
		found, extra, err := s.crossover(ctx, s.work, p, s.cells)
		s.extra = append(s.extra, extra...)
		if err != nil {
			return err
		}
		if found.UpTo == 0 {
			continue // no size has both times
		}
		found.Predicted = predict(s.cells, p)
		r.Crossovers = append(r.Crossovers, s.reportCrossover(p, found))
	}
	return ctx.Err()
}

// state adds what was measured to r, in the terms of a report.
func (s *sweep) state(r *Result) {
	r.Rows, r.Extra = s.rows(s.cells), s.rows(s.extra)
	r.failures(s.cells)
	r.failures(s.extra)
	for _, e := range s.entrants {
		f, err := fitOf(s.cells, e.Name)
		if err != nil {
			continue // no line
		}
		r.Fits = append(r.Fits, report.Fit{
			Op: s.op, Params: s.params, Backend: e.Name, Resident: s.resident,
			DNs: f.D, TauNs: f.Tau, MaxError: f.MaxError,
		})
	}
}
