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
	everyWidth(t, func(t *testing.T, h *Hasher) {
		r := rand.New(rand.NewPCG(1, 2))
		for n := range 70 {
			checkRoot(t, h, r, n, 64)
		}
		for _, n := range []int{1023, 1024, 1025, 4097, 9999} {
			checkRoot(t, h, r, n, 32)
		}
		for _, width := range []int{1, 63, 134, 135, 136, 271, 543, 544, 545, 5000} {
			for _, n := range []int{1, 2, 3, 8, 9, 65, 70} {
				checkRoot(t, h, r, n, width)
			}
		}
	})
}

func checkRoot(t *testing.T, h *Hasher, r *rand.Rand, n, width int) {
	t.Helper()
	leaves := randomBytes(r, n*width)
	want := mth(leaves, width)
	before := slices.Clone(leaves)
	got, err := h.MerkleRoot(t.Context(), leaves, width)
	require.NoError(t, err)
	require.Equal(t, want, got, "%d leaves of %d bytes", n, width)
	require.True(t, slices.Equal(before, leaves))
}
