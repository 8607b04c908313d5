package keccak

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/cloudflare/circl/simd/keccakf1600"
	"github.com/stretchr/testify/require"
)

func TestPermuteKnownAnswer(t *testing.T) {
	var a, b lanes
	for i := range permuted {
		a.permute()
		b.permuteReference()
		require.Equal(t, permuted[i], a)
		require.Equal(t, permuted[i], b)
	}
}

// checkPermute compares the two permutations and circl's on a.
func checkPermute(t *testing.T, a lanes) {
	t.Helper()
	want := a
	want.permuteReference()
	got := a
	got.permute()
	require.Equal(t, want, got)

	var four keccakf1600.StateX4
	state := four.Initialize(false)
	for i := range a {
		state[4*i+1] = a[i]
	}
	four.Permute()
	for i := range a {
		require.Equal(t, want[i], state[4*i+1])
	}
}

// TestPermute tries states of one bit, of all but one, of one lane full or
// empty, and random ones.
func TestPermute(t *testing.T) {
	var zero, full lanes
	for i := range full {
		full[i] = ^uint64(0)
	}
	checkPermute(t, zero)
	checkPermute(t, full)
	for bit := range 1600 {
		one, others := zero, full
		one[bit/64] ^= 1 << (bit % 64)
		others[bit/64] ^= 1 << (bit % 64)
		checkPermute(t, one)
		checkPermute(t, others)
	}
	for i := range zero {
		one, others := zero, full
		one[i], others[i] = full[i], zero[i]
		checkPermute(t, one)
		checkPermute(t, others)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var a lanes
		for i := range a {
			a[i] = r.Uint64()
		}
		checkPermute(t, a)
	}
}

func FuzzPermute(f *testing.F) {
	f.Add([]byte{})
	f.Add(message(200))
	f.Fuzz(func(t *testing.T, p []byte) {
		var a lanes
		var b [200]byte
		copy(b[:], p)
		for i := range a {
			a[i] = binary.LittleEndian.Uint64(b[8*i:])
		}
		checkPermute(t, a)
	})
}
