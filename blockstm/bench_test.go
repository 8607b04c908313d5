package blockstm

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"time"
)

// The benchmarks run transactions of about five accesses each, with busy work
// between the reads and the writes that stands for a virtual machine's.

type bKey struct{ space, id uint64 }

type benchBlock struct {
	block *Block[bKey, uint64, uint64]
	base  map[bKey]uint64
}

// busy is a chain of dependent multiplications, about 1.3 ns a round.
func busy(x uint64, rounds int) uint64 {
	for range rounds {
		x = x*0x9e3779b97f4a7c15 + 1
	}
	return x
}

const busyPerTx = 18000 // about 25 us on a 4 GHz core

// newBenchBlock makes n transactions, of which 60 % move from one account to
// another, 15 % sweep an account to another, 15 % add to a counter and 10 % swap
// in a pool. conflict, in percent, is how often a transaction uses one of a few
// hot keys of its kind.
func newBenchBlock(n, conflict, rounds int, deltas bool) *benchBlock {
	r := rand.New(rand.NewPCG(1, uint64(conflict)))
	type plan struct {
		kind uint8
		a, b bKey
	}
	key := func(space uint64) bKey {
		if r.IntN(100) < conflict {
			return bKey{space, r.Uint64N(8)}
		}
		return bKey{space, 8 + r.Uint64N(1<<18)}
	}
	plans := make([]plan, n)
	base := map[bKey]uint64{}
	for i := range plans {
		p := &plans[i]
		switch x := r.IntN(100); {
		case x < 60:
			p.kind, p.a, p.b = 0, key(0), key(0)
		case x < 75:
			p.kind, p.a, p.b = 1, key(0), key(0)
		case x < 90:
			p.kind, p.a = 2, key(1)
		default:
			p.kind, p.a = 3, key(2)
			p.b = bKey{3, p.a.id}
		}
		base[p.a] = 1000
		base[p.b] = 1000
	}
	sum := func(a, d uint64) (uint64, bool) { return a + d, true }
	return &benchBlock{base: base, block: &Block[bKey, uint64, uint64]{
		N:     n,
		Equal: func(a, b uint64) bool { return a == b },
		Sum:   sum,
		Base: BaseFunc[bKey, uint64](func(k bKey) (uint64, bool, error) {
			v, ok := base[k]
			return v, ok, nil
		}),
		Run: func(v View[bKey, uint64], tx int) (uint64, error) {
			p := &plans[tx]
			if p.kind == 2 {
				if deltas {
					h := busy(uint64(tx), rounds)
					v.Add(p.a, 1)
					return h, nil
				}
				x, _ := v.Get(p.a)
				h := busy(x, rounds)
				v.Put(p.a, x+1)
				return h, nil
			}
			x, _ := v.Get(p.a)
			y, _ := v.Get(p.b)
			h := busy(x^y, rounds)
			switch p.kind {
			case 0:
				v.Put(p.a, x-1)
				v.Put(p.b, y+1)
			case 1:
				if x%2 == 0 {
					v.Put(p.b, y+x)
					v.Put(p.a, 0)
				} else {
					v.Put(p.a, x+1)
				}
			case 3:
				v.Put(p.a, x+y%7)
				v.Put(p.b, y-y%7)
			}
			return h, nil
		},
	}}
}

func oneSlot(n, rounds int) *Block[bKey, uint64, uint64] {
	return &Block[bKey, uint64, uint64]{
		N:     n,
		Equal: func(a, b uint64) bool { return a == b },
		Run: func(v View[bKey, uint64], tx int) (uint64, error) {
			x, _ := v.Get(bKey{})
			h := busy(x, rounds)
			v.Put(bKey{}, x+1)
			return h, nil
		},
	}
}

func benchRun(b *testing.B, block *Block[bKey, uint64, uint64], o Options[bKey, uint64]) {
	ctx := context.Background()
	o.Small = -1
	e := New[bKey, uint64, uint64](o)
	execute := func() Stats {
		out, err := e.Execute(ctx, block)
		if err != nil {
			b.Fatal(err)
		}
		return out.Stats
	}
	execute()
	b.ReportAllocs()
	b.ResetTimer()
	var s Stats
	for range b.N {
		s = execute()
	}
	n := float64(block.N)
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/tx")
	b.ReportMetric(float64(s.Executions)/n, "execs/tx")
	b.ReportMetric(float64(s.Suspensions)/n, "waits/tx")
	b.ReportMetric(float64(s.Throttled)/n, "throttled/tx")
}

func BenchmarkSequential(b *testing.B) {
	for _, rounds := range []int{0, busyPerTx} {
		for _, conflict := range []int{0, 10, 50, 100} {
			b.Run(fmt.Sprintf("rounds=%d/conflict=%d", rounds, conflict), func(b *testing.B) {
				block := newBenchBlock(20000, conflict, rounds, false).block
				for range b.N {
					if _, err := Sequential(context.Background(), block); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/20000, "ns/tx")
			})
		}
	}
}

func BenchmarkExecute(b *testing.B) {
	for _, rounds := range []int{0, busyPerTx} {
		for _, conflict := range []int{0, 10, 50, 100} {
			for _, workers := range []int{1, 2} {
				b.Run(fmt.Sprintf("rounds=%d/conflict=%d/workers=%d", rounds, conflict, workers), func(b *testing.B) {
					benchRun(b, newBenchBlock(20000, conflict, rounds, false).block, Options[bKey, uint64]{Workers: workers})
				})
			}
		}
	}
}

