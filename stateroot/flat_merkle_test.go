package stateroot

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/keccak"
)

// refEntries applies the entries in order and returns key ‖ value of what is left.
func refEntries(s State) [][]byte {
	set := map[[32]byte][32]byte{}
	for _, e := range s {
		set[e.Key] = e.Value
	}
	var list [][]byte
	for k, v := range set {
		if v != [32]byte{} {
			list = append(list, slices.Concat(k[:], v[:]))
		}
	}
	slices.SortFunc(list, slices.Compare)
	return list
}

// refMerkle is the tree hash of RFC 6962, section 2.1, by its recursion.
func refMerkle(leaves [][]byte) [32]byte {
	switch len(leaves) {
	case 0:
		return keccak.Sum256(nil)
	case 1:
		return keccak.Sum256(slices.Concat([]byte{0}, leaves[0]))
	}
	k := 1 // the largest power of two below the number of leaves
	for 2*k < len(leaves) {
		k *= 2
	}
	left, right := refMerkle(leaves[:k]), refMerkle(leaves[k:])
	return keccak.Sum256(slices.Concat([]byte{1}, left[:], right[:]))
}

func TestFlatAndMerkleAgainstReference(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	one, two := NewBuilder(Options{Workers: 1}), eagerBuilder(Options{Workers: 2})
	for n := range 140 {
		s := randomState(r, n)
		if n%3 == 0 {
			s = slices.Clone(one.ordered(s)) // in order already
		}
		before := slices.Clone(s)
		entries := refEntries(s)
		for _, b := range []*Builder{one, two} {
			got, err := b.Flat(ctx, s)
			require.NoError(t, err)
			require.Equal(t, keccak.Sum256(slices.Concat(entries...)), got, "flat %d", n)
			got, err = b.Merkle(ctx, s)
			require.NoError(t, err)
			require.Equal(t, refMerkle(entries), got, "merkle %d", n)
		}
		require.Equal(t, before, s, "the input was changed")
	}
}

// treeHasher computes Merkle roots by the reference.
type treeHasher struct {
	*counter
	trees int
}

func (h *treeHasher) MerkleRoot(_ context.Context, leaves []byte, width int) ([32]byte, error) {
	h.trees++
	return refMerkle(slices.Collect(slices.Chunk(leaves, width))), nil
}

func TestMerkleUsesTreeHasher(t *testing.T) {
	s := randomState(rand.New(rand.NewPCG(17, 18)), 500)
	n := len(refEntries(s))
	want, err := Merkle(ctx, s, Options{})
	require.NoError(t, err)
	for _, c := range []struct{ threshold, trees int }{{n, 1}, {n + 1, 0}} {
		big := &treeHasher{counter: newCounter()}
		got, err := Merkle(ctx, s, Options{Big: big, Threshold: c.threshold})
		require.NoError(t, err)
		require.Equal(t, want, got)
		require.Equal(t, c.trees, big.trees)
		require.Zero(t, big.calls)
	}
}

func TestMakeKey(t *testing.T) {
	entity := [24]byte{0: 0xaa, 23: 0xbb}
	key, err := MakeKey(7, entity, 0x0102030405060708>>8)
	require.NoError(t, err)
	require.Equal(t, slices.Concat([]byte{7}, entity[:], []byte{1, 2, 3, 4, 5, 6, 7}), key[:])
	_, err = MakeKey(7, entity, 1<<56-1)
	require.NoError(t, err)
	_, err = MakeKey(7, entity, 1<<56)
	require.ErrorIs(t, err, ErrSlot)
}
