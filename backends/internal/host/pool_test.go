package host

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// opened returns a backend with helpers, one of its plans, and enough rows for
// all of them, checked and transformed.
func opened(t *testing.T) (*backend, backends.Plan, []uint64) {
	b := New(Config{
		Info:    backends.Info{Name: "test", Workers: 3},
		Kernels: Scalar,
		Chunks:  Chunks{1024, 1024, 1024},
	})
	r, err := ntt.Parse("pulsar")
	require.NoError(t, err)
	p, err := b.NTT(r)
	require.NoError(t, err)
	return b.(*backend), p, make([]uint64, 200*r.N())
}

// TestClosedPoolKeepsNothing: no task, and so nobody's coefficients, stays queued
// where no helper is left to take it.
func TestClosedPoolKeepsNothing(t *testing.T) {
	b, p, s := opened(t)
	require.NoError(t, b.Close())
	require.ErrorIs(t, p.Forward(t.Context(), s, s), backends.ErrClosed)
	require.Empty(t, b.pool.tasks)

	// A call that was let in before the close.
	c := call{ring: p.Ring(), kernels: Scalar(p.Ring()), dst: s, a: s, trusted: true}
	done, err := b.pool.do(t.Context(), c, 200, claimSize{4, 4, 4}, forward)
	require.NoError(t, err)
	require.Equal(t, 200, done)
	require.Empty(t, b.pool.tasks)
}

// TestCloseDuringCalls closes a backend while it is called.
func TestCloseDuringCalls(t *testing.T) {
	for range 30 {
		b, p, _ := opened(t)
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				s := make([]uint64, 50*p.Ring().N())
				for p.Forward(context.Background(), s, s) == nil {
				}
			})
		}
		require.NoError(t, b.Close())
		wg.Wait()
		require.Empty(t, b.pool.tasks)
	}
}
