package backendtest

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/backends/katrun"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// checkPrecedence makes calls in which several things are wrong, and expects the
// error that package backends puts first. What comes first of all, ErrClosed, is
// the business of checkClosed.
func checkPrecedence(ctx context.Context, e *env) error {
	return e.each([]testRing{pulsar, mldsa, q97}, func(tr testRing, p backends.Plan) error {
		for _, op := range katrun.Operations() {
			if err := e.underEndedContext(ctx, p, op); err != nil {
				return fmt.Errorf("%s under a context that has ended: %w", op.Op, err)
			}
			if err := e.secondFault(ctx, p, op, 9); err != nil {
				return err
			}
		}
		if err := e.batchUnderEndedContext(ctx, p); err != nil {
			return fmt.Errorf("a batch under a context that has ended: %w", err)
		}
		if tr != pulsar {
			return nil
		}
		return e.secondFault(ctx, p, katrun.Operations()[7], e.scale.late) // in other chunks
	})
}

// cancelledContext returns a context that has ended.
func cancelledContext(ctx context.Context) context.Context {
	ctx, cancel := context.WithCancel(ctx)
	cancel()
	return ctx
}

// underEndedContext calls an operation on no rows, which is no work; with wrong
// lengths, which come before the context; and with a coefficient out of range,
// which comes after it.
func (e *env) underEndedContext(ctx context.Context, p backends.Plan, op katrun.Operation) error {
	ctx = cancelledContext(ctx)
	r, n := p.Ring(), p.Ring().N()
	if err := op.Plan(p, ctx, nil, nil, nil); err != nil {
		return fmt.Errorf("no rows: %w", err)
	}
	x := arrange(op, separate, rows(r, 3, 121), rows(r, 3, 122), rows(r, 3, 123))
	err := op.Plan(p, ctx, x.dst.slice()[:2*n], x.a.slice(), x.b.slice())
	if _, err := e.expect(err, backends.ErrShape); err != nil {
		return fmt.Errorf("a row too few: %w", err)
	}
	for i, g := range []*guarded{x.a, x.b} {
		g.set(n*(1-i)+2, math.MaxUint64)
	}
	be, err := e.expect(x.call(ctx, op, p), context.Canceled)
	if err == nil && be.Done != 0 {
		err = fmt.Errorf("%d rows are said to be done", be.Done)
	}
	if err == nil {
		err = partial(x, x, op, r, 0)
	}
	if err != nil {
		return fmt.Errorf("a coefficient not in [0, q): %w", err)
	}
	return nil
}

// secondFault puts a coefficient that is out of range into a late row of each
// operand and into the first row of all that come after it.
func (e *env) secondFault(ctx context.Context, p backends.Plan, op katrun.Operation, size int) error {
	if !op.Binary {
		return nil
	}
	operands := []string{"a", "b", "dst"}
	if !op.Accumulate {
		operands = operands[:2]
	}
	for i, operand := range operands[:len(operands)-1] {
		r, n := p.Ring(), p.Ring().N()
		x := arrange(op, separate, rows(r, size, 124), rows(r, size, 125), rows(r, size, 126))
		targets := map[string]*guarded{"a": x.a, "b": x.b, "dst": x.dst}
		for _, later := range operands[i+1:] {
			targets[later].set(1, r.Q())
		}
		targets[operand].set((size-1)*n+3, r.Q())
		be, err := e.expect(x.call(ctx, op, p), backends.ErrRange)
		if err == nil {
			err = names(be, ntt.RangeError{Arg: operand, Row: size - 1, Index: 3})
		}
		if err == nil && be.Done != 0 {
			err = fmt.Errorf("%d rows are said to be done", be.Done)
		}
		if err == nil {
			err = partial(x, x, op, r, 0)
		}
		if err != nil {
			return fmt.Errorf("%s of %d rows, %s[%d] and the first row of %v not in [0, q): %w",
				op.Op, size, operand, size-1, operands[i+1:], err)
		}
	}
	return nil
}

// batchUnderEndedContext is underEndedContext for the operations of a batch.
func (e *env) batchUnderEndedContext(ctx context.Context, p backends.Plan) error {
	const size = 4
	ms, err := filled(ctx, p, 127, size, size, size, 0, 0, 0)
	if err != nil {
		return err
	}
	defer release(ms...)
	m, a, b := ms[0], ms[1].Batch, ms[2].Batch
	over, n := cancelledContext(ctx), p.Ring().N()
	for name, err := range map[string]error{
		"write of no rows":           m.Write(over, size, nil),
		"read of no rows":            m.Read(over, size, nil),
		"muladdmont of no rows":      ms[3].MulAddMont(over, ms[4].Batch, ms[5].Batch),
		"product of no rows":         m.MatMulAddMont(over, a, b, 0, 1, 1),
		"product of no columns":      m.MatMulAddMont(over, a, b, 1, 1, 0),
		"product of no terms":        m.MatMulAddMont(over, a, b, 2, 0, 2),
		"product of nothing by much": m.MatMulAddMont(over, a, b, 0, 0, math.MaxInt),
	} {
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	bad := make([]uint64, n)
	bad[n-1] = math.MaxUint64
	for want, errs := range map[error]map[string]error{
		backends.ErrShape: {
			"write past the end":   m.Write(over, size, bad),
			"write of a part":      m.Write(over, 0, bad[1:]),
			"read past the end":    m.Read(over, size, make([]uint64, n)),
			"muladdmont of itself": m.MulAddMont(over, m.Batch, b),
			"product too large":    m.MatMulAddMont(over, a, b, size, size, size),
		},
		context.Canceled: {
			"write of a coefficient not in [0, q)": m.Write(over, 0, bad),
			"read":                                 m.Read(over, 0, make([]uint64, n)),
			"muladdmont":                           m.MulAddMont(over, a, b),
			"product":                              m.MatMulAddMont(over, a, b, 2, 2, 2),
			"sync":                                 m.Sync(over),
		},
	} {
		for name, err := range errs {
			if _, err := e.expect(err, want); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	for _, op := range inPlace {
		if err := op.batch(m.Batch, over, size, 0); err != nil {
			return fmt.Errorf("%s of no rows: %w", op.name, err)
		}
		_, err := e.expect(op.batch(m.Batch, over, 1, size), backends.ErrShape)
		_, err2 := e.expect(op.batch(m.Batch, over, 1, 2), context.Canceled)
		if err := errors.Join(err, err2); err != nil {
			return fmt.Errorf("%s: %w", op.name, err)
		}
	}
	return m.checkAll(ctx)
}
