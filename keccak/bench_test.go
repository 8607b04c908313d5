package keccak

import (
	"fmt"
	"testing"
)

// lengths are a digest, two of them, the longest message of one block, the
// shortest of two, a full branch of an Ethereum trie and a page.
var lengths = []int{32, 64, 135, 136, 532, 4096}

func BenchmarkPermute(b *testing.B) {
	var a lanes
	for name, f := range map[string]func(){"unrolled": a.permute, "reference": a.permuteReference} {
		b.Run("impl="+name, func(b *testing.B) {
			for b.Loop() {
				f()
			}
		})
	}
}

func BenchmarkSum256(b *testing.B) {
	for _, n := range lengths {
		b.Run(fmt.Sprintf("len=%d", n), func(b *testing.B) {
			msg := message(n)
			b.SetBytes(int64(n))
			for b.Loop() {
				Sum256(msg)
			}
		})
	}
}

// BenchmarkState writes records of a key and a value, as a flat root does.
func BenchmarkState(b *testing.B) {
	msg := message(64)
	var s State
	b.SetBytes(64)
	for b.Loop() {
		s.Write(msg[:32])
		s.Write(msg[32:])
	}
}

func BenchmarkHasher(b *testing.B) {
	for name, h := range map[string]Hasher{"scalar": Scalar(), "parallel": NewParallel(0)} {
		for _, n := range []int{1, 64, 128, 256, 1024, 16384} {
			b.Run(fmt.Sprintf("hasher=%s/len=64/n=%d", name, n), func(b *testing.B) {
				data, dst := message(64*n), make([][32]byte, n)
				b.SetBytes(int64(64 * n))
				for b.Loop() {
					if err := h.SumFixed(b.Context(), dst, data, 64); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
		h.Close()
	}
}
