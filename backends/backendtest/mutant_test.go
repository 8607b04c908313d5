package backendtest

import (
	"context"
	"slices"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/backends/katrun"
	"github.com/crosspoint-kernels/crosspoint/kat"
	"github.com/crosspoint-kernels/crosspoint/keccak"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// mutant is a backend that goes wrong where one of its hooks says so. A nil
// hook leaves things as they are.
type mutant struct {
	backends.Backend
	info     func(*backends.Info)
	supports func(err error) error
	ntt      func(r *ntt.Ring, err error) error
	run      func(c call) error
	newBatch func(b *mutantBatch)
	noBatch  func(rows int, err error) error
	close    func(p backends.Plan) error

	keccak func(h *mutantHasher) (keccak.Hasher, error)
	hash   func(c hashCall) error
	tree   func(c treeCall) ([32]byte, error)
}

func (m *mutant) Info() backends.Info {
	info := m.Backend.Info()
	if m.info != nil {
		m.info(&info)
	}
	return info
}

func (m *mutant) Supports(op backends.Op) error {
	err := m.Backend.Supports(op)
	if m.supports != nil {
		return m.supports(err)
	}
	return err
}

func (m *mutant) NTT(r *ntt.Ring) (backends.Plan, error) {
	p, err := m.Backend.NTT(r)
	if m.ntt != nil {
		err = m.ntt(r, err)
	}
	if err != nil {
		return nil, err
	}
	return &mutantPlan{p, m}, nil
}

// call is one call of a plan, with what a sound backend would do.
type call struct {
	ctx       context.Context
	op        katrun.Operation
	plan      backends.Plan
	dst, a, b []uint64
}

func (c call) good() error { return c.op.Plan(c.plan, c.ctx, c.dst, c.a, c.b) }

// rows returns the number of rows and their length.
func (c call) rows() (rows, n int) {
	n = c.plan.Ring().N()
	return len(c.dst) / n, n
}

// transform reports whether the call is a forward or an inverse transform.
func (c call) transform() bool { return c.op.Op == kat.Forward || c.op.Op == kat.Inverse }

type mutantPlan struct {
	backends.Plan
	m *mutant
}

func (p *mutantPlan) do(ctx context.Context, op kat.Op, dst, a, b []uint64) error {
	all := katrun.Operations()
	i := slices.IndexFunc(all, func(o katrun.Operation) bool { return o.Op == op })
	c := call{ctx, all[i], p.Plan, dst, a, b}
	if p.m.run != nil {
		return p.m.run(c)
	}
	return c.good()
}

func (p *mutantPlan) Forward(ctx context.Context, dst, src []uint64) error {
	return p.do(ctx, kat.Forward, dst, src, nil)
}

func (p *mutantPlan) Inverse(ctx context.Context, dst, src []uint64) error {
	return p.do(ctx, kat.Inverse, dst, src, nil)
}

func (p *mutantPlan) MForm(ctx context.Context, dst, src []uint64) error {
	return p.do(ctx, kat.MForm, dst, src, nil)
}

func (p *mutantPlan) IMForm(ctx context.Context, dst, src []uint64) error {
	return p.do(ctx, kat.IMForm, dst, src, nil)
}

func (p *mutantPlan) Mul(ctx context.Context, dst, a, b []uint64) error {
	return p.do(ctx, kat.Mul, dst, a, b)
}

func (p *mutantPlan) MulAdd(ctx context.Context, dst, a, b []uint64) error {
	return p.do(ctx, kat.MulAdd, dst, a, b)
}

func (p *mutantPlan) MulMont(ctx context.Context, dst, a, b []uint64) error {
	return p.do(ctx, kat.MulMont, dst, a, b)
}

func (p *mutantPlan) MulAddMont(ctx context.Context, dst, a, b []uint64) error {
	return p.do(ctx, kat.MulAddMont, dst, a, b)
}

func (p *mutantPlan) Close() error {
	if p.m.close != nil {
		return p.m.close(p.Plan)
	}
	return p.Plan.Close()
}

func (p *mutantPlan) NewBatch(rows int) (backends.Batch, error) {
	b, err := p.Plan.NewBatch(rows)
	if err != nil && p.m.noBatch != nil {
		return nil, p.m.noBatch(rows, err)
	}
	if err != nil {
		return nil, err
	}
	mb := &mutantBatch{Batch: b, ring: p.Ring()}
	if p.m.newBatch != nil {
		p.m.newBatch(mb)
	}
	return mb, nil
}

// mutantBatch is a batch with hooks of its own.
type mutantBatch struct {
	backends.Batch
	ring    *ntt.Ring
	rows    func() int
	write   func(ctx context.Context, row int, src []uint64) error
	read    func(ctx context.Context, row int, dst []uint64) error
	forward func(ctx context.Context, row, n int) error
	muladd  func(ctx context.Context, a, b backends.Batch) error
	matmul  func(ctx context.Context, a, b backends.Batch, m, k, n int) error
	release func()
}

func (b *mutantBatch) Rows() int {
	if b.rows != nil {
		return b.rows()
	}
	return b.Batch.Rows()
}

func (b *mutantBatch) Write(ctx context.Context, row int, src []uint64) error {
	if b.write != nil {
		return b.write(ctx, row, src)
	}
	return b.Batch.Write(ctx, row, src)
}

func (b *mutantBatch) Read(ctx context.Context, row int, dst []uint64) error {
	if b.read != nil {
		return b.read(ctx, row, dst)
	}
	return b.Batch.Read(ctx, row, dst)
}

func (b *mutantBatch) Forward(ctx context.Context, row, n int) error {
	if b.forward != nil {
		return b.forward(ctx, row, n)
	}
	return b.Batch.Forward(ctx, row, n)
}

func (b *mutantBatch) MulAddMont(ctx context.Context, x, y backends.Batch) error {
	x, y = inner(x), inner(y)
	if b.muladd != nil {
		return b.muladd(ctx, x, y)
	}
	return b.Batch.MulAddMont(ctx, x, y)
}

func (b *mutantBatch) MatMulAddMont(ctx context.Context, x, y backends.Batch, m, k, n int) error {
	x, y = inner(x), inner(y)
	if b.matmul != nil {
		return b.matmul(ctx, x, y, m, k, n)
	}
	return b.Batch.MatMulAddMont(ctx, x, y, m, k, n)
}

func (b *mutantBatch) Release() {
	if b.release != nil {
		b.release()
		return
	}
	b.Batch.Release()
}

func inner(b backends.Batch) backends.Batch {
	if m, ok := b.(*mutantBatch); ok {
		return m.Batch
	}
	return b
}
