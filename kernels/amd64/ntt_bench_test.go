package amd64

import (
	"fmt"
	"testing"

	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// The benchmarks are named by key=value paths, for benchstat -col, and report
// the time per polynomial. The width scalar is package ntt.
func benchTransforms(b *testing.B, f func(r *ntt.Ring, x *NTT, dst, src []uint64)) {
	rings := []*ntt.Ring{parse(b, "pulsar"), parse(b, "mldsa"), parse(b, "fhe27"), ringUpTo(b, 4096, 1<<50)}
	for _, r := range rings {
		for _, rows := range []int{1, 64, 65536} {
			if rows*r.N() > 1<<24 {
				continue
			}
			src := random(newRand(1), r, rows)
			dst := make([]uint64, len(src))
			for w := Width(0); w == 0 || widthNames[w] != ""; w++ {
				name := "scalar"
				var x *NTT
				if w != 0 {
					if transformKernels(w) == nil || r.Bits() > transformKernels(w).maxBits {
						continue
					}
					name, x = w.String(), mustNTT(b, r, w)
				}
				b.Run(fmt.Sprintf("ring=%dx%d/rows=%d/width=%s", r.N(), r.Bits(), rows, name), func(b *testing.B) {
					for b.Loop() {
						f(r, x, dst, src)
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(rows), "ns/poly")
				})
			}
		}
	}
}

func BenchmarkForward(b *testing.B) {
	benchTransforms(b, func(r *ntt.Ring, x *NTT, dst, src []uint64) {
		if x == nil {
			_ = r.CheckRange("src", src)
			r.ForwardReduced(dst, src)
		} else {
			x.Forward(dst, src)
		}
	})
}

func BenchmarkInverse(b *testing.B) {
	benchTransforms(b, func(r *ntt.Ring, x *NTT, dst, src []uint64) {
		if x == nil {
			_ = r.CheckRange("src", src)
			r.InverseReduced(dst, src)
		} else {
			x.Inverse(dst, src)
		}
	})
}

func BenchmarkMulAddMont(b *testing.B) {
	benchTransforms(b, func(r *ntt.Ring, x *NTT, dst, src []uint64) {
		if x == nil {
			_ = r.MulAddMont(dst, src, src)
		} else {
			x.MulAddMont(dst, src, src)
		}
	})
}
