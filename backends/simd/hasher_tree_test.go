package simd

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/keccak"
)

// mth is MTH of RFC 6962, section 2.1, with Keccak-256.
func mth(leaves []byte, width int) [32]byte {
	n := len(leaves) / width
	switch n {
	case 0:
		return keccak.Sum256(nil)
	case 1:
		return keccak.Sum256(slices.Concat([]byte{0}, leaves))
	}
	k := 1
	for 2*k < n {
		k *= 2
	}
	left, right := mth(leaves[:k*width], width), mth(leaves[k*width:], width)
	return keccak.Sum256(slices.Concat([]byte{1}, left[:], right[:]))
}

func TestMerkleRoot(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	type tree struct {
		n, width int
		leaves   []byte
		want     [32]byte
	}
	var trees []tree
	add := func(n, width int) {
		leaves := randomBytes(r, n*width)
		trees = append(trees, tree{n, width, leaves, mth(leaves, width)})
	}
	for n := range 70 {
		add(n, 64)
	}
	for _, n := range []int{1023, 1024, 1025, 4097, 9999} {
		add(n, 32)
	}
	for _, width := range []int{1, 63, 134, 135, 136, 271, 543, 544, 545, 5000} {
		for _, n := range []int{1, 2, 3, 8, 9, 65, 70} {
			add(n, width)
		}
	}
	everyWidth(t, func(t *testing.T, h *Hasher) {
		for _, x := range trees {
			before := slices.Clone(x.leaves)
			got, err := h.MerkleRoot(t.Context(), x.leaves, x.width)
			require.NoError(t, err)
			require.Equal(t, x.want, got, "%d leaves of %d bytes", x.n, x.width)
			require.True(t, slices.Equal(before, x.leaves))
		}
	})
}
