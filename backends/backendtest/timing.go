package backendtest

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/backends/katrun"
)

// checkTiming expects one Timing per call, before the call returns, whatever it
// returns, with the rows that are final.
func checkTiming(ctx context.Context, e *env) error {
	return e.each([]testRing{pulsar}, func(_ testRing, p backends.Plan) error {
		for _, op := range katrun.Operations() {
			if err := timings(ctx, p, op); err != nil {
				return fmt.Errorf("%s: %w", op.Op, err)
			}
		}
		for _, looks := range []int{2, 5} {
			limited := newCountdown(ctx, looks)
			defer limited.cancel()
			s := rows(p.Ring(), e.scale.late, 34)
			err := timed(limited, len(s)/p.Ring().N(), func(ctx context.Context) error { return p.Forward(ctx, s, s) })
			if err != nil && !errors.Is(err, context.Canceled) {
				return fmt.Errorf("cancelled at look %d: %w", looks, err)
			}
		}
		return nil
	})
}

// timings times calls of an operation that succeed and that fail.
func timings(ctx context.Context, p backends.Plan, op katrun.Operation) error {
	r, n := p.Ring(), p.Ring().N()
	a := rows(r, 5, 31)
	err := timed(ctx, 5, func(ctx context.Context) error { return compare(ctx, p, op, separate, a, a, a) })
	if err != nil {
		return fmt.Errorf("5 rows: %w", err)
	}
	bad := rows(r, 5, 32)
	bad[3*n] = math.MaxUint64
	for _, c := range []struct {
		name  string
		words int
		ctx   context.Context
		want  error
	}{
		{"no rows", 0, ctx, nil},
		{"part of a row", n - 1, ctx, backends.ErrShape},
		{"a context that has ended", 3 * n, cancelledContext(ctx), context.Canceled},
		{"a coefficient not in [0, q)", 5 * n, ctx, backends.ErrRange},
	} {
		src, dst := bad[:c.words], rows(r, 5, 33)[:c.words]
		err := timed(c.ctx, c.words/n, func(ctx context.Context) error { return op.Plan(p, ctx, dst, src, src) })
		if !errors.Is(err, c.want) {
			return fmt.Errorf("%s: %w", c.name, err)
		}
	}
	return nil
}

// timed runs a call on that many rows and returns its error, or what is wrong
// with its timing.
func timed(ctx context.Context, rows int, call func(ctx context.Context) error) error {
	var got []backends.Timing
	err := call(backends.WithTiming(ctx, func(t backends.Timing) { got = append(got, t) }))
	var be *backends.Error
	if errors.As(err, &be) {
		rows = be.Done
	}
	if len(got) != 1 {
		return fmt.Errorf("%d timings of one call", len(got))
	}
	t := got[0]
	if t.Op == "" || t.Rows != rows || t.Chunks < 0 || min(t.Upload, t.Kernel, t.Download, t.Total) < 0 {
		return fmt.Errorf("timing %+v of a call with %d rows done", t, rows)
	}
	return err
}
