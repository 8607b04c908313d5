package simd

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/crosspoint-kernels/crosspoint/backends"
)

// BenchmarkTwoThreads compares one call on two threads with two goroutines that have
// half of its rows each, and a plan on one thread, turn about. The metric is the
// throughput of the call as a part of theirs.
func BenchmarkTwoThreads(b *testing.B) {
	for _, rows := range []int{64, 256, 1024, 4096, 65536} {
		b.Run(fmt.Sprintf("ring=pulsar/rows=%d", rows), func(b *testing.B) {
			one, two := planAt(b, Widths()[0], 1, "pulsar"), planAt(b, Widths()[0], 2, "pulsar")
			x := coefficients(one.Ring(), rows)
			half := len(x) / 2
			repeat := max(1, 65536/rows) // so that to start and to end two goroutines weighs little
			apart := func() {
				var wg sync.WaitGroup
				for _, s := range [][]uint64{x[:half], x[half:]} {
					wg.Go(func() { forwardInPlace(b, one, s, repeat) })
				}
				wg.Wait()
			}
			var times [2]time.Duration
			for b.Loop() {
				for i, f := range []func(){func() { forwardInPlace(b, two, x, repeat) }, apart} {
					start := time.Now()
					f()
					times[i] += time.Since(start)
				}
			}
			n := float64(b.N * repeat * rows)
			b.ReportMetric(float64(times[0].Nanoseconds())/n, "ns/row")
			b.ReportMetric(times[1].Seconds()/times[0].Seconds(), "of-two-goroutines")
		})
	}
}

func forwardInPlace(b *testing.B, p backends.Plan, s []uint64, repeat int) {
	for range repeat {
		if err := p.Forward(context.Background(), s, s); err != nil {
			b.Error(err)
			return
		}
	}
}

// BenchmarkForward is a call in place at every width, and how many times faster it
// is than the scalar kernel, turn about.
func BenchmarkForward(b *testing.B) {
	for _, ring := range []string{"pulsar", "mldsa", "fhe27", "4096,0x3ffffffffc001"} {
		for _, rows := range []int{1, 64} {
			for _, w := range Widths() {
				b.Run(fmt.Sprintf("ring=%s/rows=%d/width=%s", ring, rows, w), func(b *testing.B) {
					p, scalar := planAt(b, w, 1, ring), planAt(b, Scalar, 1, ring)
					x := coefficients(p.Ring(), rows)
					var times [2]time.Duration
					for b.Loop() {
						for i, q := range []backends.Plan{p, scalar} {
							start := time.Now()
							forwardInPlace(b, q, x, 10)
							times[i] += time.Since(start)
						}
					}
					b.ReportMetric(float64(times[0].Nanoseconds())/float64(b.N*10*rows), "ns/row")
					b.ReportMetric(times[0].Seconds()/times[1].Seconds(), "of-scalar")
				})
			}
		}
	}
}

// BenchmarkProduct is a matrix product of resident batches: Ringtail's Round 1.
func BenchmarkProduct(b *testing.B) {
	const m, k, n = 8, 7, 49
	for _, w := range Widths() {
		b.Run(fmt.Sprintf("width=%s", w), func(b *testing.B) {
			p, scalar := planAt(b, w, 1, "pulsar"), planAt(b, Scalar, 1, "pulsar")
			var times [2]time.Duration
			var runs [2]func() error
			for i, q := range []backends.Plan{p, scalar} {
				var batches [3]backends.Batch
				for j, rows := range []int{m * n, m * k, k * n} {
					x, err := q.NewBatch(rows)
					if err == nil {
						err = x.Write(b.Context(), 0, coefficients(q.Ring(), rows))
					}
					if err != nil {
						b.Fatal(err)
					}
					batches[j] = x
				}
				runs[i] = func() error {
					return batches[0].MatMulAddMont(context.Background(), batches[1], batches[2], m, k, n)
				}
			}
			for b.Loop() {
				for i, run := range runs {
					start := time.Now()
					if err := run(); err != nil {
						b.Fatal(err)
					}
					times[i] += time.Since(start)
				}
			}
			b.ReportMetric(times[0].Seconds()/times[1].Seconds(), "of-scalar")
		})
	}
}
