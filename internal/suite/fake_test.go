package suite

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/keccak"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// virtual is a clock that only fakes advance, so that every time is exact.
type virtual struct{ now time.Duration }

func (v *virtual) Now() time.Duration { return v.now }

// fake is a backend that computes by the scalar reference and takes the time
// D + tau·rows on a virtual clock, in ns. It can be told to fail.
type fake struct {
	clock   *virtual
	d, tau  float64
	bus     float64 // ns per row of a Write or Read
	info    backends.Info
	refuses error                        // returned by Supports
	noBatch error                        // returned by NewBatch
	failAt  int                          // calls of so many rows fail with failure
	failure error                        //
	bend    func(dst []uint64, rows int) // spoils a result
	onCall  func(rows int)               // sees every end-to-end call
	calls   int                          // end-to-end calls
	plans   int                          // open
	batches int                          // not released
	hashers int                          // open

	noHasher error                         // returned by Keccak
	spoil    func(dst [][keccak.Size]byte) // digests of a hasher
	lazy     bool                          // skips arithmetic that no check looks at
	idle     bool                          // does no arithmetic at all
}

func (f *fake) contestant(name string) Contestant { return Contestant{name, f, f.info} }

func (f *fake) Info() backends.Info        { return f.info }
func (f *fake) Supports(backends.Op) error { return f.refuses }
func (f *fake) Close() error               { return nil }
func (f *fake) NTT(r *ntt.Ring) (backends.Plan, error) {
	f.plans++
	return &fakePlan{f, r}, nil
}

func (f *fake) spend(rows int, d, tau float64) {
	f.clock.now += time.Duration(d + tau*float64(rows))
}

type fakePlan struct {
	*fake
	ring *ntt.Ring
}

func (p *fakePlan) Ring() *ntt.Ring { return p.ring }
func (p *fakePlan) Close() error    { p.plans--; return nil }

