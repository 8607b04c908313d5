package blocksuite

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/blockstm"
	"github.com/crosspoint-kernels/crosspoint/blockstm/pipeline"
	"github.com/crosspoint-kernels/crosspoint/blockstm/workload"
	"github.com/crosspoint-kernels/crosspoint/internal/blocksim"
	"github.com/crosspoint-kernels/crosspoint/internal/report"
)

func TestSimulation(t *testing.T) {
	s := Simulation{Case: small(t), Virtual: DefaultVirtual()}
	s.Table = report.BlockSimulate
	blocks, err := s.Run(t.Context(), nil)
	require.NoError(t, err)
	simulated := 0
	for _, b := range blocks {
		require.Contains(t, []string{report.RunSequential, report.RunParallel}, b.Run)
		require.Equal(t, b.Simulated, b.Model != nil)
		if !b.Simulated {
			require.LessOrEqual(t, b.Workers, 2)
			require.True(t, b.Verified)
			continue
		}
		simulated++
		require.False(t, b.Verified)
		require.Zero(t, b.Samples)
		require.Equal(t, b.Workers <= len(s.Workers), b.Deviation != nil)
	}
	require.Equal(t, 4*len(s.Virtual), simulated)

	for _, bend := range []func(s *Simulation){
		func(s *Simulation) { s.Virtual = nil },
		func(s *Simulation) { s.Virtual = []int{0} },
		func(s *Simulation) { s.Loads[0].Config.Latency = 1 },
		func(s *Simulation) { s.Reps = 0 },
		func(s *Simulation) { s.Overlap = pipeline.Always },
	} {
		s := Simulation{Case: small(t), Virtual: DefaultVirtual()}
		bend(&s)
		_, err := s.Run(t.Context(), nil)
		require.ErrorIs(t, err, ErrCase)
	}
}

// Numbers that are known lead to ones that are.
func TestCalibrate(t *testing.T) {
	span := func(ms float64) report.Span { return point(ms * 1e6) }
	measured := []report.Block{
		{Run: report.RunSequential, Workers: 1, Exec: span(100), EndToEnd: span(120)},
		{Run: report.RunControl, Workers: 2, Exec: span(62.5), ExecSpeedup: exactly(1.6)},
		{Run: report.RunParallel, Workers: 1, Exec: span(110), EndToEnd: span(130), ExecSpeedup: exactly(1 / 1.1)},
		{Run: report.RunParallel, Workers: 2, Exec: span(70), EndToEnd: span(86), ExecSpeedup: exactly(1.4), EndToEndSpeedup: exactly(1.35)},
	}
	run := func(d time.Duration) *runner {
		return &runner{samples: []sample{{phases: pipeline.Phases{Exec: pipeline.Phase{Exposed: d}}}}}
	}
	c := calibrate(measured, run(200e6), run(190e6), []*runner{run(160e6), run(100e6)})
	require.InEpsilon(t, 95e6, c.inside, 1e-9) // 190/200 of 100 ms
	require.InEpsilon(t, 110e6, c.one, 1e-9)
	require.InEpsilon(t, 1.25, c.slowdown, 1e-9)
	// 20 ms of commit and root become 16: (20-16)/(1-1.25/2) of them are shared out.
	require.InEpsilon(t, 4e6/0.375, c.rest, 1e-6)
	require.InEpsilon(t, 20e6-4e6/0.375, c.serial, 1e-6)

	txs := []blocksim.Transaction{{}, {}}
	c.price(txs, [][]float64{{10, 30}, {20, 20}, {10, 30}})
	require.InEpsilon(t, 95e6/4, txs[0].Cost, 1e-9)
	require.InEpsilon(t, 95e6*3/4, txs[1].Cost, 1e-9)
	require.InEpsilon(t, 7.5e6, c.overhead(2), 1e-9)

	c.commit = 2.5e6
	one := c.simulate(txs, 0, 1, measured)
	require.Equal(t, &report.Model{Transaction: 47.5e6, Overhead: 7.5e6, Commit: 2.5e6, Slowdown: 1.25,
		SerialTail: c.serial, SharedTail: c.rest}, one.Model)
	require.InEpsilon(t, 110e6, one.Exec.Median, 1e-9)
	require.InEpsilon(t, 130e6, one.EndToEnd.Median, 1e-9)
	require.True(t, one.Simulated)
}

// A commit costs something, and less than a transaction with all that belongs to it.
func TestCommitCost(t *testing.T) {
	for _, load := range HarnessLoads() {
		c := load.Config
		c.N = 600
		w, err := workload.Generate(c)
		require.NoError(t, err)
		ns, err := commitCost(t.Context(), w)
		require.NoError(t, err)
		require.GreaterOrEqual(t, ns, 0.0, load.Name)
		require.Less(t, ns, 1e6, load.Name)
	}
	w, err := workload.Generate(workload.Config{N: 1})
	require.NoError(t, err)
	ns, err := commitCost(t.Context(), w) // too few for a row
	require.NoError(t, err)
	require.Zero(t, ns)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = commitCost(ctx, w)
	require.ErrorIs(t, err, context.Canceled)
}

// What is recorded is what a transaction does to each key.
func TestRecord(t *testing.T) {
	type view = blockstm.View[workload.Key, workload.Value]
	for _, c := range []struct {
		name string
		run  func(v view)
		want blocksim.Access
	}{
		{"read", func(v view) { v.Get(1) }, blocksim.Access{Read: true}},
		{"write", func(v view) { v.Put(1, 1) }, blocksim.Access{Write: true}},
		{"delete", func(v view) { v.Delete(1) }, blocksim.Access{Write: true}},
		{"own write read", func(v view) { v.Put(1, 1); v.Get(1) }, blocksim.Access{Write: true}},
		{"update", func(v view) { v.Get(1); v.Put(1, 1) }, blocksim.Access{Read: true, Write: true}},
		{"delta", func(v view) { v.Add(1, 1) }, blocksim.Access{Add: true}},
		{"two deltas", func(v view) { v.Add(1, 1); v.Add(1, 1) }, blocksim.Access{Read: true, Write: true}},
		{"delta and read", func(v view) { v.Add(1, 1); v.Get(1) }, blocksim.Access{Read: true, Write: true}},
		{"delta and write", func(v view) { v.Add(1, 1); v.Put(1, 1) }, blocksim.Access{Read: true, Write: true}},
		{"read and delta", func(v view) { v.Get(1); v.Add(1, 1) }, blocksim.Access{Read: true, Write: true}},
		{"write and delta", func(v view) { v.Put(1, 1); v.Add(1, 1) }, blocksim.Access{Write: true}},
	} {
		_, err := blockstm.Sequential(t.Context(), &block{N: 1, Sum: workload.Sum, Run: func(v view, _ int) (workload.Output, error) {
			r := &recorder{View: v, numbers: map[workload.Key]int32{}}
			c.run(r)
			require.Equal(t, []blocksim.Access{c.want}, r.accesses, c.name)
			r.revert()
			require.False(t, r.accesses[0].Write || r.accesses[0].Add)
			return workload.Output{}, nil
		}})
		require.NoError(t, err)
	}
	w, err := workload.Generate(workload.Config{N: 100, Profile: workload.OneSlot})
	require.NoError(t, err)
	txs, keys, err := record(t.Context(), w)
	require.NoError(t, err)
	require.Equal(t, 1, keys)
	require.Len(t, txs, 100)
	require.Equal(t, []blocksim.Access{{Read: true, Write: true}}, txs[99].Accesses)
}