// BenchmarkRatios measures sequential, parallel and the control in turns, and
// reports the medians' ratios. The control is goroutines that run disjoint parts
// of the transactions without an executor.
func BenchmarkRatios(b *testing.B) {
	const n = 4000
	cases := []struct {
		name    string
		block   *Block[bKey, uint64, uint64]
		workers int
	}{}
	for _, c := range []int{0, 10, 50, 100} {
		for _, w := range []int{1, 2} {
			cases = append(cases, struct {
				name    string
				block   *Block[bKey, uint64, uint64]
				workers int
			}{fmt.Sprintf("conflict=%d/workers=%d", c, w), newBenchBlock(n, c, busyPerTx, false).block, w})
		}
	}
	cases = append(cases, struct {
		name    string
		block   *Block[bKey, uint64, uint64]
		workers int
	}{"deltas/workers=2", newBenchBlock(n, 100, busyPerTx, true).block, 2})
	for _, w := range []int{2, 8} {
		cases = append(cases, struct {
			name    string
			block   *Block[bKey, uint64, uint64]
			workers int
		}{fmt.Sprintf("oneslot/workers=%d", w), oneSlot(n, busyPerTx), w})
	}
	for _, c := range cases {
		b.Run(c.name, func(b *testing.B) {
			ctx := context.Background()
			e := New[bKey, uint64, uint64](Options[bKey, uint64]{Workers: c.workers, Small: -1})
			var seq, par, ctl []float64
			var stats Stats
			for range max(b.N, 5) {
				t0 := time.Now()
				if _, err := Sequential(ctx, c.block); err != nil {
					b.Fatal(err)
				}
				t1 := time.Now()
				out, err := e.Execute(ctx, c.block)
				if err != nil {
					b.Fatal(err)
				}
				stats = out.Stats
				t2 := time.Now()
				control(c.block, min(c.workers, runtime.GOMAXPROCS(0)))
				t3 := time.Now()
				seq = append(seq, t1.Sub(t0).Seconds())
				par = append(par, t2.Sub(t1).Seconds())
				ctl = append(ctl, t3.Sub(t2).Seconds())
			}
			s, p, c := median(seq), median(par), median(ctl)
			b.ReportMetric(s/p, "x-seq")
			b.ReportMetric(c/p, "x-control")
			b.ReportMetric((p-s)/n*1e9, "over-ns/tx")
			b.ReportMetric(float64(stats.Executions)/n, "execs/tx")
			b.ReportMetric(float64(stats.Suspensions)/n, "waits/tx")
			b.ReportMetric(float64(stats.Throttled)/n, "throttled/tx")
		})
	}
}

// control runs disjoint parts of the block with Sequential's view.
func control(block *Block[bKey, uint64, uint64], workers int) {
	var wg sync.WaitGroup
	for w := range workers {
		part := *block
		from, to := block.N*w/workers, block.N*(w+1)/workers
		part.N = to - from
		part.Run = func(v View[bKey, uint64], tx int) (uint64, error) { return block.Run(v, from+tx) }
		wg.Go(func() {
			if _, err := Sequential(context.Background(), &part); err != nil {
				panic(err)
			}
		})
	}
	wg.Wait()
}

func median(x []float64) float64 {
	y := append([]float64(nil), x...)
	for i := range y {
		for j := i; j > 0 && y[j] < y[j-1]; j-- {
			y[j], y[j-1] = y[j-1], y[j]
		}
	}
	return y[len(y)/2]
}

// BenchmarkMillion runs a block of 1,000,000 transactions on a new Executor, and
// reports the memory that it takes from the system, the block itself left out,
// and what it allocates.
func BenchmarkMillion(b *testing.B) {
	const n = 1_000_000
	block := newBenchBlock(n, 0, 0, false).block
	runtime.GC()
	b.ResetTimer()
	var before, after runtime.MemStats
	for range b.N {
		runtime.ReadMemStats(&before)
		out, err := New[bKey, uint64, uint64](Options[bKey, uint64]{Workers: 2, NoThrottle: true}).Execute(context.Background(), block)
		if err != nil {
			b.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		if out.Stats.Validations < n {
			b.Fatal("too few validations")
		}
	}
	b.ReportMetric(float64(after.HeapSys-before.HeapSys)/(1<<20), "MiB-sys")
	b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/n, "B/tx")
	b.ReportMetric(float64(after.Mallocs-before.Mallocs)/n, "allocs/tx")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/tx")
}

// BenchmarkSmall shows from which size of block more than one worker pays.
func BenchmarkSmall(b *testing.B) {
	for _, rounds := range []int{0, 800, busyPerTx} {
		for _, n := range []int{2, 4, 8, 16, 32, 64} {
			block := newBenchBlock(n, 0, rounds, false).block
			b.Run(fmt.Sprintf("rounds=%d/n=%d/sequential", rounds, n), func(b *testing.B) {
				for range b.N {
					if _, err := Sequential(context.Background(), block); err != nil {
						b.Fatal(err)
					}
				}
			})
			b.Run(fmt.Sprintf("rounds=%d/n=%d/workers=2", rounds, n), func(b *testing.B) {
				e := New[bKey, uint64, uint64](Options[bKey, uint64]{Workers: 2, Small: -1})
				for range b.N {
					if _, err := e.Execute(context.Background(), block); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
