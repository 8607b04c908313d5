package pipeline

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/crosspoint-kernels/crosspoint/blockstm"
)

// BenchmarkSort is what serialLeaves was chosen by.
func BenchmarkSort(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := 512; n <= 32768; n *= 2 {
		l := &leaves{paths: make([][32]byte, n), values: make([][32]byte, n)}
		for i := range l.paths {
			fillRandom(r, l.paths[i][:])
			l.values[i][31] = 1
		}
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("leaves=%d/workers=%d", n, workers), func(b *testing.B) {
				var s sorter
				for b.Loop() {
					s.sort(l, workers)
				}
			})
		}
	}
}

// BenchmarkGather is what serialGather was chosen by.
func BenchmarkGather(b *testing.B) {
	for n := 512; n <= 32768; n *= 2 {
		out, err := blockstm.Sequential(b.Context(), &blockstm.Block[uint64, uint64, struct{}]{
			N: 1,
			Run: func(v blockstm.View[uint64, uint64], _ int) (struct{}, error) {
				for k := range n {
					v.Put(uint64(k), 1)
				}
				return struct{}{}, nil
			},
		})
		if err != nil {
			b.Fatal(err)
		}
		for _, workers := range []int{1, 2} {
			o := Options[uint64, uint64]{Workers: workers, Key: func(k uint64) [32]byte { return [32]byte{byte(k), byte(k >> 8)} },
				Value: func(v uint64) [32]byte { return [32]byte{byte(v)} }}
			b.Run(fmt.Sprintf("keys=%d/workers=%d", n, workers), func(b *testing.B) {
				var l leaves
				for b.Loop() {
					l.reset()
					gather(&l, out, o)
				}
			})
		}
	}
}
