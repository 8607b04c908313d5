package stateroot

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// buildNodes returns the root and the nodes of the trie over pairs.
func buildNodes(t testing.TB, pairs []Pair) ([32]byte, *MemNodes) {
	nodes := new(MemNodes)
	root, err := MPT(context.Background(), pairs, Options{Workers: 1, Emit: nodes.Put})
	require.NoError(t, err)
	return root, nodes
}

func TestUpdateAgainstRebuild(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for trial := range 3000 {
		pairs := randomPairs(r, r.IntN(1+r.IntN(300)))
		cut := 0
		if len(pairs) > 0 {
			cut = r.IntN(len(pairs))
		}
		root, nodes := buildNodes(t, pairs[:cut])
		u := NewUpdater(nodes, Options{Workers: 1 + r.IntN(3)})
		for cut < len(pairs) {
			n := min(len(pairs)-cut, 1+r.IntN(50))
			next, written, err := u.Update(context.Background(), root, pairs[cut:cut+n])
			require.NoError(t, err)
			nodes.Apply(written)
			cut += n
			want, wantNodes := buildNodes(t, pairs[:cut])
			require.Equal(t, want, next, "trial %d", trial)
			require.True(t, wantNodes.Equal(nodes), "trial %d", trial)
			root = next
		}
	}
}
