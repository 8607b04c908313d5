package blocksuite

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/crosspoint-kernels/crosspoint/blockstm"
	"github.com/crosspoint-kernels/crosspoint/blockstm/pipeline"
	"github.com/crosspoint-kernels/crosspoint/internal/blocksim"
	"github.com/crosspoint-kernels/crosspoint/internal/report"
)

// Simulation is a Case whose blocks are measured with one and two workers, as far as
// there are processors, and run in virtual time with as many as asked for. What it
// says of more workers than were measured is simulated, and marked so.
//
// Every number that it goes by was measured of the same block, all but the third in
// the same repetitions: what each transaction costs, from the sequential run; what the
// executor adds, from its run on one worker; what of that one worker at a time does,
// from commits in a row; how much slower two cores are that share nothing, from slices
// of the block on one and two goroutines; and how the time of commit and root divides
// into a part that is shared out and one that is not, from one and two workers. What it
// takes for granted is that every further core is as slow as each of the two, and that
// the executor adds to a transaction what it adds on one worker. So one worker agrees
// with the measurement by construction; two workers are the check.
type Simulation struct {
	Case          // Workers are set here
	Virtual []int // workers in virtual time
}

// DefaultVirtual are the numbers of workers that are simulated.
func DefaultVirtual() []int { return []int{1, 2, 4, 8, 16, 32, 64} }

// Check returns an error that wraps ErrCase, or a *workload.ConfigError, unless s
// can be run.
func (s *Simulation) Check() error {
	if len(s.Virtual) == 0 {
		return fmt.Errorf("%w: nothing to simulate", ErrCase)
	}
	if err := checkWorkers(s.Virtual); err != nil {
		return err
	}
	if s.Overlap == pipeline.Always {
		return fmt.Errorf("%w: a commit that goes along with the execution is not simulated", ErrCase)
	}
	s.Overlap = pipeline.Never
	s.Workers = []int{1, 2}[:min(2, runtime.GOMAXPROCS(0))]
	for _, l := range s.Loads {
		if l.Config.Latency > 0 {
			return fmt.Errorf("%w: reads that block are not simulated", ErrCase)
		}
	}
	return s.Case.Check()
}

// Run measures and simulates. Its errors are those of Case.Run.
func (s *Simulation) Run(ctx context.Context, progress Progress) ([]report.Block, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	var blocks []report.Block
	for g, gas := range s.Gas {
		for l, load := range s.Loads {
			done := (g*len(s.Loads) + l) * (s.Reps + 1)
			found, err := s.block(ctx, load, gas, func(next string, at, _ int) { progress.tell(next, done+at, s.Work()) })
			if err != nil {
				return blocks, err
			}
			blocks = append(blocks, found...)
		}
	}
	progress.tell("", s.Work(), s.Work())
	return blocks, nil
}

// block measures and simulates one block.
func (s *Simulation) block(ctx context.Context, load Load, gas int, progress Progress) ([]report.Block, error) {
	m, err := s.newMeasurement(load, gas)
	if err != nil {
		return nil, err
	}
	txs, keys, err := record(ctx, m.workload)
	if err != nil {
		return nil, err
	}
	commit, err := commitCost(ctx, m.workload)
	if err != nil {
		return nil, err
	}
	costs := make([][]float64, 0, s.Reps+1)
	clock := &runner{kind: runClocked, workers: 1, run: func(ctx context.Context) (sample, *outcome, error) {
		taken := make([]float64, len(txs))
		out, err := blockstm.Sequential(ctx, clocked(m.workload.Block(nil), taken))
		costs = append(costs, taken)
		total := 0.0
		for _, ns := range taken {
			total += ns
		}
		return sample{phases: pipeline.Phases{Exec: pipeline.Phase{Exposed: time.Duration(total)}}}, out, err
	}}
	sliced := []*runner{m.newSliced(1), m.newSliced(2)}[:len(s.Workers)]
	kept := len(m.runners)
	m.runners = append(append(m.runners, clock), sliced...)
	if err := m.run(ctx, progress, 0, s.Reps+1); err != nil {
		return nil, err
	}
	m.runners = m.runners[:kept]
	measured := m.blocks()
	machine := calibrate(measured, m.runners[0], clock, sliced)
	machine.commit = commit
	machine.price(txs, costs[1:])
	var blocks []report.Block
	for _, b := range measured {
		if b.Run == report.RunSequential || b.Run == report.RunParallel {
			blocks = append(blocks, b)
		}
	}
	for _, w := range s.Virtual {
		blocks = append(blocks, machine.simulate(txs, keys, w, measured))
	}
	return blocks, nil
}

// Runs for the calibration alone.
const (
	runClocked = "clocked" // sequentially, noting the cost of each transaction
	runSliced  = "sliced"  // slices of the block, handed out to goroutines one by one
)

// sliceLen is how many transactions a slice has: few, so that a goroutine that was
// held up for a while leaves the rest to the other, as the executor's workers do.
const sliceLen = 64

// newSliced runs slices of the block, each as a sequential run of its own, on so many
// goroutines. One and two of them tell how much slower two cores are than one, with
// nothing shared, whoever else is on the machine.
func (m *measurement) newSliced(goroutines int) *runner {
	base, n := m.workload.Base(), m.workload.Len()
	return &runner{kind: runSliced, workers: goroutines, run: func(ctx context.Context) (sample, *outcome, error) {
		var next atomic.Int64
		errs := make([]error, goroutines)
		var wg sync.WaitGroup
		start := time.Now()
		for g := range goroutines {
			wg.Go(func() {
				for errs[g] == nil {
					hi := int(next.Add(sliceLen))
					lo := hi - sliceLen
					if lo >= n {
						return
					}
					_, errs[g] = blockstm.Sequential(ctx, m.workload.Part(base, lo, min(hi, n)))
				}
			})
		}
		wg.Wait()
		var s sample
		s.phases.Exec.Exposed = time.Since(start)
		return s, nil, errors.Join(errs...)
	}}
}

