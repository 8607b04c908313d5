package host

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// plan is safe for concurrent use: a ring is immutable and a pool is shared.
type plan struct {
	backend *backend
	ring    *ntt.Ring
	kernels Kernels
	closed  atomic.Bool
}

// KernelsOf returns the kernels of a plan of this package, or nil.
func KernelsOf(x backends.Plan) Kernels {
	if p, ok := x.(*plan); ok {
		return p.kernels
	}
	return nil
}

func (p *plan) Ring() *ntt.Ring { return p.ring }

func (p *plan) Close() error {
	p.closed.Store(true)
	return nil
}

func (p *plan) Forward(ctx context.Context, dst, src []uint64) error {
	return p.unary(ctx, "forward", forward, inverse, dst, src)
}

func (p *plan) Inverse(ctx context.Context, dst, src []uint64) error {
	return p.unary(ctx, "inverse", inverse, forward, dst, src)
}

func (p *plan) MForm(ctx context.Context, dst, src []uint64) error {
	return p.unary(ctx, "mform", mForm, imForm, dst, src)
}

func (p *plan) IMForm(ctx context.Context, dst, src []uint64) error {
	return p.unary(ctx, "imform", imForm, mForm, dst, src)
}

func (p *plan) Mul(ctx context.Context, dst, a, b []uint64) error {
	return p.binary(ctx, "mul", mul, false, dst, a, b)
}

func (p *plan) MulAdd(ctx context.Context, dst, a, b []uint64) error {
	return p.binary(ctx, "muladd", mulAdd, true, dst, a, b)
}

func (p *plan) MulMont(ctx context.Context, dst, a, b []uint64) error {
	return p.binary(ctx, "mulmont", mulMont, false, dst, a, b)
}

func (p *plan) MulAddMont(ctx context.Context, dst, a, b []uint64) error {
	return p.binary(ctx, "muladdmont", mulAddMont, true, dst, a, b)
}

func (p *plan) unary(ctx context.Context, op string, k, undo kernel, dst, src []uint64) error {
	start := Start(ctx)
	err := p.checkUnary(ctx, dst, src)
	c := call{dst: dst, a: src}
	if err == nil && len(dst) > 0 && &dst[0] == &src[0] {
		c.undo = undo
	}
	return p.run(ctx, op, k, c, start, err)
}

func (p *plan) binary(ctx context.Context, op string, k kernel, accumulate bool, dst, a, b []uint64) error {
	start := Start(ctx)
	err := p.checkBinary(ctx, accumulate, dst, a, b)
	return p.run(ctx, op, k, call{dst: dst, a: a, b: b, sum: accumulate}, start, err)
}

// The checks are in the order that backends.Plan states.

func (p *plan) checkUnary(ctx context.Context, dst, src []uint64) error {
	if err := p.usable(); err != nil {
		return err
	}
	if err := p.ring.CheckShape(dst, "src", src); err != nil {
		return err
	}
	if err := ended(ctx, dst); err != nil || p.kernels.Checks() {
		return err
	}
	return p.checkRange("src", src)
}

func (p *plan) checkBinary(ctx context.Context, accumulate bool, dst, a, b []uint64) error {
	if err := p.usable(); err != nil {
		return err
	}
	if err := p.ring.CheckShape(dst, "a", a); err != nil {
		return err
	}
	if err := p.ring.CheckShape(dst, "b", b); err != nil {
		return err
	}
	if err := ended(ctx, dst); err != nil || p.kernels.Checks() {
		return err
	}
	if err := p.checkRange("a", a); err != nil {
		return err
	}
	if err := p.checkRange("b", b); err != nil {
		return err
	}
	if accumulate {
		return p.checkRange("dst", dst)
	}
	return nil
}

// usable returns ErrClosed once the plan or its backend is closed.
func (p *plan) usable() error {
	if p.closed.Load() || p.backend.closed.Load() {
		return backends.ErrClosed
	}
	return nil
}

// ended returns the error of a context that has ended, if there are rows for
// which that matters.
func ended(ctx context.Context, rows []uint64) error {
	if len(rows) == 0 {
		return nil
	}
	return ctx.Err()
}

// checkRange checks all of s, on every worker, before anything is written.
func (p *plan) checkRange(arg string, s []uint64) error {
	c := call{ring: p.ring, kernels: p.kernels, a: s, trusted: true}
	size := p.chunks(8) // it is so much cheaper than a transform
	rows := len(s) / p.ring.N()
	if p.backend.pool.helpers == 0 || rows <= size.least {
		if c.reduced(0, rows) {
			return nil
		}
	} else if done, _ := p.backend.pool.do(context.Background(), c, rows, size, checkRange); done == rows {
		return nil
	}
	return p.ring.CheckRange(arg, s) // again, for the place of the first one
}

// run computes a call, unless its check failed with err, and reports its timing
// to whoever asked for it.
func (p *plan) run(ctx context.Context, op string, k kernel, c call, start time.Time, err error) error {
	checked, done := Start(ctx), 0
	if err == nil {
		done, err = p.compute(ctx, k, c)
	}
	if f := backends.TimingFrom(ctx); f != nil {
		f(backends.Timing{Op: op, Rows: done, Upload: checked.Sub(start),
			Kernel: time.Since(checked), Total: time.Since(start)})
	}
	return p.fail(op, done, err)
}

// compute runs the kernel over the rows of a call whose arguments fit. It returns
// the number of rows that are final, all of them without an error.
func (p *plan) compute(ctx context.Context, k kernel, c call) (int, error) {
	c.ring, c.kernels = p.ring, p.kernels
	c.trusted = c.trusted || !p.kernels.Checks()
	done, err := p.backend.pool.do(ctx, c, len(c.dst)/p.ring.N(), p.chunks(1), k)
	if err == errRange {
		err = p.outOfRange(c, done)
	}
	return done, err
}

// outOfRange names the first coefficient that stopped a call after so many rows.
// Those are in range now, whatever of them was an operand.
func (p *plan) outOfRange(c call, done int) error {
	first := "src"
	if c.b != nil {
		first = "a"
	}
	err := p.ring.CheckRange(first, c.a)
	if err == nil && c.b != nil {
		err = p.ring.CheckRange("b", c.b)
	}
	if err == nil && c.sum {
		err = p.ring.CheckRange("dst", c.dst)
	}
	if err == nil { // the caller changed it meanwhile
		err = &ntt.RangeError{Arg: first, Row: done}
	}
	return err
}

// chunks returns the rows that a worker claims at once of work that is light times
// cheaper than a transform.
func (p *plan) chunks(light int) claimSize {
	rows := func(coefficients int) int { return max(1, light*coefficients/p.ring.N()) }
	c := p.backend.Chunks
	return claimSize{rows(c.Least), rows(c.Most), rows(c.Alone)}
}

// fail makes the error of an operation of which done rows are final, or nil.
func (p *plan) fail(op string, done int, err error) error {
	if err == nil {
		return nil
	}
	return &backends.Error{Backend: p.backend.Config.Info.Name, Op: op, Done: done, Err: err}
}

// Start returns the time if someone asked for a Timing.
func Start(ctx context.Context) time.Time {
	if backends.TimingFrom(ctx) == nil {
		return time.Time{}
	}
	return time.Now()
}
