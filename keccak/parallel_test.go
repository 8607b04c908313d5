package keccak

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestParallelConcurrent has many calls share one Hasher, of all sizes.
func TestParallelConcurrent(t *testing.T) {
	h := NewParallel(3)
	m := mixed(t, 1200)
	want := make([][32]byte, m.Len())
	require.NoError(t, Scalar().Sum256(t.Context(), want, m))
	var calls sync.WaitGroup
	for range 8 {
		calls.Go(func() {
			for n := 1; n <= m.Len(); n += 1 + n/3 {
				part := Messages{Data: m.Data, Off: m.Off[:n+1]}
				dst := make([][32]byte, n)
				if h.Sum256(t.Context(), dst, part) != nil {
					t.Error("failed")
				}
				for i := range dst {
					if dst[i] != want[i] {
						t.Errorf("digest %d of %d differs", i, n)
					}
				}
			}
		})
	}
	calls.Wait()
	require.NoError(t, h.Close())
}

func TestParallelClosed(t *testing.T) {
	before := runtime.NumGoroutine()
	h := NewParallel(4)
	require.Equal(t, before+3, runtime.NumGoroutine())
	require.NoError(t, h.Close())
	for deadline := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
		require.True(t, time.Now().Before(deadline), "helpers are left")
	}

	dst := digests(2)
	var e *Error
	require.ErrorAs(t, h.SumFixed(t.Context(), dst, message(2), 1), &e)
	require.ErrorIs(t, e, ErrClosed)
	require.Equal(t, "sumfixed", e.Op)
	require.ErrorAs(t, h.Sum256(t.Context(), dst, mixed(t, 2)), &e)
	require.ErrorIs(t, e, ErrClosed)
	require.Equal(t, "sum256", e.Op)
	require.Equal(t, digests(2), dst)
}

// TestParallelCloseDuringCalls closes under calls, each of which ends well or
// finds the Hasher closed.
func TestParallelCloseDuringCalls(t *testing.T) {
	data := message(32 * 600)
	want := make([][32]byte, 600)
	require.NoError(t, Scalar().SumFixed(t.Context(), want, data, 32))
	for range 20 {
		h := NewParallel(3)
		var calls sync.WaitGroup
		for range 3 {
			calls.Go(func() {
				for {
					dst := make([][32]byte, 600)
					if err := h.SumFixed(t.Context(), dst, data, 32); err != nil {
						require.ErrorIs(t, err, ErrClosed)
						return
					}
					if dst[0] != want[0] || dst[599] != want[599] {
						t.Error("digests differ")
					}
				}
			})
		}
		time.Sleep(time.Millisecond)
		require.NoError(t, h.Close())
		calls.Wait()
	}
}

// slow is a context that is slow to look at, and counts who looks at once.
type slow struct {
	context.Context
	now, most atomic.Int64
}

func (c *slow) Err() error {
	n := c.now.Add(1)
	for m := c.most.Load(); n > m && !c.most.CompareAndSwap(m, n); m = c.most.Load() {
	}
	time.Sleep(time.Millisecond)
	c.now.Add(-1)
	return nil
}

// TestParallelHelpers sees that helpers take part, and no more of them than
// there are.
func TestParallelHelpers(t *testing.T) {
	h := NewParallel(3)
	ctx := &slow{Context: t.Context()}
	dst := make([][32]byte, 4000)
	require.NoError(t, h.SumFixed(ctx, dst, message(4000), 1))
	require.Equal(t, int64(3), ctx.most.Load())
	require.NoError(t, h.Close())
}

// TestParallelCloseWaits closes under a call: when Close returns, nobody but the
// caller still works on it.
func TestParallelCloseWaits(t *testing.T) {
	h := NewParallel(4)
	ctx := &slow{Context: t.Context()}
	var call sync.WaitGroup
	call.Go(func() {
		if h.SumFixed(ctx, make([][32]byte, 8000), message(8000), 1) != nil {
			t.Error("failed")
		}
	})
	for ctx.most.Load() < 2 {
		time.Sleep(time.Millisecond)
	}
	require.NoError(t, h.Close())
	ctx.most.Store(0)
	call.Wait()
	require.LessOrEqual(t, ctx.most.Load(), int64(1))
}

func TestParallelWorkers(t *testing.T) {
	for _, c := range []struct{ asked, helpers int }{
		{-1, runtime.GOMAXPROCS(0) - 1},
		{0, runtime.GOMAXPROCS(0) - 1},
		{1, 0},
		{7, 6},
		{1 << 30, maxWorkers - 1},
	} {
		h := NewParallel(c.asked)
		require.Equal(t, c.helpers, h.(*parallel).helpers)
		require.NoError(t, h.Close())
	}
}
