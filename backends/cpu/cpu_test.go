package cpu_test

import (
	"context"
	"runtime"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/backends/cpu"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

func open(t testing.TB, workers int, name string) (backends.Backend, backends.Plan) {
	t.Helper()
	b, err := backends.Open(cpu.Name, backends.Options{Workers: workers, Wipe: true})
	require.NoError(t, err)
	t.Cleanup(func() { b.Close() })
	r, err := ntt.Parse(name)
	require.NoError(t, err)
	p, err := b.NTT(r)
	require.NoError(t, err)
	return b, p
}

// rows returns n rows that differ from one another, with q-1 among them.
func rows(r *ntt.Ring, n int) []uint64 {
	s := make([]uint64, n*r.N())
	x := uint64(n)
	for i := range s {
		x = x*6364136223846793005 + 1442695040888963407
		s[i] = x % r.Q()
		if i%97 == 0 {
			s[i] = r.Q() - 1
		}
	}
	return s
}

func TestEveryWorkerCountGivesTheReference(t *testing.T) {
	for _, workers := range []int{0, 1, 2, 3, 8} {
		_, p := open(t, workers, "pulsar")
		for _, n := range []int{0, 1, 2, 7, 8, 9, 16, 17, 70, 257} {
			src := rows(p.Ring(), n)
			got, want := make([]uint64, len(src)), make([]uint64, len(src))
			p.Ring().ForwardReduced(want, src)
			require.NoError(t, p.Forward(t.Context(), got, src))
			require.Equal(t, want, got, "workers=%d rows=%d", workers, n)
			require.NoError(t, p.Inverse(t.Context(), got, got))
			require.Equal(t, src, got, "workers=%d rows=%d", workers, n)
		}
	}
}

// A context that is cancelled after so many looks: the finished rows must be a
// prefix, and exactly as long as the error says.
type countdown struct {
	context.Context
	mu   sync.Mutex
	left int
}

func (c *countdown) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

func TestCancelledCallLeavesAPrefix(t *testing.T) {
	for _, workers := range []int{1, 4} {
		_, p := open(t, workers, "pulsar")
		r, src := p.Ring(), rows(p.Ring(), 200)
		want := make([]uint64, len(src))
		r.ForwardReduced(want, src)
		for looks := range 30 {
			got := append([]uint64(nil), src...)
			err := p.Forward(&countdown{Context: t.Context(), left: looks}, got, got)
			done := 200
			if err != nil {
				var e *backends.Error
				require.ErrorAs(t, err, &e)
				require.ErrorIs(t, err, context.Canceled)
				done = e.Done
			}
			require.Equal(t, want[:done*r.N()], got[:done*r.N()], "looks=%d", looks)
			require.Equal(t, src[done*r.N():], got[done*r.N():], "looks=%d", looks)
		}
	}
}

func TestConcurrentCallsOfOnePlan(t *testing.T) {
	_, p := open(t, runtime.NumCPU(), "pulsar")
	src := rows(p.Ring(), 64)
	want := make([]uint64, len(src))
	p.Ring().ForwardReduced(want, src)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			got := make([]uint64, len(src))
			for range 20 {
				if err := p.Forward(context.Background(), got, src); err != nil {
					t.Error(err)
				}
				if !equal(got, want) {
					t.Error("a concurrent call gave other bytes")
				}
			}
		})
	}
	wg.Wait()
}

func equal(a, b []uint64) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return len(a) == len(b)
}

func TestNothingIsAllocatedPerCall(t *testing.T) {
	for _, workers := range []int{1, 2} {
		_, p := open(t, workers, "pulsar")
		src := rows(p.Ring(), 128)
		dst := make([]uint64, len(src))
		ctx := t.Context()
		require.Zero(t, testing.AllocsPerRun(50, func() {
			if p.Forward(ctx, dst, src) != nil || p.MulAddMont(ctx, dst, dst, src) != nil {
				t.Error("failed")
			}
		}), "workers=%d", workers)
	}
}

func TestRangeErrorNamesThePlaceAndTouchesNothing(t *testing.T) {
	for _, workers := range []int{1, 2} {
		_, p := open(t, workers, "pulsar")
		n := p.Ring().N()
		for _, row := range []int{0, 77, 199} {
			src := rows(p.Ring(), 200)
			src[row*n+5] = p.Ring().Q()
			src[199*n+255] = ^uint64(0)
			before := append([]uint64(nil), src...)
			err := p.Forward(t.Context(), src, src)
			var e *ntt.RangeError
			require.ErrorAs(t, err, &e)
			index := 5
			require.Equal(t, ntt.RangeError{Arg: "src", Row: row, Index: index}, *e)
			require.Equal(t, before, src)
		}
	}
}

func TestClosed(t *testing.T) {
	b, err := cpu.Open(backends.Options{Workers: 2})
	require.NoError(t, err)
	r, err := ntt.Parse("mldsa")
	require.NoError(t, err)
	p, err := b.NTT(r)
	require.NoError(t, err)
	batch, err := p.NewBatch(1)
	require.NoError(t, err)
	s := make([]uint64, r.N())
	batch.Release()
	require.ErrorIs(t, batch.Write(t.Context(), 0, s), backends.ErrClosed)
	require.NoError(t, p.Close())
	require.ErrorIs(t, p.Forward(t.Context(), s, s), backends.ErrClosed)
	_, err = p.NewBatch(1)
	require.ErrorIs(t, err, backends.ErrClosed)
	require.NoError(t, b.Close())
	require.ErrorIs(t, b.Close(), backends.ErrClosed)
	_, err = b.NTT(r)
	require.ErrorIs(t, err, backends.ErrClosed)
}

func TestBackendTakesItsHashersAlong(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 20 {
		b, err := cpu.Open(backends.Options{Workers: 8})
		require.NoError(t, err)
		h, err := b.Keccak()
		require.NoError(t, err)
		require.NoError(t, h.SumFixed(t.Context(), make([][32]byte, 3), make([]byte, 96), 32))
		require.NoError(t, b.Close())
		require.ErrorIs(t, h.SumFixed(t.Context(), nil, nil, 32), backends.ErrClosed)
	}
	require.LessOrEqual(t, runtime.NumGoroutine(), before+1, "a closed backend left goroutines behind")
}

func TestOpenRefusesNegativeWorkers(t *testing.T) {
	_, err := cpu.Open(backends.Options{Workers: -1})
	require.ErrorIs(t, err, backends.ErrUnavailable)
}

func TestBatchRefusesAnAbsurdSize(t *testing.T) {
	_, p := open(t, 1, "pulsar")
	_, err := p.NewBatch(-1)
	require.ErrorIs(t, err, backends.ErrShape)
	_, err = p.NewBatch(1 << 30)
	require.ErrorIs(t, err, backends.ErrUnsupported)
	require.ErrorContains(t, err, "1048575 of 2048 bytes")
}

func BenchmarkForward(b *testing.B) {
	for _, workers := range []int{1, runtime.NumCPU()} {
		_, p := open(b, workers, "pulsar")
		for _, n := range []int{1, 8, 16, 64, 4096} {
			b.Run("ring=pulsar/workers="+strconv.Itoa(workers)+"/rows="+strconv.Itoa(n), func(b *testing.B) {
				src := rows(p.Ring(), n)
				dst := make([]uint64, len(src))
				for b.Loop() {
					if err := p.Forward(b.Context(), dst, src); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/row")
			})
		}
	}
}
