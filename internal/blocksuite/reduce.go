package blocksuite

import (
	"encoding/hex"
	"runtime"

	"github.com/crosspoint-kernels/crosspoint/internal/bench"
	"github.com/crosspoint-kernels/crosspoint/internal/report"
)

// blocks states what was measured in the terms of a report: the sequential run, the
// controls, each as it was and evened out, then the executor.
func (m *measurement) blocks() []report.Block {
	var all []report.Block
	sequential := m.runners[0]
	for _, r := range m.runners {
		b := report.Block{
			Table: m.Table, Load: m.load.Name, Transactions: m.Transactions, Gas: m.gas, Deltas: m.workload.Config().Deltas,
			Keys: m.keys, Run: r.kind, Workers: r.workers, Samples: len(r.samples), Verified: r.kind != report.RunControl,
			Latency: float64(m.latency),
		}
		if m.latency > 0 {
			b.Processors = runtime.GOMAXPROCS(0)
		}
		if m.Kind != "" {
			b.RootKind, b.Backend = string(m.Kind), m.Hashing.Name
			b.Device, b.Software = m.Hashing.Info.Device, m.Hashing.Info.Software
			b.Root = hex.EncodeToString(m.root[:])
		}
		r.state(&b)
		r.relate(&b, sequential, m.controlFor(r))
		all = append(all, b)
		if r.kind == report.RunControl {
			all = append(all, r.evened(b, sequential))
		}
	}
	return all
}

// evened is a control b with the mean of what its goroutines took for its time.
func (r *runner) evened(b report.Block, sequential *runner) report.Block {
	b.Run, b.CPU = report.RunEvenControl, nil
	b.Exec = span(r.each(even))
	b.ExecSpeedup = ratioOf(r.pairs(sequential, func(base, s *sample) float64 { return exec(base) / even(s) }))
	return b
}

// controlFor is the control of as many goroutines as the executor's workers can be
// at work at a time; nil for other runs, and for one worker.
func (m *measurement) controlFor(r *runner) *runner {
	for _, c := range m.runners {
		if c.kind == report.RunControl && r.kind == report.RunParallel && c.workers == controlOf(r.workers) {
			return c
		}
	}
	return nil
}

// each returns a number of every sample.
func (r *runner) each(f func(s *sample) float64) []float64 {
	all := make([]float64, len(r.samples))
	for i := range r.samples {
		all[i] = f(&r.samples[i])
	}
	return all
}

func exec(s *sample) float64     { return float64(s.phases.Exec.Exposed) }
func tail(s *sample) float64     { return float64(s.phases.Tail()) }
func endToEnd(s *sample) float64 { return float64(s.phases.EndToEnd()) }
func cpu(s *sample) float64      { return float64(s.cpu) }
func even(s *sample) float64     { return float64(s.even) }

func span(samples []float64) report.Span {
	s := bench.NewStats(samples)
	return report.Span{Median: s.Median, Lo: s.Lo, Hi: s.Hi}
}

func median(samples []float64) float64 { return bench.NewStats(samples).Median }

// state sets what the samples of a run say by themselves.
func (r *runner) state(b *report.Block) {
	b.Exec = span(r.each(exec))
	if r.kind == report.RunControl {
		return // it comes to no state
	}
	b.Commit = span(r.each(func(s *sample) float64 { return float64(s.phases.Commit.Exposed) }))
	b.RootTime = span(r.each(func(s *sample) float64 { return float64(s.phases.Root.Exposed) }))
	b.EndToEnd = span(r.each(endToEnd))
	b.CommitBusy = median(r.each(func(s *sample) float64 { return float64(s.phases.Commit.Busy) }))
	b.RootBusy = median(r.each(func(s *sample) float64 { return float64(s.phases.Root.Busy) }))
	if b.EndToEnd.Median > 0 {
		b.TPS = float64(b.Transactions) / (b.EndToEnd.Median / 1e9)
	}
	b.Tail = median(r.each(func(s *sample) float64 { return tail(s) / endToEnd(s) }))
	executions := 0
	for i := range r.samples {
		executions += r.samples[i].executions
	}
	b.Abort = abortShare(executions, b.Transactions*len(r.samples))
}

// pairs returns a number of every two samples of one repetition.
func (r *runner) pairs(sequential *runner, f func(base, s *sample) float64) []float64 {
	all := make([]float64, min(len(sequential.samples), len(r.samples)))
	for i := range all {
		all[i] = f(&sequential.samples[i], &r.samples[i])
	}
	return all
}

// relate sets the ratios to the sequential run, to the control and to the ceiling,
// each of runs of one repetition.
func (r *runner) relate(b *report.Block, sequential, control *runner) {
	if r == sequential {
		return
	}
	execSpeedup := r.pairs(sequential, func(base, s *sample) float64 { return exec(base) / exec(s) })
	b.ExecSpeedup = ratioOf(execSpeedup)
	whole := b.RootKind != ""
	// The time of processors is of the whole block. A control has no root.
	if base := sequential.samples; len(base) > 0 && base[0].cpu > 0 && !(whole && r.kind == report.RunControl) {
		b.CPU = ratioOf(r.pairs(sequential, func(base, s *sample) float64 { return cpu(s) / cpu(base) }))
	}
	if r.kind == report.RunControl {
		return
	}
	if r.workers == 1 && len(execSpeedup) > 0 {
		n := float64(max(b.Transactions, 1))
		overhead := median(r.pairs(sequential, func(base, s *sample) float64 { return (exec(s) - exec(base)) / n }))
		b.Overhead = &overhead
	}
	speedup := r.pairs(sequential, func(base, s *sample) float64 { return endToEnd(base) / endToEnd(s) })
	if whole {
		b.EndToEndSpeedup = ratioOf(speedup)
		ceiling := r.pairs(sequential, func(base, s *sample) float64 {
			return endToEnd(base) / (exec(base)/float64(r.workers) + tail(s))
		})
		b.Ceiling = ratioOf(ceiling)
		for i := range ceiling {
			if speedup[i] > ceiling[i] {
				b.AboveCeiling++
			}
		}
	}
	if control == nil {
		return
	}
	of := func(speedup []float64, given func(s *sample) float64) *report.Ratio {
		share := control.pairs(sequential, func(base, s *sample) float64 { return given(s) / exec(base) })
		share = share[:min(len(speedup), len(share))]
		for i := range share {
			share[i] *= speedup[i]
		}
		return ratioOf(share)
	}
	b.ExecOfControl, b.ExecOfEven = of(execSpeedup, exec), of(execSpeedup, even)
	if whole {
		b.EndToEndOfControl, b.EndToEndOfEven = of(speedup, exec), of(speedup, even)
	}
}

// ratioOf is the median of ratios with its interval, nil without any.
func ratioOf(ratios []float64) *report.Ratio {
	if len(ratios) == 0 {
		return nil
	}
	s := bench.NewStats(ratios)
	return &report.Ratio{Median: s.Median, Lo: s.Lo, Hi: s.Hi}
}
