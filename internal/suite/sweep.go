package suite

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/crosspoint-kernels/crosspoint/internal/report"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// Case is one operation over batches of growing size.
type Case struct {
	Op   Op
	Ring *ntt.Ring
	// RingName is what a report calls the ring; empty stands for N,q,psi.
	RingName string
	// Resident measures the operation on rows that stay on the device, without
	// the transfers.
	Resident bool
	// Sizes are the batches, in rows, strictly increasing from 1 or more, the
	// largest at most MaxBatch(Ring, Op).
	Sizes []int
}

// Result is what a run found out.
type Result struct {
	// Rows are in order of size, then of contestants. A contestant that failed or
	// cannot do the operation keeps its rows, with the reason.
	Rows []report.Row
	// Extra are the rows that only the search for a crossover measured, or failed
	// to.
	Extra      []report.Row
	Fits       []report.Fit
	Crossovers []report.Crossover
	HotPath    []report.HotPath
	// ExtraHotPath is to HotPath what Extra is to Rows.
	ExtraHotPath []report.HotPath
	// Failed are the contestants that have rows without a time, or without phases
	// that were asked for, and why: once for each and for each reason.
	Failed []Failure
	// Partial says that the context ended the run: everything here is finished,
	// and more was asked for.
	Partial bool
}

// Failure is why a contestant has rows without a time or phases. Err wraps
// backends.ErrUnsupported where it cannot do the operation at all.
type Failure struct {
	Name string
	Err  error
}

// Add appends another result to r.
func (r *Result) Add(o *Result) {
	r.Rows = append(r.Rows, o.Rows...)
	r.Extra = append(r.Extra, o.Extra...)
	r.Fits = append(r.Fits, o.Fits...)
	r.Crossovers = append(r.Crossovers, o.Crossovers...)
	r.HotPath = append(r.HotPath, o.HotPath...)
	r.ExtraHotPath = append(r.ExtraHotPath, o.ExtraHotPath...)
	for _, f := range o.Failed {
		r.fail(f.Name, f.Err)
	}
	r.Partial = r.Partial || o.Partial
}

// fail notes a failure that is not known yet.
func (r *Result) fail(name string, err error) {
	for _, f := range r.Failed {
		if f.Name == name && f.Err.Error() == err.Error() {
			return
		}
	}
	r.Failed = append(r.Failed, Failure{name, err})
}

// failures notes those of cells.
func (r *Result) failures(cells []cell) {
	for _, c := range cells {
		if c.err != nil {
			r.fail(c.Name, c.err)
		}
		if c.phaseErr != nil {
			r.fail(c.Name, fmt.Errorf("phases: %w", c.phaseErr))
		}
	}
}

// Sweep measures c on every contestant: all cells of one size interleaved, the
// phases of devices, then a fit per contestant and the crossovers of each against
// one thread, of devices also against all cores, end to end.
//
// A context that ends leaves a partial result and is no error. An error wraps
// ErrSizes, or ErrMismatch where a contestant's output was wrong; the result then
// holds what was finished before.
func Sweep(ctx context.Context, cs []Contestant, c Case, m Measuring) (*Result, error) {
	if err := checkSizes(c.Ring, c.Op, c.Sizes, 1); err != nil {
		return &Result{}, err
	}
	s := &sweep{Case: c, Measuring: m, total: Work(c.Sizes, 1)}
	for _, contestant := range cs {
		e := enter(contestant, c.Ring, c.Op.kinds(c.Resident)...)
		defer e.close()
		s.entrants = append(s.entrants, e)
	}
	s.data = newData(c.Ring, c.Op, c.Sizes[len(c.Sizes)-1], m.Seed)
	err := s.sizes(ctx)
	r := &Result{}
	if !errors.Is(err, ErrMismatch) {
		// After an interrupt this judges what was finished, without a search.
		err = cmp.Or(err, s.crossovers(ctx, r))
	}
	s.progress("", s.total, s.total)
	s.state(r)
	return r, r.partial(ctx, err)
}

// partial marks r if the context ended the run, which is then no error.
func (r *Result) partial(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil && !errors.Is(err, ErrMismatch) {
		r.Partial = true
		return nil
	}
	return err
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

type sweep struct {
	Case
	Measuring
	entrants    []*entrant
	data        *data
	cells       []cell
	extra       []cell
	done, total int
}

func (s *sweep) workload() workload {
	if s.Resident {
		return resident{s.data}
	}
	return endToEnd{s.data}
}

func (s *sweep) label(n int) string {
	return fmt.Sprintf("%s %s n = %d", s.Op, s.ringName(), n)
}

func (s *sweep) ringName() string {
	if s.RingName != "" {
		return s.RingName
	}
	return s.Ring.String()
}

// sizes measures every size, smallest first.
func (s *sweep) sizes(ctx context.Context) error {
	for _, n := range s.Sizes {
		s.progress(s.label(n), s.done, s.total)
		cells, err := s.race(ctx, s.workload(), s.entrants, n)
		if err == nil && !s.Resident {
			err = s.split(ctx, s.data, cells)
		}
		if err != nil {
			return err
		}
		s.cells = append(s.cells, cells...)
		s.done += work(n)
	}
	return nil
}

// crossovers judges every pair, and searches where that helps.
func (s *sweep) crossovers(ctx context.Context, r *Result) error {
	for _, p := range pairs(s.entrants) {
		s.progress(fmt.Sprintf("where %s overtakes %s", p.sub.Name, p.ref.Name), s.done, s.total)
		found, extra, err := s.crossover(ctx, s.workload(), p, s.cells)
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
