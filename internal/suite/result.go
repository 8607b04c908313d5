package suite

import (
	"context"
	"errors"
	"fmt"

	"github.com/crosspoint-kernels/crosspoint/internal/report"
)

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
	Blocks     []report.Block // of Block-STM
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
	r.Blocks = append(r.Blocks, o.Blocks...)
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

// partial marks r if the context ended the run, which is then no error.
func (r *Result) partial(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil && !errors.Is(err, ErrMismatch) {
		r.Partial = true
		return nil
	}
	return err
}
