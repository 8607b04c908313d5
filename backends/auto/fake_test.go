package auto

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/backends/cpu"
	"github.com/crosspoint-kernels/crosspoint/keccak"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// fake is a backend that computes by the scalar one and sleeps for as long as was
// planted, which costs no time on the clock of a test under synctest. It can be told
// to fail.
type fake struct {
	backends.Backend
	info backends.Info
	cost func(n int) time.Duration // nil: none
	// fail is asked before each call of n rows, and returns how many are done before
	// an error; nil for no error.
	fail func(n int) (done int, err error)
	// batches says that operations of a Batch fail too.
	batches bool
	// idle says that nothing is computed, where a test is about time alone.
	idle bool

	mu    sync.Mutex
	calls []int // rows of each call
}

// line is the time D + τ·n in ns.
func line(d, tau float64) func(int) time.Duration {
	return func(n int) time.Duration { return time.Duration(d + tau*float64(n)) }
}

func newFake(name string, workers int, cost func(int) time.Duration) *fake {
	b, err := cpu.Open(backends.Options{})
	if err != nil {
		panic(err)
	}
	return &fake{Backend: b, cost: cost,
		info: backends.Info{Name: name, Device: "fake " + name, Driver: "planted 1.0", MaxN: ntt.MaxN, Workers: workers}}
}

// newIdle is a fake that costs its time and computes nothing.
func newIdle(name string, workers int, cost func(int) time.Duration) *fake {
	f := newFake(name, workers, cost)
	f.idle = true
	return f
}

// open returns a backend of fakes, in that order, which the test closes.
func open(t *testing.T, o Options, fakes ...*fake) *Backend {
	t.Helper()
	b := openTB(t, o, fakes...)
	t.Cleanup(func() { b.Close() })
	return b
}

// openTB is open without the Close.
func openTB(t testing.TB, o Options, fakes ...*fake) *Backend {
	t.Helper()
	byName := map[string]*fake{}
	for _, f := range fakes {
		o.drivers, byName[f.info.Name] = append(o.drivers, f.info.Name), f
	}
	o.open = func(name string, o backends.Options) (backends.Backend, error) {
		f := byName[name]
		if f == nil || o.Workers == 1 && f.info.Workers > 1 {
			return nil, &backends.Error{Backend: name, Op: "open", Err: backends.ErrUnavailable}
		}
		return f, nil
	}
	b, err := New(o)
	require.NoError(t, err)
	return b
}

func planOf(t *testing.T, b *Backend) *plan {
	t.Helper()
	r, err := ntt.NewRing(16, 97)
	require.NoError(t, err)
	p, err := b.NTT(r)
	require.NoError(t, err)
	t.Cleanup(func() { p.Close() })
	return p.(*plan)
}

// residues are n rows of the test's ring that differ from each other.
func residues(n int) []uint64 {
	s := make([]uint64, 16*n)
	for i := range s {
		s[i] = uint64(i*i+7*i) % 97
	}
	return s
}

func (f *fake) Info() backends.Info { return f.info }

func (f *fake) Supports(o backends.Op) error { return f.Backend.Supports(o) }

func (f *fake) NTT(r *ntt.Ring) (backends.Plan, error) {
	p, err := f.Backend.NTT(r)
	if err != nil {
		return nil, err
	}
	return &fakePlan{p, f}, nil
}

func (f *fake) Keccak() (keccak.Hasher, error) {
	h, err := f.Backend.Keccak()
	if err != nil {
		return nil, err
	}
	return &fakeHasher{h, f}, nil
}

// seen returns the calls since the last look.
func (f *fake) seen() []int {
	f.mu.Lock()
	defer f.mu.Unlock()
	calls := f.calls
	f.calls = nil
	return calls
}

// do makes a call of n rows, of which part does the first ones.
func (f *fake) do(n int, part func(to int) error) error {
	f.mu.Lock()
	f.calls = append(f.calls, n)
	cost, fail := f.cost, f.fail
	f.mu.Unlock()
	if f.idle {
		part = func(int) error { return nil }
	}
	if cost != nil {
		time.Sleep(cost(n))
	}
	if fail != nil {
		if done, err := fail(n); err != nil {
			if e := part(done); e != nil {
				return e
			}
			return &backends.Error{Backend: f.info.Name, Op: "call", Done: done, Err: err}
		}
	}
	return part(n)
}

func (f *fake) set(cost func(int) time.Duration, fail func(int) (int, error)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.cost, f.fail = cost, fail
}

type fakePlan struct {
	backends.Plan
	f *fake
}

