//go:build linux

package blockstm

import (
	"context"
	"syscall"
	"testing"
	"time"
)

// BenchmarkLatency runs transactions that each read the base state twice, where
// a read blocks an OS thread for about 100 us, as a database would.
func BenchmarkLatency(b *testing.B) {
	const n = 2000
	read := func() {
		t := syscall.NsecToTimespec(100_000)
		_ = syscall.Nanosleep(&t, nil)
	}
	block := &Block[bKey, uint64, uint64]{
		N: n,
		Base: BaseFunc[bKey, uint64](func(k bKey) (uint64, bool, error) {
			read()
			return k.id, true, nil
		}),
		Run: func(v View[bKey, uint64], tx int) (uint64, error) {
			x, _ := v.Get(bKey{0, uint64(tx)})
			y, _ := v.Get(bKey{1, uint64(tx)})
			v.Put(bKey{0, uint64(tx)}, x+y)
			return 0, nil
		},
	}
	t0 := time.Now()
	for range 200 {
		read()
	}
	one := time.Since(t0) / 200
	e := New[bKey, uint64, uint64](Options[bKey, uint64]{Workers: 64})
	b.ResetTimer()
	var stats Stats
	for range b.N {
		out, err := e.Execute(context.Background(), block)
		if err != nil {
			b.Fatal(err)
		}
		stats = out.Stats
	}
	tx := b.Elapsed() / time.Duration(b.N*n)
	b.ReportMetric(float64(one.Microseconds()), "us/read")
	b.ReportMetric(float64(tx.Nanoseconds())/1e3, "us/tx")
	b.ReportMetric(float64(2*one)/float64(tx), "x-seq")
	b.ReportMetric(float64(stats.Throttled)/n, "throttled/tx")
}

// BenchmarkOneSlot compares the wall and processor time of a chain on many
// workers with Sequential's, in turns.
func BenchmarkOneSlot(b *testing.B) {
	const n = 4000
	block := oneSlot(n, busyPerTx)
	e := New[bKey, uint64, uint64](Options[bKey, uint64]{Workers: 8})
	var seq, par, seqCPU, parCPU []float64
	var stats Stats
	for range max(b.N, 5) {
		t0, c0 := time.Now(), cpuTime()
		if _, err := Sequential(context.Background(), block); err != nil {
			b.Fatal(err)
		}
		t1, c1 := time.Now(), cpuTime()
		out, err := e.Execute(context.Background(), block)
		if err != nil {
			b.Fatal(err)
		}
		stats = out.Stats
		t2, c2 := time.Now(), cpuTime()
		seq, par = append(seq, t1.Sub(t0).Seconds()), append(par, t2.Sub(t1).Seconds())
		seqCPU, parCPU = append(seqCPU, c1-c0), append(parCPU, c2-c1)
	}
	b.ReportMetric(median(seq)/median(par), "x-seq")
	b.ReportMetric(median(parCPU)/median(seqCPU), "cpu-x-seq")
	b.ReportMetric(float64(stats.Executions)/n, "execs/tx")
	b.ReportMetric(float64(stats.Suspensions)/n, "waits/tx")
}

// cpuTime returns the processor time of the process in seconds.
func cpuTime() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}
