package device

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/gpu"
	"github.com/crosspoint-kernels/crosspoint/keccak"
)

func TestMerkleRoot(t *testing.T) {
	for _, c := range cuts {
		h := hasherOf(t, setup(t, newSpy(), hashCuts(c)))
		for _, width := range []int{1, 32, 64, 100} {
			for n := range 71 {
				if testing.Short() && n > 20 && n%16 > 1 {
					continue
				}
				require.NoError(t, roots(h, n, width), "%+v", c)
			}
		}
		require.NoError(t, roots(h, 1000, 32), "%+v", c)
		for _, width := range []int{134, 135, 136, 271, 543, 544, 2000} {
			for _, n := range []int{1, 2, 3, 17, 37} {
				require.NoError(t, roots(h, n, width), "%+v", c)
			}
		}
	}
	for _, width := range []int{1, 64} {
		require.NoError(t, roots(hasherOf(t, setup(t, newSpy(), nil)), 4097, width))
	}
}

// TestTreeSubmissions: what a tree reads back is its root, and its levels are
// dispatches of few submissions.
func TestTreeSubmissions(t *testing.T) {
	f := newSpy()
	h := hasherOf(t, setup(t, f, hashCuts(hashCut{bytes: 4096})))
	for _, d := range []struct{ leaves, submissions, dispatches int }{
		{0, 0, 0}, {1, 1, 1}, {2, 1, 2}, {3, 1, 3}, {70, 1, 8}, {128, 1, 8}, {129, 2, 10}, {1024, 8, 18},
	} {
		before := f.Counts()
		require.NoError(t, roots(h, d.leaves, 32))
		after := f.Counts()
		require.Equal(t, d.submissions, after.Submissions-before.Submissions, "%d leaves", d.leaves)
		require.Equal(t, d.dispatches, after.Dispatches-before.Dispatches, "%d leaves", d.leaves)
		require.Equal(t, 32*min(1, d.leaves), after.ReadBytes-before.ReadBytes, "%d leaves", d.leaves)
	}
}

// TestTreeFailures lets each device call of a tree fail in turn, and ends the
// context at each submission.
func TestTreeFailures(t *testing.T) {
	ctx := context.Background()
	cut := hashCuts(hashCut{bytes: 1024, blocks: 4, subtree: 4})
	for _, width := range []int{200, 1000} { // the latter in two pieces each
		n := 12 - width/200 // in three subtrees or two
		leaves := messages(n * width).Data[1:][:n*width]
		for _, call := range hashOps {
			for k := 1; ; k++ {
				f := newSpy()
				b := setup(t, f, cut)
				h := hasherOf(t, b)
				f.Fail(call, k, gpu.ErrLost)
				root, err := h.MerkleRoot(ctx, leaves, width)
				if err == nil {
					require.Greater(t, k, 1)
					break
				}
				require.ErrorIs(t, err, backends.ErrDeviceLost)
				require.Zero(t, root)
				var e *keccak.Error
				require.ErrorAs(t, err, &e)
				require.Equal(t, "merkleroot", e.Op)
				require.Zero(t, e.Done)
				require.NoError(t, roots(h, n, width), "nothing of the failure sticks")
				require.NoError(t, b.Close())
				require.Zero(t, f.alive(), "leak after failure of %s %d", call, k)
			}
		}
		for k := 0; ; k++ {
			f := newSpy()
			b := setup(t, f, cut)
			h := hasherOf(t, b)
			ctx, cancel := context.WithCancel(ctx)
			submitted := 0
			f.onSubmit = func(*gpu.Work) {
				if submitted++; submitted == k {
					cancel()
				}
			}
			if k == 0 {
				cancel()
			}
			_, err := h.MerkleRoot(ctx, leaves, width)
			cancel()
			if submitted < k {
				require.NoError(t, err)
				break
			}
			require.ErrorIs(t, err, context.Canceled)
			require.Equal(t, k, submitted, "nothing is submitted after the cancellation")
			require.NoError(t, b.Close())
			require.Zero(t, f.alive())
		}
	}
}

// TestTreeMemory: nodes take the memory that the largest tree needs, and a slot
// without a tree has none.
func TestTreeMemory(t *testing.T) {
	f := newSpy()
	h := hasherOf(t, setup(t, f, hashCuts(hashCut{})))
	require.NoError(t, hashes(h, 5))
	require.Nil(t, h.pool.idle[0].tree.nodes[0])
	for _, d := range []struct{ leaves, room int }{{1, 1}, {3, 4}, {100, 128}, {60, 128}} {
		require.NoError(t, roots(h, d.leaves, 1))
		require.Equal(t, d.room, h.pool.idle[0].tree.leaves)
		require.Less(t, h.pool.idle[0].tree.nodes[0].Size(), 32*d.room+1000)
	}
}
