package simd

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/crosspoint-kernels/crosspoint/keccak"
)

// BenchmarkHasher hashes 64 messages with each width and with keccak.Scalar, turn
// about, so that a ratio is of the same moments.
func BenchmarkHasher(b *testing.B) {
	const n = 64
	for _, width := range []int{32, 64, 65, 110, 135, 136, 532} {
		data := randomBytes(rand.New(rand.NewPCG(1, 2)), n*width)
		for _, w := range HasherWidths() {
			b.Run(fmt.Sprintf("len=%d/width=%s", width, w), func(b *testing.B) {
				h, err := NewHasher(HasherOptions{Width: w})
				if err != nil {
					b.Fatal(err)
				}
				defer h.Close()
				dst := make([][32]byte, n)
				times := [2]time.Duration{}
				for b.Loop() {
					for i, x := range []keccak.Hasher{h, keccak.Scalar()} {
						start := time.Now()
						if err := x.SumFixed(b.Context(), dst, data, width); err != nil {
							b.Fatal(err)
						}
						times[i] += time.Since(start)
					}
				}
				b.ReportMetric(float64(times[0].Nanoseconds())/float64(b.N*n), "ns/hash")
				b.ReportMetric(times[0].Seconds()/times[1].Seconds(), "of-scalar")
			})
		}
	}
}
