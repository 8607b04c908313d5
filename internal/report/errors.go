package report

import (
	"errors"
	"fmt"
	"math"
)

// Errors of this package; every error returned wraps one of them or comes from
// the reader or writer that was passed in.
var (
	// ErrSchema: the data are not a report of the layout named by [Schema].
	ErrSchema = errors.New("report: not a " + Schema + " report")
	// ErrValue: a number has no meaning here, such as a negative time.
	ErrValue = errors.New("report: bad value")
	// ErrFormat: there is no such output format.
	ErrFormat = errors.New("report: unknown format")
	// ErrEmpty: no row holds a time, so there is nothing to draw.
	ErrEmpty = errors.New("report: nothing to plot")
)

// checkValues refuses numbers that no measurement can give, naming the place.
func (r *Report) checkValues() error {
	for i := range r.Rows {
		if err := r.Rows[i].checkValues(); err != nil {
			return fmt.Errorf("%w: row %d: %w", ErrValue, i, err)
		}
	}
	for i := range r.HotPath {
		h := &r.HotPath[i]
		if h.Signers < 1 {
			return fmt.Errorf("%w: hot path %d: %d signers", ErrValue, i, h.Signers)
		}
		if !areTimes(h.Ns, h.Lo, h.Hi, h.Share) {
			return fmt.Errorf("%w: hot path %d: a number is negative or not finite", ErrValue, i)
		}
	}
	for i := range r.Fits {
		f := &r.Fits[i]
		if !isFinite(f.DNs) || !isFinite(f.TauNs) || !isFinite(f.MaxError) {
			return fmt.Errorf("%w: fit %d: a number is not finite", ErrValue, i)
		}
	}
	if err := r.checkBlocks(); err != nil {
		return err
	}
	return r.checkCrossovers()
}

func (row *Row) checkValues() error {
	if row.Batch < 1 {
		return fmt.Errorf("batch %d is below 1", row.Batch)
	}
	if !areTimes(row.NsPerRow, row.Lo, row.Hi) {
		return errors.New("a time is negative or not finite")
	}
	for name, ns := range row.Phases {
		if !areTimes(ns) {
			return fmt.Errorf("phase %q is negative or not finite", name)
		}
	}
	for name, s := range row.Speedup {
		if !areTimes(s.Median, s.Lo, s.Hi) || min(s.Median, s.Lo, s.Hi) == 0 {
			return fmt.Errorf("the speed-up over %q is not positive or not finite", name)
		}
	}
	return nil
}

func (r *Report) checkCrossovers() error {
	for i := range r.Crossovers {
		c := &r.Crossovers[i]
		switch c.Verdict {
		case VerdictFound, VerdictNever, VerdictAlways, VerdictNoise:
		default:
			return fmt.Errorf("%w: crossover %d: verdict %q", ErrValue, i, c.Verdict)
		}
		if c.Verdict == VerdictFound && c.Batch == nil {
			return fmt.Errorf("%w: crossover %d: found, but at no batch", ErrValue, i)
		}
		if c.Predicted != nil && !isFinite(*c.Predicted) {
			return fmt.Errorf("%w: crossover %d: prediction is not finite", ErrValue, i)
		}
	}
	return nil
}

func isFinite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

func areTimes(xs ...float64) bool {
	for _, x := range xs {
		if !isFinite(x) || x < 0 {
			return false
		}
	}
	return true
}
