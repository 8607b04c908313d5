package backendtest

import (
	"context"
	"errors"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// chunkRows is where the mutants that go wrong in a later chunk begin one.
const chunkRows = 1024

// plantedFault is a fault, and the checks that must each catch it.
type plantedFault struct {
	name   string
	caught []string
	plant  func(m *mutant)
}

// mutants are faults of plans and batches.
var mutants = []plantedFault{
	{"> for >= in the last reduction", []string{"vectors", "sizes", "many"}, func(m *mutant) {
		m.run = after(func(c call) {
			for i := range c.dst {
				if c.transform() && c.dst[i] == 0 {
					c.dst[i] = c.plan.Ring().Q()
				}
			}
		})
	}},
	{"no last reduction", []string{"vectors", "sizes", "aliasing", "chunks", "many"}, func(m *mutant) {
		m.run = after(func(c call) {
			for i := range c.dst {
				c.dst[i] += c.plan.Ring().Q() * (c.dst[i] % 2)
			}
		})
	}},
	{"two twiddles swapped", []string{"vectors", "sizes", "chunks", "many"}, func(m *mutant) { m.run = swappedTwiddles }},
	{"last row of the last chunk left out", []string{"vectors", "chunks"}, func(m *mutant) { m.run = lastRowLeftOut }},
	{"batch truncated without a word", []string{"vectors", "chunks"}, func(m *mutant) {
		m.run = func(c call) error {
			if rows, n := c.rows(); rows > chunkRows && len(c.a) == len(c.dst) {
				c.dst, c.a = c.dst[:chunkRows*n], c.a[:chunkRows*n]
				if c.op.Binary {
					c.b = c.b[:chunkRows*n]
				}
			}
			return c.good()
		}
	}},
	{"a word written past the end", []string{"sizes", "aliasing", "chunks"}, func(m *mutant) {
		m.run = after(func(c call) {
			if len(c.dst) < cap(c.dst) {
				c.dst[:len(c.dst)+1][len(c.dst)] = 0
			}
		})
	}},
	{"a word written past the end of an input", []string{"sizes", "aliasing"}, func(m *mutant) {
		m.run = after(func(c call) {
			if len(c.a) > 0 && len(c.a) < cap(c.a) && &c.a[0] != &c.dst[0] {
				c.a[:len(c.a)+1][len(c.a)] = 0
			}
		})
	}},
	{"an input clobbered", []string{"sizes", "aliasing", "many"}, func(m *mutant) {
		m.run = after(func(c call) {
			if len(c.a) > 0 && &c.a[0] != &c.dst[0] {
				c.a[len(c.a)-1] ^= 1
			}
		})
	}},
	{"dst cleared before it is read", []string{"sizes", "aliasing"}, func(m *mutant) {
		m.run = func(c call) error {
			if !c.op.Accumulate && len(c.dst) == len(c.a) && c.plan.Ring().CheckRange("", c.a) == nil {
				clear(c.dst)
			}
			return c.good()
		}
	}},
	{"a row of the previous call", []string{"sizes", "many"}, func(m *mutant) { m.run = staleRow() }},
	{"scratch shared by calls", []string{"concurrent"}, func(m *mutant) { m.run = sharedScratch() }},
	{"no rows refused", []string{"empty"}, func(m *mutant) {
		m.run = func(c call) error {
			if len(c.dst) == 0 {
				return &backends.Error{Backend: "cpu", Op: "x", Err: backends.ErrShape}
			}
			return c.good()
		}
	}},
	{"an overlap let through", []string{"shape"}, func(m *mutant) {
		m.run = func(c call) error {
			err := c.good()
			if errors.Is(err, backends.ErrShape) && len(c.dst) == len(c.a) && len(c.dst)%c.plan.Ring().N() == 0 {
				return nil
			}
			return err
		}
	}},
	{"dst written before shapes are checked", []string{"shape"}, func(m *mutant) {
		m.run = func(c call) error {
			err := c.good()
			if errors.Is(err, backends.ErrShape) && len(c.dst) > 0 {
				c.dst[0] ^= 1
			}
			return err
		}
	}},
	{"a plain error", []string{"shape", "range"}, func(m *mutant) {
		m.run = func(c call) error {
			if err := c.good(); err != nil {
				return errors.Unwrap(err)
			}
			return nil
		}
	}},
	{"the row within the chunk in a RangeError", []string{"range"}, func(m *mutant) {
		m.run = rangeError(func(e *ntt.RangeError) { e.Row %= 512 })
	}},
	{"the wrong index in a RangeError", []string{"range"}, func(m *mutant) {
		m.run = rangeError(func(e *ntt.RangeError) { e.Index++ })
	}},
	{"the wrong argument in a RangeError", []string{"range"}, func(m *mutant) {
		m.run = rangeError(func(e *ntt.RangeError) { e.Arg = "a" })
	}},
	{"coefficients cut to 32 bits before they are checked", []string{"range"}, func(m *mutant) { m.run = cutTo32 }},
	{"dst written before coefficients are checked", []string{"range"}, func(m *mutant) {
		m.run = func(c call) error {
			err := c.good()
			if errors.Is(err, backends.ErrRange) {
				_, n := c.rows()
				c.dst[len(c.dst)-n] ^= 1
			}
			return err
		}
	}},
	{"one row too many said to be done", []string{"range", "cancel"}, func(m *mutant) {
		m.run = func(c call) error {
			err := c.good()
			var e *backends.Error
			if errors.As(err, &e) {
				e.Done++
			}
			return err
		}
	}},
	{"the context not looked at", []string{"cancel"}, func(m *mutant) {
		m.run = func(c call) error {
			c.ctx = context.WithoutCancel(c.ctx)
			return c.good()
		}
	}},
	{"all of dst written though cancelled", []string{"cancel"}, func(m *mutant) {
		m.run = func(c call) error {
			err := c.good()
			if errors.Is(err, context.Canceled) {
				c.dst[len(c.dst)-1] ^= 1
			}
			return err
		}
	}},
	{"timing twice", []string{"timing"}, func(m *mutant) {
		m.run = after(func(c call) {
			if f := backends.TimingFrom(c.ctx); f != nil {
				f(backends.Timing{Op: "x", Rows: 5})
			}
		})
	}},
	{"no timing", []string{"timing"}, func(m *mutant) {
		m.run = func(c call) error {
			c.ctx = backends.WithTiming(c.ctx, func(backends.Timing) {})
			return c.good()
		}
	}},
	{"close does nothing", []string{"closed"}, func(m *mutant) {
		m.close = func(backends.Plan) error { return nil }
	}},
	{"larger degrees than MaxN", []string{"info"}, func(m *mutant) {
		m.info = func(i *backends.Info) { i.MaxN = 2048 }
	}},
	{"no device name", []string{"info"}, func(m *mutant) {
		m.info = func(i *backends.Info) { i.Device = "" }
	}},
	{"everything supported", []string{"info", "batch errors"}, func(m *mutant) {
		m.supports = func(error) error { return nil }
	}},

	{"batch not zeroed", []string{"batch rows"}, func(m *mutant) {
		m.newBatch = func(b *mutantBatch) {
			one := make([]uint64, b.ring.N())
			one[3] = 1
			if b.Rows() > 0 {
				b.Batch.Write(context.Background(), b.Rows()-1, one)
			}
		}
	}},
	{"batch neighbour clobbered", []string{"batch rows", "batch chain"}, func(m *mutant) {
		m.newBatch = func(b *mutantBatch) {
			b.forward = func(ctx context.Context, row, n int) error {
				if n > 0 && row >= 0 && row < b.Rows()-n {
					n++
				}
				return b.Batch.Forward(ctx, row, n)
			}
		}
	}},
	{"last row of a batch not written", []string{"batch rows", "batch chain"}, func(m *mutant) {
		m.newBatch = func(b *mutantBatch) {
			b.write = func(ctx context.Context, row int, src []uint64) error {
				if n := b.ring.N(); len(src) > 8*n && len(src)%n == 0 && b.ring.CheckRange("", src) == nil {
					src = src[:len(src)-n]
				}
				return b.Batch.Write(ctx, row, src)
			}
		}
	}},
	{"a batch read past the end of dst", []string{"batch rows"}, func(m *mutant) {
		m.newBatch = func(b *mutantBatch) {
			b.read = func(ctx context.Context, row int, dst []uint64) error {
				err := b.Batch.Read(ctx, row, dst)
				if len(dst) < cap(dst) {
					dst[:len(dst)+1][len(dst)] = 0
				}
				return err
			}
		}
	}},
	{"row of the batch, not of src, in a RangeError", []string{"batch errors"}, func(m *mutant) {
		m.newBatch = func(b *mutantBatch) {
			b.write = func(ctx context.Context, row int, src []uint64) error {
				err := b.Batch.Write(ctx, row, src)
				var e *ntt.RangeError
				if errors.As(err, &e) {
					e.Row += row
				}
				return err
			}
		}
	}},
	{"rows before a bad one written", []string{"batch errors"}, func(m *mutant) {
		m.newBatch = func(b *mutantBatch) {
			b.write = func(ctx context.Context, row int, src []uint64) error {
				err := b.Batch.Write(ctx, row, src)
				var e *ntt.RangeError
				if errors.As(err, &e) {
					b.Batch.Write(ctx, row, src[:e.Row*b.ring.N()])
				}
				return err
			}
		}
	}},
	{"operands of other plans accepted", []string{"batch errors"}, func(m *mutant) {
		m.newBatch = func(b *mutantBatch) {
			b.muladd = func(ctx context.Context, x, y backends.Batch) error {
				err := b.Batch.MulAddMont(ctx, x, y)
				if errors.Is(err, backends.ErrShape) && x != nil && y != nil && x != b.Batch && y != b.Batch && x.Rows() == y.Rows() {
					return nil
				}
				return err
			}
		}
	}},
	{"a product that replaces", []string{"batch chain", "batch product"}, func(m *mutant) {
		m.newBatch = func(b *mutantBatch) {
			b.matmul = func(ctx context.Context, x, y backends.Batch, m, k, n int) error {
				err := b.Batch.MatMulAddMont(ctx, x, y, m, k, n)
				if err != nil {
					return err
				}
				b.Batch.Write(ctx, 0, make([]uint64, m*n*b.ring.N()))
				return b.Batch.MatMulAddMont(ctx, x, y, m, k, n)
			}
		}
	}},
	{"a product without its last term", []string{"batch chain", "batch product"}, func(m *mutant) {
		m.newBatch = func(b *mutantBatch) {
			b.matmul = func(ctx context.Context, x, y backends.Batch, m, k, n int) error {
				if m == 1 && k > 1 || m > 1 && k > 6 {
					k--
				}
				return b.Batch.MatMulAddMont(ctx, x, y, m, k, n)
			}
		}
	}},
	{"a released batch that works on", []string{"closed"}, func(m *mutant) {
		m.newBatch = func(b *mutantBatch) { b.release = func() {} }
	}},
}
