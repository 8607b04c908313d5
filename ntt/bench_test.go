package ntt

import (
	"fmt"
	"testing"
)

// The benchmarks are named by key=value paths, for benchstat -col, and report
// the time per polynomial.

// benchRings are the named rings and two of homomorphic encryption's size, one
// for each kind of kernel.
func benchRings(b *testing.B) map[string]*Ring {
	rings := map[string]*Ring{
		"4096x55": mustRing(b, 4096, primeUpTo(1<<55, 4096)),
		"4096x61": mustRing(b, 4096, primeUpTo(1<<61-1, 4096)),
	}
	for _, name := range Names() {
		rings[name] = mustParse(b, name)
	}
	return rings
}

func benchRows(b *testing.B, f func(r *Ring, dst, x, y []uint64) error) {
	for name, r := range benchRings(b) {
		for _, rows := range []int{1, 64} {
			b.Run(fmt.Sprintf("ring=%s/rows=%d", name, rows), func(b *testing.B) {
				rng := newRand(13)
				dst, x, y := randomRows(r, rng, rows), randomRows(r, rng, rows), randomRows(r, rng, rows)
				for b.Loop() {
					if err := f(r, dst, x, y); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(rows), "ns/poly")
			})
		}
	}
}

func BenchmarkForward(b *testing.B) {
	benchRows(b, func(r *Ring, dst, x, _ []uint64) error { return r.Forward(dst, x) })
}

func BenchmarkInverse(b *testing.B) {
	benchRows(b, func(r *Ring, dst, x, _ []uint64) error { return r.Inverse(dst, x) })
}

func BenchmarkMul(b *testing.B) { benchRows(b, (*Ring).Mul) }

func BenchmarkMulAdd(b *testing.B) { benchRows(b, (*Ring).MulAdd) }

func BenchmarkMulMont(b *testing.B) { benchRows(b, (*Ring).MulMont) }

func BenchmarkMulAddMont(b *testing.B) { benchRows(b, (*Ring).MulAddMont) }

func BenchmarkMForm(b *testing.B) {
	benchRows(b, func(r *Ring, dst, x, _ []uint64) error { return r.MForm(dst, x) })
}

// BenchmarkGeneric is the textbook transform, for comparison.
func BenchmarkGeneric(b *testing.B) {
	benchRows(b, func(r *Ring, dst, x, _ []uint64) error {
		directions[0].reference(r, dst, x)
		return nil
	})
}

func BenchmarkNewRing(b *testing.B) {
	for _, n := range []int{256, 65536} {
		b.Run(fmt.Sprintf("N=%d", n), func(b *testing.B) {
			q := primeUpTo(1<<61-1, n)
			for b.Loop() {
				mustRing(b, n, q)
			}
		})
	}
}
