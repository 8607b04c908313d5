package blocksuite

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/crosspoint-kernels/crosspoint/blockstm"
	"github.com/crosspoint-kernels/crosspoint/blockstm/pipeline"
	"github.com/crosspoint-kernels/crosspoint/blockstm/workload"
	"github.com/crosspoint-kernels/crosspoint/internal/report"
)

// sample is what one run took.
type sample struct {
	phases     pipeline.Phases
	even       time.Duration // of a control: the mean of what its goroutines took
	cpu        time.Duration // of all processors; 0 where it is not known
	executions int
	root       [32]byte
}

// runner runs the block of a measurement one way.
type runner struct {
	kind    string // a Run constant of package report
	workers int
	run     func(ctx context.Context) (sample, *outcome, error)
	samples []sample
}

type (
	executor = blockstm.Executor[workload.Key, workload.Value, workload.Output]
	settings = blockstm.Options[workload.Key, workload.Value]
)

// newRunner makes one that keeps its memory from repetition to repetition, as a
// node does from block to block. The executor takes its parallel path on one worker
// too: what that costs is to be seen.
func (m *measurement) newRunner(kind string, workers int) (*runner, error) {
	r := &runner{kind: kind, workers: workers}
	b := m.workload.Block(nil)
	switch {
	case kind == report.RunControl:
		r.run = m.control(workers)
	case m.Kind == "" && kind == report.RunSequential:
		r.run = timed(func(ctx context.Context) (*outcome, error) { return blockstm.Sequential(ctx, b) })
	case m.Kind == "":
		x := blockstm.New[workload.Key, workload.Value, workload.Output](settings{Workers: workers, Small: -1})
		r.run = timed(func(ctx context.Context) (*outcome, error) { return x.Execute(ctx, b) })
	default:
		root, err := m.Hashing.rootOptions(workers)
		if err != nil {
			return nil, err
		}
		p, err := pipeline.New[workload.Key, workload.Value, workload.Output](pipeline.Options[workload.Key, workload.Value]{
			Kind: m.Kind, Key: workload.Key.Bytes, Value: workload.Value.Bytes, Workers: workers,
			Sequential: kind == report.RunSequential, Overlap: m.Overlap, Execution: settings{Small: -1}, Root: root,
		})
		if err != nil {
			return nil, err
		}
		r.run = func(ctx context.Context) (sample, *outcome, error) {
			before := cpuTime()
			done, err := p.Run(ctx, b)
			if err != nil {
				return sample{}, nil, err
			}
			return sample{phases: done.Phases, cpu: cpuTime() - before, executions: done.Outcome.Stats.Executions, root: done.Root},
				done.Outcome, nil
		}
	}
	return r, nil
}

// timed is a run of the execution alone.
func timed(execute func(ctx context.Context) (*outcome, error)) func(ctx context.Context) (sample, *outcome, error) {
	return func(ctx context.Context) (sample, *outcome, error) {
		before, start := cpuTime(), time.Now()
		out, err := execute(ctx)
		if err != nil {
			return sample{}, nil, err
		}
		s := sample{executions: out.Stats.Executions}
		s.phases.Exec.Exposed = time.Since(start)
		s.cpu = cpuTime() - before
		return s, out, nil
	}
}

// control runs disjoint parts of the block at once, each as the sequential run
// does, on goroutines that share nothing but the base state. Its time is that of the
// last of them. Where one is held up by who else is on the machine, the others do not
// take over its part, as the workers of an executor would; the mean of their times is
// what it would have taken if they had.
func (m *measurement) control(goroutines int) func(ctx context.Context) (sample, *outcome, error) {
	base := m.workload.Base()
	parts := make([]*block, goroutines)
	n := m.workload.Len()
	for i := range parts {
		parts[i] = m.workload.Part(base, i*n/goroutines, (i+1)*n/goroutines)
	}
	return func(ctx context.Context) (sample, *outcome, error) {
		errs := make([]error, goroutines)
		took := make([]time.Duration, goroutines)
		var wg sync.WaitGroup
		before, start := cpuTime(), time.Now()
		for i, part := range parts {
			wg.Go(func() {
				_, errs[i] = blockstm.Sequential(ctx, part)
				took[i] = time.Since(start)
			})
		}
		wg.Wait()
		s := sample{executions: n}
		s.phases.Exec.Exposed = time.Since(start)
		s.cpu = cpuTime() - before
		for _, d := range took {
			s.even += d / time.Duration(goroutines)
		}
		return s, nil, errors.Join(errs...)
	}
}
