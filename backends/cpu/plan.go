package cpu

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// chunkCoefficients is how much of a batch a worker takes at once: about 5 µs of
// transforms. Two chunks, 8 rows of the Pulsar ring, are then 0.62 of the time of
// one thread on two cores, and 16 rows 0.59; with twice as much, 8 rows gain
// nothing and 4,096 rows no more (medians of 60 on 2 vCPUs of an AMD EPYC; the
// benchmark of this package repeats them).
const chunkCoefficients = 1024

// plan is safe for concurrent use: a ring is immutable and a pool is shared.
type plan struct {
	backend *backend
	ring    *ntt.Ring
	closed  atomic.Bool
}

func (p *plan) Ring() *ntt.Ring { return p.ring }

func (p *plan) Close() error {
	p.closed.Store(true)
	return nil
}

func (p *plan) Forward(ctx context.Context, dst, src []uint64) error {
	return p.unary(ctx, "forward", forward, dst, src)
}

func (p *plan) Inverse(ctx context.Context, dst, src []uint64) error {
	return p.unary(ctx, "inverse", inverse, dst, src)
}

func (p *plan) MForm(ctx context.Context, dst, src []uint64) error {
	return p.unary(ctx, "mform", mForm, dst, src)
}

func (p *plan) IMForm(ctx context.Context, dst, src []uint64) error {
	return p.unary(ctx, "imform", imForm, dst, src)
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

func (p *plan) unary(ctx context.Context, op string, k kernel, dst, src []uint64) error {
	start := now(ctx)
	err := p.checkUnary(ctx, dst, src)
	return p.run(ctx, op, k, call{ring: p.ring, dst: dst, a: src}, start, err)
}

func (p *plan) binary(ctx context.Context, op string, k kernel, accumulate bool, dst, a, b []uint64) error {
	start := now(ctx)
	err := p.checkBinary(ctx, accumulate, dst, a, b)
	return p.run(ctx, op, k, call{ring: p.ring, dst: dst, a: a, b: b}, start, err)
}

// The checks are in the order that backends.Plan states.

func (p *plan) checkUnary(ctx context.Context, dst, src []uint64) error {
	if err := p.usable(); err != nil {
		return err
	}
	if err := p.ring.CheckShape(dst, "src", src); err != nil {
		return err
	}
	if err := ended(ctx, dst); err != nil {
		return err
	}
	return p.inRange("src", src)
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
	if err := ended(ctx, dst); err != nil {
		return err
	}
	if err := p.inRange("a", a); err != nil {
		return err
	}
	if err := p.inRange("b", b); err != nil {
		return err
	}
	if accumulate {
		return p.inRange("dst", dst)
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

// inRange checks all of s, on every worker, before anything is written.
func (p *plan) inRange(arg string, s []uint64) error {
	if p.backend.pool.helpers == 0 || len(s) <= 8*chunkCoefficients {
		return p.ring.CheckRange(arg, s)
	}
	c := call{ring: p.ring, a: s}
	if _, bad, _ := p.backend.pool.do(context.Background(), c, len(s)/p.ring.N(), p.chunk(8), checkRange); !bad {
		return nil
	}
	return p.ring.CheckRange(arg, s) // again, for the place of the first one
}

// run computes a call, unless its check failed with err, and reports its timing
// to whoever asked for it.
func (p *plan) run(ctx context.Context, op string, k kernel, c call, start time.Time, err error) error {
	checked, done := now(ctx), 0
	if err == nil {
		done, err = p.compute(ctx, k, c)
	}
	if f := backends.TimingFrom(ctx); f != nil {
		f(backends.Timing{Op: op, Rows: done, Upload: checked.Sub(start),
			Kernel: time.Since(checked), Total: time.Since(start)})
	}
	return p.fail(op, done, err)
}

// compute runs the kernel over the rows of a checked call. After an error of the
// context it returns the number of rows that were run.
func (p *plan) compute(ctx context.Context, k kernel, c call) (int, error) {
	done, _, err := p.backend.pool.do(ctx, c, len(c.dst)/p.ring.N(), p.chunk(1), k)
	return done, err
}

// chunk returns the rows that a worker claims at once for work that is light
// times cheaper than a transform.
func (p *plan) chunk(light int) int { return max(1, light*chunkCoefficients/p.ring.N()) }

// fail makes the error of an operation of which done rows are final, or nil.
func (p *plan) fail(op string, done int, err error) error {
	if err == nil {
		return nil
	}
	return &backends.Error{Backend: Name, Op: op, Done: done, Err: err}
}

// now returns the time if someone asked for it.
func now(ctx context.Context) time.Time {
	if backends.TimingFrom(ctx) == nil {
		return time.Time{}
	}
	return time.Now()
}