// rows makes a call. What is wrong with it comes before any failure.
func (p *fakePlan) rows(ctx context.Context, o op, dst, a, b []uint64) error {
	degree := p.Ring().N()
	n := len(dst) / degree
	err := p.Ring().CheckUnary(dst, a)
	if err == nil && o.binary() {
		err = p.Ring().CheckBinary(dst, a, b)
	}
	if err == nil && o.accumulates() {
		err = p.Ring().CheckAccumulate(dst, a, b)
	}
	if err != nil || n == 0 || ctx.Err() != nil {
		return o.call(ctx, p.Plan, dst, a, b)
	}
	ctx = context.WithoutCancel(ctx)
	return p.f.do(n, func(to int) error {
		words := to * degree
		if !o.binary() {
			return o.call(ctx, p.Plan, dst[:words], a[:words], nil)
		}
		return o.call(ctx, p.Plan, dst[:words], a[:words], b[:words])
	})
}

func (p *fakePlan) Forward(ctx context.Context, dst, src []uint64) error {
	return p.rows(ctx, forward, dst, src, nil)
}
func (p *fakePlan) Inverse(ctx context.Context, dst, src []uint64) error {
	return p.rows(ctx, inverse, dst, src, nil)
}
func (p *fakePlan) MForm(ctx context.Context, dst, src []uint64) error {
	return p.rows(ctx, mForm, dst, src, nil)
}
func (p *fakePlan) IMForm(ctx context.Context, dst, src []uint64) error {
	return p.rows(ctx, imForm, dst, src, nil)
}
func (p *fakePlan) Mul(ctx context.Context, dst, a, b []uint64) error {
	return p.rows(ctx, mul, dst, a, b)
}
func (p *fakePlan) MulAdd(ctx context.Context, dst, a, b []uint64) error {
	return p.rows(ctx, mulAdd, dst, a, b)
}
func (p *fakePlan) MulMont(ctx context.Context, dst, a, b []uint64) error {
	return p.rows(ctx, mulMont, dst, a, b)
}
func (p *fakePlan) MulAddMont(ctx context.Context, dst, a, b []uint64) error {
	return p.rows(ctx, mulAddMont, dst, a, b)
}

func (p *fakePlan) NewBatch(rows int) (backends.Batch, error) {
	b, err := p.Plan.NewBatch(rows)
	if err != nil {
		return nil, err
	}
	return &fakeBatch{b, p.f}, nil
}

// fakeBatch takes its time for transforms.
type fakeBatch struct {
	backends.Batch
	f *fake
}

func (b *fakeBatch) do(n int, call func() error) error {
	if !b.f.batches {
		return call()
	}
	return b.f.do(n, func(to int) error {
		if to < n { // it failed
			return nil
		}
		return call()
	})
}

func (b *fakeBatch) Forward(ctx context.Context, row, n int) error {
	return b.do(n, func() error { return b.Batch.Forward(ctx, row, n) })
}

func (b *fakeBatch) MulAddMont(ctx context.Context, x, y backends.Batch) error {
	return b.Batch.MulAddMont(ctx, unwrap(x), unwrap(y))
}

func (b *fakeBatch) MatMulAddMont(ctx context.Context, x, y backends.Batch, m, k, n int) error {
	return b.Batch.MatMulAddMont(ctx, unwrap(x), unwrap(y), m, k, n)
}

func unwrap(x backends.Batch) backends.Batch {
	if b, ok := x.(*fakeBatch); ok {
		return b.Batch
	}
	return x
}

type fakeHasher struct {
	keccak.Hasher
	f *fake
}

func (h *fakeHasher) Sum256(ctx context.Context, dst [][32]byte, m keccak.Messages) error {
	if keccak.CheckSum256(dst, m) != nil || len(dst) == 0 {
		return h.Hasher.Sum256(ctx, dst, m)
	}
	return h.wrong(h.f.do(len(dst), func(to int) error {
		return h.Hasher.Sum256(ctx, dst[:to], keccak.Messages{Data: m.Data, Off: m.Off[:to+1]})
	}))
}

func (h *fakeHasher) SumFixed(ctx context.Context, dst [][32]byte, data []byte, width int) error {
	if keccak.CheckSumFixed(dst, data, width) != nil || len(dst) == 0 {
		return h.Hasher.SumFixed(ctx, dst, data, width)
	}
	return h.wrong(h.f.do(len(dst), func(to int) error {
		return h.Hasher.SumFixed(ctx, dst[:to], data[:to*width], width)
	}))
}

// wrong makes a hasher's error of a plan's.
func (h *fakeHasher) wrong(err error) error {
	if e, ok := err.(*backends.Error); ok {
		return &keccak.Error{Op: e.Op, Done: e.Done, Err: e.Err}
	}
	return err
}
