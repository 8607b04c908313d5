package stateroot

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// randomPairs returns n operations on keys that share prefixes, are prefixes of
// each other, repeat and are deleted, with values on both sides of the length at
// which a node is embedded.
func randomPairs(r *rand.Rand, n int) []Pair {
	pairs := make([]Pair, n)
	width := 1 + r.IntN(6)
	fixed := r.IntN(2) == 0
	mask := []byte{0xff, 0x33, 0x11, 0x0f}[r.IntN(4)]
	longest := []int{3, 12, 40, 300}[r.IntN(4)]
	deletes := r.IntN(2) == 0
	for i := range pairs {
		l := width
		if !fixed {
			l = r.IntN(width + 1)
		}
		key := make([]byte, l)
		for k := range key {
			key[k] = byte(r.Uint32()) & mask
		}
		value := make([]byte, 1+r.IntN(longest))
		for k := range value {
			value[k] = byte(r.Uint32())
		}
		pairs[i] = Pair{key, value}
		if deletes && r.IntN(4) == 0 {
			pairs[i].Value = nil
		}
	}
	return pairs
}

func TestMPTAgainstReference(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	one := NewBuilder(Options{Workers: 1})
	three := NewBuilder(Options{Workers: 3})
	three.maxBatch = 200
	three.shape.minSpan = 0
	for trial := range 3000 {
		pairs := randomPairs(r, r.IntN(1+r.IntN(300)))
		want := refRoot(pairs)
		for _, b := range []*Builder{one, three} {
			got, err := b.MPT(context.Background(), pairs)
			require.NoError(t, err)
			require.Equal(t, want, got, "trial %d", trial)
		}
	}
}
