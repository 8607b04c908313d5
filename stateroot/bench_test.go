package stateroot

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/crosspoint-kernels/crosspoint/keccak"
)

func BenchmarkMPT(b *testing.B) {
	for _, n := range []int{1000, 50_000} {
		pairs := generated("account", n)
		b.Run(fmt.Sprintf("accounts=%d/workers=1", n), func(b *testing.B) {
			builder := NewBuilder(Options{Workers: 1})
			b.ReportAllocs()
			for b.Loop() {
				builder.MPT(ctx, pairs)
			}
		})
	}
}

func BenchmarkUpdate(b *testing.B) {
	const n = 50_000
	pairs := generated("account", n)
	root, nodes := buildNodes(b, pairs)
	r := rand.New(rand.NewPCG(1, 1))
	var changes []Pair
	for _, i := range r.Perm(n)[:n/100] {
		changes = append(changes, Pair{pairs[i].Key, append([]byte{1}, pairs[i].Value...)})
	}
	u := NewUpdater(nodes, Options{Workers: 1})
	b.ReportAllocs()
	for b.Loop() {
		u.Update(ctx, root, changes)
	}
}

// BenchmarkThreshold is what DefaultThreshold weighs against the fixed cost of a
// device: the time of that many nodes on a CPU.
func BenchmarkThreshold(b *testing.B) {
	const width = 110 // of an account's leaf, about
	data := make([]byte, DefaultThreshold*width)
	dst := make([][32]byte, DefaultThreshold)
	h := keccak.Scalar()
	for b.Loop() {
		h.SumFixed(ctx, dst, data, width)
	}
}