// do accounts for a call and does the arithmetic of op.
func (p *fakePlan) do(ctx context.Context, dst []uint64, overwrites bool, op func() error) error {
	rows := len(dst) / p.ring.N()
	p.calls++
	if p.onCall != nil {
		p.onCall(rows)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if p.failure != nil && rows == p.failAt {
		return p.failure
	}
	p.spend(rows, p.d, p.tau)
	// Only a check poisons the destination of an operation that overwrites it.
	if p.idle || p.lazy && overwrites && dst[0] != ^uint64(0) {
		return nil
	}
	err := op()
	if p.bend != nil {
		p.bend(dst, rows)
	}
	return err
}

func (p *fakePlan) Forward(ctx context.Context, dst, src []uint64) error {
	return p.do(ctx, dst, true, func() error { return p.ring.Forward(dst, src) })
}
func (p *fakePlan) Inverse(ctx context.Context, dst, src []uint64) error {
	return p.do(ctx, dst, true, func() error { return p.ring.Inverse(dst, src) })
}
func (p *fakePlan) Mul(ctx context.Context, dst, a, b []uint64) error {
	return p.do(ctx, dst, true, func() error { return p.ring.Mul(dst, a, b) })
}
func (p *fakePlan) MulAdd(ctx context.Context, dst, a, b []uint64) error {
	return p.do(ctx, dst, false, func() error { return p.ring.MulAdd(dst, a, b) })
}
func (p *fakePlan) MulMont(ctx context.Context, dst, a, b []uint64) error {
	return p.do(ctx, dst, true, func() error { return p.ring.MulMont(dst, a, b) })
}
func (p *fakePlan) MulAddMont(ctx context.Context, dst, a, b []uint64) error {
	return p.do(ctx, dst, false, func() error { return p.ring.MulAddMont(dst, a, b) })
}
func (p *fakePlan) MForm(ctx context.Context, dst, src []uint64) error {
	return p.do(ctx, dst, true, func() error { return p.ring.MForm(dst, src) })
}
func (p *fakePlan) IMForm(ctx context.Context, dst, src []uint64) error {
	return p.do(ctx, dst, true, func() error { return p.ring.IMForm(dst, src) })
}

func (p *fakePlan) NewBatch(rows int) (backends.Batch, error) {
	if p.noBatch != nil {
		return nil, p.noBatch
	}
	p.batches++
	return &fakeBatch{fakePlan: p, x: make([]uint64, rows*p.ring.N())}, nil
}

// fakeBatch does its arithmetic, if lazy, until it was first read: that is the
// check, and what follows is only timed.
type fakeBatch struct {
	*fakePlan
	x    []uint64
	read bool
}

func (b *fakeBatch) Rows() int { return len(b.x) / b.ring.N() }
func (b *fakeBatch) at(row, n int) []uint64 {
	return b.x[row*b.ring.N() : (row+n)*b.ring.N()]
}

// work takes the time of rows and does op unless nobody will look.
func (b *fakeBatch) work(rows int, op func() error) error {
	b.spend(rows, b.d, b.tau)
	if b.idle || b.lazy && b.read {
		return nil
	}
	return op()
}

func (b *fakeBatch) Write(_ context.Context, row int, src []uint64) error {
	copy(b.x[row*b.ring.N():], src)
	b.spend(len(src)/b.ring.N(), 0, b.bus)
	return nil
}
func (b *fakeBatch) Read(_ context.Context, row int, dst []uint64) error {
	copy(dst, b.x[row*b.ring.N():])
	b.read = true
	b.spend(len(dst)/b.ring.N(), 0, 2*b.bus)
	if b.bend != nil {
		b.bend(dst, len(dst)/b.ring.N())
	}
	return nil
}
func (b *fakeBatch) Forward(_ context.Context, row, n int) error {
	return b.work(n, func() error { return b.ring.Forward(b.at(row, n), b.at(row, n)) })
}
func (b *fakeBatch) Inverse(_ context.Context, row, n int) error {
	return b.work(n, func() error { return b.ring.Inverse(b.at(row, n), b.at(row, n)) })
}
func (b *fakeBatch) MForm(_ context.Context, row, n int) error {
	return b.work(n, func() error { return b.ring.MForm(b.at(row, n), b.at(row, n)) })
}
func (b *fakeBatch) IMForm(_ context.Context, row, n int) error {
	return b.work(n, func() error { return b.ring.IMForm(b.at(row, n), b.at(row, n)) })
}
func (b *fakeBatch) MulAddMont(_ context.Context, x, y backends.Batch) error {
	return b.work(b.Rows(), func() error {
		return b.ring.MulAddMont(b.x, x.(*fakeBatch).x, y.(*fakeBatch).x)
	})
}

// MatMulAddMont walks the product in another order than the reference does.
func (b *fakeBatch) MatMulAddMont(_ context.Context, x, y backends.Batch, m, k, n int) error {
	return b.work(m*n, func() error {
		for j := range n {
			for i := range m {
				for l := range k {
					c, a, r := b.at(i*n+j, 1), x.(*fakeBatch).at(i*k+l, 1), y.(*fakeBatch).at(l*n+j, 1)
					if err := b.ring.MulAddMont(c, a, r); err != nil {
						return err
					}
				}
			}
		}
		return nil
	})
}
func (b *fakeBatch) Sync(context.Context) error { return nil }
func (b *fakeBatch) Release()                   { b.batches-- }

// Costs of the seed's table for n >= 64, in ns: the CPU takes 1.38 µs per row, Metal
// 5.85 ms and 0.853 µs, so they meet near 11,100.
const (
	cpuTau   = 1380
	metalD   = 5.85e6
	metalTau = 853
)

// field is a CPU on one thread and on four, and one device.
type field struct {
	clock          virtual
	cpu, mt, metal *fake
}

func newField() *field {
	f := &field{}
	host := func(workers int, d, tau float64) *fake {
		return &fake{clock: &f.clock, d: d, tau: tau, lazy: true,
			info: backends.Info{Name: "cpu", Device: "CPU", Workers: workers}}
	}
	f.cpu, f.mt = host(1, 0, cpuTau), host(4, 2000, cpuTau/4)
	f.metal = &fake{clock: &f.clock, d: metalD, tau: metalTau, bus: 100, lazy: true,
		info: backends.Info{Name: "metal", Device: "M1 Max"}}
	return f
}

func (f *field) contestants() []Contestant {
	return []Contestant{f.cpu.contestant(CPU), f.mt.contestant(CPUMT), f.metal.contestant("metal")}
}

// measuring is a run on the field's clock.
func (f *field) measuring() Measuring { return Measuring{Clock: &f.clock, Seed: 1} }

// settled checks that a run released what it made.
func (f *field) settled(t *testing.T) {
	for _, b := range []*fake{f.cpu, f.mt, f.metal} {
		require.Zero(t, b.plans, "%s leaves plans open", b.info.Name)
		require.Zero(t, b.batches, "%s leaves batches", b.info.Name)
		require.Zero(t, b.hashers, "%s leaves hashers open", b.info.Name)
	}
}

// small is a ring on which the arithmetic costs next to nothing.
func small(t *testing.T) *ntt.Ring {
	r, err := ntt.NewRing(8, 97)
	require.NoError(t, err)
	return r
}

func forward(t *testing.T, sizes ...int) Case {
	return Case{Op: Forward, Ring: small(t), RingName: "tiny", Sizes: sizes}
}

// paperSizes are the ten batches of the paper.
func paperSizes() []int { return []int{1, 4, 16, 64, 256, 1024, 2688, 4096, 16384, 65536} }
