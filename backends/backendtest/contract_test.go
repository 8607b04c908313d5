package backendtest

import (
	"context"
	"errors"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// failed makes an error as a backend does.
func failed(err error) error { return &backends.Error{Backend: "cpu", Op: "x", Err: err} }

// contractMutants return the wrong one of several errors, or report what is not
// so. The bytes are right.
var contractMutants = []plantedFault{
	{"no ring planned", []string{"info"}, func(m *mutant) {
		m.ntt = func(r *ntt.Ring, err error) error {
			if r == nil {
				return nil
			}
			return err
		}
	}},
	{"negative rows supported", []string{"info", "batch errors"}, func(m *mutant) {
		m.supports = func(err error) error {
			if errors.Is(err, backends.ErrShape) {
				return nil
			}
			return err
		}
	}},
	{"too many rows for a shape", []string{"batch errors"}, func(m *mutant) {
		m.noBatch = func(int, error) error { return failed(backends.ErrShape) }
	}},
	{"negative rows unsupported", []string{"batch errors"}, func(m *mutant) {
		m.noBatch = func(int, error) error { return failed(backends.ErrUnsupported) }
	}},

	{"no rows refused under a context that has ended", []string{"precedence"}, func(m *mutant) {
		m.run = func(c call) error {
			if err := c.good(); err != nil || len(c.dst) > 0 {
				return err
			}
			if err := c.ctx.Err(); err != nil {
				return failed(err)
			}
			return nil
		}
	}},
	{"the context before shapes", []string{"precedence"}, func(m *mutant) {
		m.run = func(c call) error {
			err := c.good()
			if over := c.ctx.Err(); errors.Is(err, backends.ErrShape) && over != nil {
				return failed(over)
			}
			return err
		}
	}},
	{"coefficients before the context", []string{"precedence"}, func(m *mutant) {
		m.run = func(c call) error {
			err := c.good()
			if bad := c.plan.Ring().CheckRange("a", c.a); errors.Is(err, context.Canceled) && bad != nil {
				return failed(bad)
			}
			return err
		}
	}},
	{"the first row named, of whatever operand", []string{"precedence"}, func(m *mutant) {
		m.run = func(c call) error {
			err := c.good()
			var first, b *ntt.RangeError
			if errors.As(err, &first) && errors.As(c.plan.Ring().CheckRange("b", c.b), &b) && b.Row < first.Row {
				*first = *b
			}
			return err
		}
	}},
	{"shapes before closed", []string{"closed"}, func(m *mutant) {
		m.run = func(c call) error {
			err := c.good()
			if errors.Is(err, backends.ErrClosed) && len(c.dst)%c.plan.Ring().N() != 0 {
				return failed(backends.ErrShape)
			}
			return err
		}
	}},
	{"timing of calls that succeed alone", []string{"timing"}, func(m *mutant) {
		m.run = func(c call) error {
			report := backends.TimingFrom(c.ctx)
			var t backends.Timing
			c.ctx = backends.WithTiming(c.ctx, func(x backends.Timing) { t = x })
			err := c.good()
			if report != nil && err == nil {
				report(t)
			}
			return err
		}
	}},
	{"all rows timed of a call that failed", []string{"timing"}, func(m *mutant) {
		m.run = func(c call) error {
			if report := backends.TimingFrom(c.ctx); report != nil {
				rows, _ := c.rows()
				c.ctx = backends.WithTiming(c.ctx, func(t backends.Timing) { t.Rows = rows; report(t) })
			}
			return c.good()
		}
	}},

	{"a batch that has no rows once released", []string{"closed"}, func(m *mutant) {
		m.newBatch = func(b *mutantBatch) {
			released := false
			b.release = func() { released = true; b.Batch.Release() }
			b.rows = func() int {
				if released {
					return 0
				}
				return b.Batch.Rows()
			}
		}
	}},
	{"shapes before a batch is released", []string{"closed"}, func(m *mutant) {
		m.newBatch = func(b *mutantBatch) {
			b.read = func(ctx context.Context, row int, dst []uint64) error {
				if err := b.ring.CheckRows("dst", dst); err != nil {
					return failed(err)
				}
				return b.Batch.Read(ctx, row, dst)
			}
		}
	}},
	{"a batch that looks at the context for no rows", []string{"precedence"}, func(m *mutant) {
		m.newBatch = func(b *mutantBatch) {
			b.forward = func(ctx context.Context, row, n int) error {
				if err := ctx.Err(); err != nil && n == 0 {
					return failed(err)
				}
				return b.Batch.Forward(ctx, row, n)
			}
		}
	}},
	{"coefficients before the context of a write", []string{"precedence"}, func(m *mutant) {
		m.newBatch = func(b *mutantBatch) {
			b.write = func(ctx context.Context, row int, src []uint64) error {
				err := b.Batch.Write(ctx, row, src)
				if bad := b.ring.CheckRange("src", src); errors.Is(err, context.Canceled) && bad != nil {
					return failed(bad)
				}
				return err
			}
		}
	}},
}
