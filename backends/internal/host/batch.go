package host

import (
	"context"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// batch holds rows in host memory. Its rows are always in range, because only
// Write lets coefficients in.
type batch struct {
	plan     *plan
	size     int // rows
	rows     []uint64
	released bool
}

func (p *plan) NewBatch(rows int) (backends.Batch, error) {
	err := p.usable()
	if err == nil {
		err = checkBatch(p.ring, rows)
	}
	if err != nil {
		return nil, p.fail("batch", 0, err)
	}
	return &batch{plan: p, size: rows, rows: make([]uint64, rows*p.ring.N())}, nil
}

// maxBatch bounds a batch to 2^28-1 coefficients, just under 2 GiB: an absurd
// number of rows is an error rather than a crash of the allocator.
const maxBatch = 1<<28 - 1

// checkBatch checks the number of rows of a batch that is to be made.
func checkBatch(r *ntt.Ring, rows int) error {
	return backends.CheckBatch(rows, maxBatch/r.N(), 8*r.N(), "this backend")
}

func (b *batch) Rows() int { return b.size }

func (b *batch) Write(ctx context.Context, row int, src []uint64) error {
	dst, err := b.slice(row, "src", src)
	if err == nil {
		err = ended(ctx, src)
	}
	if err == nil {
		err = b.plan.checkRange("src", src)
	}
	if err == nil {
		copy(dst, src)
	}
	return b.plan.fail("batch write", 0, err)
}

func (b *batch) Read(ctx context.Context, row int, dst []uint64) error {
	src, err := b.slice(row, "dst", dst)
	if err == nil {
		err = ended(ctx, dst)
	}
	if err == nil {
		copy(dst, src)
	}
	return b.plan.fail("batch read", 0, err)
}

// usable returns ErrClosed once the batch is released or its plan closed.
func (b *batch) usable() error {
	if b.released {
		return backends.ErrClosed
	}
	return b.plan.usable()
}

// slice returns the rows from row on that match the host slice s.
func (b *batch) slice(row int, arg string, s []uint64) ([]uint64, error) {
	if err := b.usable(); err != nil {
		return nil, err
	}
	if err := b.plan.ring.CheckRows(arg, s); err != nil {
		return nil, err
	}
	return b.at(row, len(s)/b.plan.ring.N())
}

// at returns rows [row, row+n).
func (b *batch) at(row, n int) ([]uint64, error) {
	if err := b.usable(); err != nil {
		return nil, err
	}
	if err := backends.CheckRows(row, n, b.size); err != nil {
		return nil, err
	}
	degree := b.plan.ring.N()
	return b.rows[row*degree : (row+n)*degree], nil
}

func (b *batch) Forward(ctx context.Context, row, n int) error {
	return b.inPlace(ctx, "batch forward", forward, row, n)
}

func (b *batch) Inverse(ctx context.Context, row, n int) error {
	return b.inPlace(ctx, "batch inverse", inverse, row, n)
}

func (b *batch) MForm(ctx context.Context, row, n int) error {
	return b.inPlace(ctx, "batch mform", mForm, row, n)
}

func (b *batch) IMForm(ctx context.Context, row, n int) error {
	return b.inPlace(ctx, "batch imform", imForm, row, n)
}

func (b *batch) inPlace(ctx context.Context, op string, k kernel, row, n int) error {
	s, err := b.at(row, n)
	return b.run(ctx, op, k, call{dst: s, a: s}, err)
}

// run computes a call, unless its check failed with err.
func (b *batch) run(ctx context.Context, op string, k kernel, c call, err error) error {
	done := 0
	if err == nil {
		c.trusted = true
		done, err = b.plan.compute(ctx, k, c)
	}
	return b.plan.fail(op, done, err)
}

func (b *batch) MulAddMont(ctx context.Context, x, y backends.Batch) error {
	c, err := b.operands(x, y)
	if err == nil && (len(c.a) != len(b.rows) || len(c.b) != len(b.rows)) {
		err = &ntt.ShapeError{Arg: "a, b", Reason: "the batches have different numbers of rows"}
	}
	return b.run(ctx, "batch muladdmont", mulAddMont, c, err)
}

func (b *batch) MatMulAddMont(ctx context.Context, x, y backends.Batch, m, k, n int) error {
	c, err := b.operands(x, y)
	if err == nil {
		err = backends.CheckProduct(m, k, n, b.size, x.Rows(), y.Rows())
	}
	if err == nil {
		if k == 0 {
			m = 0 // empty sums are no work
		}
		c.dst, c.k, c.n = b.rows[:m*n*b.plan.ring.N()], k, n
	}
	return b.run(ctx, "batch matmuladdmont", matMulAddMont, c, err)
}

// operands returns the call that has this batch for its destination and x and
// y, two other batches of the same plan, for its operands.
func (b *batch) operands(x, y backends.Batch) (call, error) {
	if err := b.usable(); err != nil {
		return call{}, err
	}
	c := call{dst: b.rows}
	var err error
	if c.a, err = b.operand("a", x); err == nil {
		c.b, err = b.operand("b", y)
	}
	return c, err
}

func (b *batch) operand(arg string, x backends.Batch) ([]uint64, error) {
	o, ok := x.(*batch)
	switch {
	case !ok || o.plan != b.plan:
		return nil, &ntt.ShapeError{Arg: arg, Reason: "is not a batch of the same plan"}
	case o == b:
		return nil, &ntt.ShapeError{Arg: arg, Reason: "is the destination"}
	case o.released:
		return nil, backends.ErrClosed
	}
	return o.rows, nil
}

func (b *batch) Sync(ctx context.Context) error {
	err := b.usable()
	if err == nil {
		err = ctx.Err()
	}
	return b.plan.fail("batch sync", 0, err)
}

func (b *batch) Release() {
	if b.plan.backend.Wipe {
		clear(b.rows)
	}
	b.rows, b.released = nil, true
}
