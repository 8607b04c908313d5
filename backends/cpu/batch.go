package cpu

import (
	"context"
	"fmt"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// batch holds rows in host memory. Its rows are always in range, because only
// Write lets coefficients in.
type batch struct {
	plan     *plan
	rows     []uint64
	released bool
}

func (p *plan) NewBatch(rows int) (backends.Batch, error) {
	switch {
	case p.closed.Load() || p.backend.closed.Load():
		return nil, p.fail("batch", 0, backends.ErrClosed)
	case rows < 0 || rows > maxBatch/p.ring.N():
		return nil, p.fail("batch", 0, &ntt.ShapeError{Arg: "rows", Reason: fmt.Sprintf("%d is not from 0 to %d", rows, maxBatch/p.ring.N())})
	}
	return &batch{plan: p, rows: make([]uint64, rows*p.ring.N())}, nil
}

// maxBatch bounds a batch to 2^28-1 coefficients, just under 2 GiB: an absurd
// number of rows is an error rather than a crash of the allocator.
const maxBatch = 1<<28 - 1

func (b *batch) Rows() int { return len(b.rows) / b.plan.ring.N() }

func (b *batch) Write(ctx context.Context, row int, src []uint64) error {
	const op = "batch write"
	dst, err := b.slice(op, row, "src", src)
	if err != nil {
		return err
	}
	if err := b.plan.inRange("src", src); err != nil {
		return b.plan.fail(op, 0, err)
	}
	if err := ctx.Err(); err != nil {
		return b.plan.fail(op, 0, err)
	}
	copy(dst, src)
	return nil
}

func (b *batch) Read(ctx context.Context, row int, dst []uint64) error {
	const op = "batch read"
	src, err := b.slice(op, row, "dst", dst)
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return b.plan.fail(op, 0, err)
	}
	copy(dst, src)
	return nil
}

// slice returns the rows from row on that match the host slice s.
func (b *batch) slice(op string, row int, arg string, s []uint64) ([]uint64, error) {
	if err := b.plan.ring.CheckRows(arg, s); err != nil {
		return nil, b.plan.fail(op, 0, err)
	}
	return b.at(op, row, len(s)/b.plan.ring.N())
}

// at returns rows [row, row+n).
func (b *batch) at(op string, row, n int) ([]uint64, error) {
	if b.released || b.plan.closed.Load() {
		return nil, b.plan.fail(op, 0, backends.ErrClosed)
	}
	if err := backends.CheckRows(row, n, b.Rows()); err != nil {
		return nil, b.plan.fail(op, 0, err)
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
	s, err := b.at(op, row, n)
	if err != nil {
		return err
	}
	return b.plan.compute(ctx, op, k, call{ring: b.plan.ring, dst: s, a: s})
}

func (b *batch) MulAddMont(ctx context.Context, x, y backends.Batch) error {
	const op = "batch muladdmont"
	c, err := b.operands(op, x, y)
	if err != nil {
		return err
	}
	if len(c.a) != len(b.rows) || len(c.b) != len(b.rows) {
		return b.plan.fail(op, 0, &ntt.ShapeError{Arg: "a, b", Reason: "the batches have different numbers of rows"})
	}
	return b.plan.compute(ctx, op, mulAddMont, c)
}

func (b *batch) MatMulAddMont(ctx context.Context, x, y backends.Batch, m, k, n int) error {
	const op = "batch matmuladdmont"
	c, err := b.operands(op, x, y)
	if err != nil {
		return err
	}
	if err := backends.CheckProduct(m, k, n, b.Rows(), x.Rows(), y.Rows()); err != nil {
		return b.plan.fail(op, 0, err)
	}
	c.dst, c.k, c.n = b.rows[:m*n*b.plan.ring.N()], k, n
	return b.plan.compute(ctx, op, matMulAddMont, c)
}

// operands returns the call that has this batch for its destination and x and
// y, two other batches of the same plan, for its operands.
func (b *batch) operands(op string, x, y backends.Batch) (call, error) {
	if _, err := b.at(op, 0, 0); err != nil {
		return call{}, err
	}
	c := call{ring: b.plan.ring, dst: b.rows}
	var err error
	if c.a, err = b.operand("a", x); err == nil {
		c.b, err = b.operand("b", y)
	}
	if err != nil {
		return call{}, b.plan.fail(op, 0, err)
	}
	return c, nil
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
	if _, err := b.at("batch sync", 0, 0); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return b.plan.fail("batch sync", 0, err)
	}
	return nil
}

func (b *batch) Release() {
	if b.plan.backend.wipe {
		clear(b.rows)
	}
	b.rows, b.released = nil, true
}
