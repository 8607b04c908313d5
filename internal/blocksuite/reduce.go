package blocksuite

import (
	"encoding/hex"

	"github.com/crosspoint-kernels/crosspoint/internal/bench"
	"github.com/crosspoint-kernels/crosspoint/internal/report"
)

// blocks states what was measured in the terms of a report: the sequential run, the
// controls, then the executor.
func (m *measurement) blocks() []report.Block {
	var all []report.Block
	sequential := m.runners[0]
	for _, r := range m.runners {
		b := report.Block{
			Table: m.Table, Load: m.load.Name, Transactions: m.Transactions, Gas: m.gas, Deltas: m.workload.Config().Deltas,
			Keys: m.keys, Run: r.kind, Workers: r.workers, Samples: len(r.samples), Verified: r.kind != report.RunControl,
			Latency: float64(m.latency),
		}
		if m.Kind != "" {
			b.RootKind, b.Backend = string(m.Kind), m.Hashing.Name
			b.Device, b.Software = m.Hashing.Info.Device, m.Hashing.Info.Software
			b.Root = hex.EncodeToString(m.root[:])
		}
		r.state(&b)
		r.relate(&b, sequential, m.controlFor(r))
		all = append(all, b)
	}
	return all
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

// relate sets the ratios to the sequential run, to the control and to the ceiling,
// each of runs of one repetition.
func (r *runner) relate(b *report.Block, sequential, control *runner) {
	if r == sequential {
		return
	}
	pairs := func(f func(base, s *sample) float64) []float64 {
		all := make([]float64, min(len(sequential.samples), len(r.samples)))
		for i := range all {
			all[i] = f(&sequential.samples[i], &r.samples[i])
		}
		return all
	}
	execSpeedup := pairs(func(base, s *sample) float64 { return exec(base) / exec(s) })
	b.ExecSpeedup = ratioOf(execSpeedup)
	if base := sequential.samples; len(base) > 0 && base[0].cpu > 0 {
		b.CPU = ratioOf(pairs(func(base, s *sample) float64 { return cpu(s) / cpu(base) }))
	}
	if r.kind == report.RunControl {
		return
	}
	whole := b.RootKind != ""
	speedup := pairs(func(base, s *sample) float64 { return endToEnd(base) / endToEnd(s) })
	if whole {
		b.EndToEndSpeedup = ratioOf(speedup)
		ceiling := pairs(func(base, s *sample) float64 {
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
	given := control.each(exec)
	of := func(speedup []float64) *report.Ratio {
		share := make([]float64, min(len(speedup), len(given)))
		for i := range share {
			share[i] = speedup[i] / (exec(&sequential.samples[i]) / given[i])
		}
		return ratioOf(share)
	}
	b.ExecOfControl = of(execSpeedup)
	if whole {
		b.EndToEndOfControl = of(speedup)
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
