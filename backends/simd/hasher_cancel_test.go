package simd

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/keccak"
)

// countdown is a context that is cancelled after it was looked at n times.
type countdown struct {
	context.Context
	n atomic.Int64
}

func (c *countdown) Err() error {
	if c.n.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// TestHasherCancelled cancels after every number of chunks: Done digests are final,
// and the others are untouched.
func TestHasherCancelled(t *testing.T) {
	const n = 7000
	r := rand.New(rand.NewPCG(9, 10))
	messages := make([][]byte, n)
	want := make([][32]byte, n)
	for i := range messages {
		messages[i] = randomBytes(r, r.IntN(280))
		want[i] = keccak.Sum256(messages[i])
	}
	m := batchOf(t, messages...)
	everyWidth(t, func(t *testing.T, h *Hasher) {
		for looks := int64(0); ; looks++ {
			ctx := &countdown{Context: t.Context()}
			ctx.n.Store(looks)
			dst := untouched(n)
			err := h.Sum256(ctx, dst, m)
			if err == nil {
				require.True(t, slices.Equal(want, dst))
				require.Greater(t, looks, int64(5))
				return
			}
			var e *keccak.Error
			require.ErrorAs(t, err, &e)
			require.ErrorIs(t, err, context.Canceled)
			require.Less(t, e.Done, n)
			require.True(t, slices.Equal(want[:e.Done], dst[:e.Done]))
			require.True(t, slices.Equal(untouched(n)[e.Done:], dst[e.Done:]))
		}
	})
}

func TestHasherCancelledBefore(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	everyWidth(t, func(t *testing.T, h *Hasher) {
		for _, n := range []int{0, 1, 1000} {
			dst := untouched(n)
			require.ErrorIs(t, h.SumFixed(ctx, dst, make([]byte, n), 1), context.Canceled)
			require.Equal(t, untouched(n), dst)
			_, err := h.MerkleRoot(ctx, make([]byte, n), 1)
			require.ErrorIs(t, err, context.Canceled)
		}
	})
}