// medianAt is the median over repetitions of what transaction i took.
func medianAt(costs [][]float64, i int) float64 {
	all := make([]float64, len(costs))
	for rep := range costs {
		all[rep] = costs[rep][i]
	}
	return median(all)
}

// calibration is what was measured of the machine and the executor. All of it goes
// back to the median of the sequential run by ratios of runs of one repetition.
type calibration struct {
	inside   float64 // Run of all transactions, sequentially, in ns
	one      float64 // the executor on one worker, in ns
	commit   float64 // what of it one worker at a time does for a transaction, in ns
	slowdown float64 // of two cores that share nothing; 1 where they are as fast as one
	serial   float64 // of commit and root: what is not shared out, in ns
	rest     float64 // and what is
}

func calibrate(measured []report.Block, sequential, clock *runner, sliced []*runner) calibration {
	base := sequential.each(exec)
	c := calibration{slowdown: 1}
	within := clock.each(exec)
	for rep := range within {
		within[rep] /= base[rep]
	}
	c.inside = measured[0].Exec.Median * median(within)
	c.one = c.inside
	if one := find(measured, report.RunParallel, 1); one != nil {
		c.one = measured[0].Exec.Median / one.ExecSpeedup.Median
		c.rest = one.EndToEnd.Median - one.Exec.Median
	}
	if len(sliced) == 2 {
		one, gain := sliced[0].each(exec), sliced[1].each(exec)
		for rep := range gain {
			gain[rep] = one[rep] / gain[rep]
		}
		c.slowdown = max(1, 2/median(gain))
	}
	if two := find(measured, report.RunParallel, 2); two != nil && c.slowdown < 2 {
		one, tail := c.rest, two.EndToEnd.Median-two.Exec.Median
		c.rest = min(max((one-tail)/(1-c.slowdown/2), 0), one)
		c.serial = one - c.rest
	}
	return c
}

// price gives each transaction its median cost, as a share of what all take.
func (c *calibration) price(txs []blocksim.Transaction, costs [][]float64) {
	total := 0.0
	for i := range txs {
		txs[i].Cost = medianAt(costs, i)
		total += txs[i].Cost
	}
	for i := range txs {
		txs[i].Cost *= c.inside / total
	}
}

// overhead is what the executor adds to each of n transactions, in ns.
func (c *calibration) overhead(n int) float64 {
	return max(0, c.one-c.inside) / float64(max(n, 1))
}

func find(blocks []report.Block, run string, workers int) *report.Block {
	for i := range blocks {
		if b := &blocks[i]; b.Run == run && b.Workers == workers {
			return b
		}
	}
	return nil
}

// simulate runs the block in virtual time.
func (c *calibration) simulate(txs []blocksim.Transaction, keys, workers int, measured []report.Block) report.Block {
	overhead := c.overhead(len(txs))
	commit := min(c.commit, overhead)
	m := blocksim.Machine{Workers: workers, Overhead: overhead - commit, Commit: commit}
	tail := c.serial + c.rest
	if workers > 1 {
		m.Slowdown = c.slowdown
		tail = c.serial + c.rest*c.slowdown/float64(workers)
	}
	r := blocksim.Run(txs, keys, m)
	sequential := measured[0]
	b := report.Block{
		Table: sequential.Table, Load: sequential.Load, Transactions: sequential.Transactions, Gas: sequential.Gas,
		Deltas: sequential.Deltas, Keys: sequential.Keys, Run: report.RunParallel, Workers: workers, Simulated: true,
		RootKind: sequential.RootKind, Backend: sequential.Backend, Device: sequential.Device, Software: sequential.Software,
		Exec: point(r.Time), EndToEnd: point(r.Time + tail), Abort: abortShare(r.Executions, len(txs)),
		Model: &report.Model{Transaction: c.inside / float64(max(len(txs), 1)), Overhead: overhead, Commit: commit,
			Slowdown: c.slowdown, SerialTail: c.serial, SharedTail: c.rest},
	}
	if r.Time > 0 {
		b.ExecSpeedup = exactly(sequential.Exec.Median / r.Time)
		b.EndToEndSpeedup = exactly(sequential.EndToEnd.Median / (r.Time + tail))
		b.Ceiling = exactly(sequential.EndToEnd.Median / (sequential.Exec.Median/float64(workers) + tail))
		b.TPS = float64(len(txs)) / ((r.Time + tail) / 1e9)
		b.Tail = tail / (r.Time + tail)
	}
	if real := find(measured, report.RunParallel, workers); real != nil && b.ExecSpeedup != nil {
		off := real.ExecSpeedup.Median/b.ExecSpeedup.Median - 1 // of the time
		if real.EndToEndSpeedup != nil {
			off = real.EndToEndSpeedup.Median/b.EndToEndSpeedup.Median - 1
		}
		b.Deviation = &off
	}
	return b
}

func point(ns float64) report.Span        { return report.Span{Median: ns, Lo: ns, Hi: ns} }
func exactly(ratio float64) *report.Ratio { return &report.Ratio{Median: ratio, Lo: ratio, Hi: ratio} }
