package blocksuite

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/backends"
	_ "github.com/crosspoint-kernels/crosspoint/backends/cpu"
	"github.com/crosspoint-kernels/crosspoint/blockstm/pipeline"
	"github.com/crosspoint-kernels/crosspoint/blockstm/workload"
	"github.com/crosspoint-kernels/crosspoint/internal/report"
	"github.com/crosspoint-kernels/crosspoint/keccak"
)

func hashing(t *testing.T) *Hashing {
	t.Helper()
	h, err := OpenHashing(backends.Open, "cpu", backends.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, h.Close()) })
	return h
}

// small is a case that takes no time.
func small(t *testing.T) Case {
	return Case{Table: report.BlockEndToEnd, Loads: []Load{Conflict(100_000), DynamicLoad()}, Gas: []int{0, 1}, Transactions: 300,
		Workers: []int{1, 2, 5}, Reps: 3, Seed: 1, Kind: pipeline.Merkle, Hashing: hashing(t)}
}

func TestCase(t *testing.T) {
	for _, kind := range append(pipeline.Kinds(), "") {
		c := small(t)
		c.Kind = kind
		last := -1
		blocks, err := c.Run(t.Context(), func(_ string, done, total int) {
			require.Greater(t, done, last)
			require.Equal(t, c.Work(), total)
			last = done
		})
		require.NoError(t, err)
		require.Equal(t, c.Work(), last)
		runs := 1 + 2*len(c.controls()) + len(c.Workers)
		require.Len(t, blocks, 4*runs)
		for i, b := range blocks {
			require.Equal(t, 3, b.Samples)
			require.Positive(t, b.Exec.Median)
			require.Equal(t, b.Run == report.RunSequential || b.Run == report.RunParallel, b.Verified)
			require.Equal(t, b.Run == report.RunParallel && b.Workers == 1, b.Overhead != nil)
			require.Equal(t, i%runs == 0, b.ExecSpeedup == nil)
			require.Equal(t, kind != "" && b.Run == report.RunParallel, b.EndToEndSpeedup != nil)
			require.Equal(t, kind != "" && b.Run == report.RunParallel, b.Ceiling != nil)
			require.Equal(t, b.Run == report.RunParallel && b.Workers > 1 && len(c.controls()) > 0, b.ExecOfControl != nil)
			require.Equal(t, b.ExecOfControl != nil, b.ExecOfEven != nil)
			require.Equal(t, kind != "", b.Root != "")
			require.Positive(t, b.Keys)
		}
		var r = report.Report{Blocks: blocks}
		for _, format := range report.Formats() {
			require.NoError(t, report.Write(discard{}, format, &r))
		}
	}
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }

func TestCaseErrors(t *testing.T) {
	for name, bend := range map[string]func(c *Case){
		"loads":        func(c *Case) { c.Loads = nil },
		"gas":          func(c *Case) { c.Gas = nil },
		"workers":      func(c *Case) { c.Workers = nil },
		"order":        func(c *Case) { c.Workers = []int{2, 1} },
		"reps":         func(c *Case) { c.Reps = 0 },
		"many reps":    func(c *Case) { c.Reps = MaxReps + 1 },
		"transactions": func(c *Case) { c.Transactions = 0 },
		"hashing":      func(c *Case) { c.Hashing = nil },
	} {
		c := small(t)
		bend(&c)
		_, err := c.Run(t.Context(), nil)
		require.ErrorIs(t, err, ErrCase, name)
	}
	c := small(t)
	c.Gas = []int{-1}
	_, err := c.Run(t.Context(), nil)
	var bad *workload.ConfigError
	require.ErrorAs(t, err, &bad)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c = small(t)
	_, err = c.Run(ctx, nil)
	require.ErrorIs(t, err, context.Canceled)
}

// What was finished before an interrupt is there.
func TestCaseInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	c := small(t)
	blocks, err := c.Run(ctx, func(_ string, done, _ int) {
		if done == c.Reps+2 {
			cancel()
		}
	})
	require.ErrorIs(t, err, context.Canceled)
	require.NotEmpty(t, blocks)
	require.Less(t, len(blocks), 10)
}

// liar hashes wrongly from the given call on.
type liar struct {
	keccak.Hasher
	right int
}

func (l *liar) SumFixed(ctx context.Context, dst [][32]byte, data []byte, width int) error {
	err := l.Hasher.SumFixed(ctx, dst, data, width)
	if l.right--; l.right < 0 && len(dst) > 0 {
		dst[0][0] ^= 1
	}
	return err
}

func TestCaseCatchesAWrongRoot(t *testing.T) {
	c := small(t)
	c.Workers = []int{2}
	h, err := c.Hashing.hasher(2)
	require.NoError(t, err)
	c.Hashing.hashers[2] = &liar{h, 0}
	_, err = c.Run(t.Context(), nil)
	var wrong *MismatchError
	require.ErrorAs(t, err, &wrong)
	require.Equal(t, "root", wrong.What)
	require.Equal(t, 2, wrong.Workers)
	require.ErrorContains(t, err, "10 %, gas 0, merkle root on cpu, seed 1, 2 workers")
}

// The truth tells a state, its keys and outputs from others.
func TestTruth(t *testing.T) {
	outcomes := map[string]*outcome{}
	for name, c := range map[string]workload.Config{
		"right": {N: 50, Profile: workload.OneSlot, Gas: 1},
		"state": {N: 50, Profile: workload.OneSlot, Gas: 1, Seed: 1},
		"keys":  {N: 0},
	} {
		w, err := workload.Generate(c)
		require.NoError(t, err)
		outcomes[name], err = newExecutors().execute(t.Context(), w.Block(nil), 1, func(int, []change) {})
		require.NoError(t, err)
	}
	truth := newTruth(outcomes["right"])
	require.NoError(t, truth.check(outcomes["right"]))
	outcomes["outputs"] = &outcome{}
	*outcomes["outputs"] = *outcomes["right"]
	outcomes["outputs"].Results = outcomes["right"].Results[1:]
	for _, what := range []string{"state", "keys", "outputs"} {
		var wrong *MismatchError
		require.ErrorAs(t, truth.check(outcomes[what]), &wrong)
		require.Equal(t, what, wrong.What)
	}
}

// With reads that block, there are as many processors as workers meanwhile.
func TestLatency(t *testing.T) {
	before := runtime.GOMAXPROCS(0)
	c := Case{Table: report.BlockBench, Loads: []Load{TransfersLoad()}, Gas: []int{0}, Transactions: 64, Workers: []int{before + 7}, Reps: 1}
	c.Loads[0].Config.Latency = 100 * time.Microsecond
	blocks, err := c.Run(t.Context(), func(next string, _, _ int) {
		if next != "" {
			require.Equal(t, before+7, runtime.GOMAXPROCS(0))
		}
	})
	require.NoError(t, err)
	require.Equal(t, before, runtime.GOMAXPROCS(0))
	require.GreaterOrEqual(t, blocks[0].Latency, 100e3)
	require.Equal(t, before+7, blocks[0].Processors)
}

// The ratios of runs whose times are known.
func TestReduce(t *testing.T) {
	ms := func(exec, commit, root int) sample {
		var s sample
		s.phases.Exec.Exposed = time.Duration(exec) * time.Millisecond
		s.phases.Commit = pipeline.Phase{Busy: 3 * time.Millisecond, Exposed: time.Duration(commit) * time.Millisecond}
		s.phases.Root = pipeline.Phase{Busy: 9 * time.Millisecond, Exposed: time.Duration(root) * time.Millisecond}
		s.executions, s.cpu = 110, time.Duration(exec)*time.Millisecond
		return s
	}
	halves := func(a, b int) sample {
		s := ms(a, 0, 0)
		s.even = time.Duration(a+b) * time.Millisecond / 2
		return s
	}
	c := Case{Table: report.BlockEndToEnd, Transactions: 100, Kind: pipeline.MPT, Hashing: &Hashing{Name: "x"}}
	w, err := workload.Generate(workload.Config{N: 100})
	require.NoError(t, err)
	m := &measurement{Case: &c, workload: w, runners: []*runner{
		{kind: report.RunSequential, workers: 1, samples: []sample{ms(100, 2, 8), ms(200, 2, 8)}},
		{kind: report.RunControl, workers: controlOf(2), samples: []sample{halves(60, 50), halves(100, 100)}},
		{kind: report.RunParallel, workers: 2, samples: []sample{ms(50, 2, 3), ms(125, 1, 4)}},
	}}
	blocks := m.blocks()
	require.Equal(t, 150e6, blocks[0].Exec.Median)
	require.Equal(t, 160e6, blocks[0].EndToEnd.Median)
	require.Zero(t, blocks[1].EndToEnd.Median)
	require.Nil(t, blocks[1].CPU)
	require.Equal(t, report.RunEvenControl, blocks[2].Run)
	require.InEpsilon(t, 77.5e6, blocks[2].Exec.Median, 1e-9)
	require.InEpsilon(t, (100.0/55+2)/2, blocks[2].ExecSpeedup.Median, 1e-9)
	p := blocks[3]
	require.Equal(t, 3e6, p.CommitBusy)
	require.Equal(t, 9e6, p.RootBusy)
	require.InEpsilon(t, (2+1.6)/2, p.ExecSpeedup.Median, 1e-9)
	require.InEpsilon(t, (110.0/55+210.0/130)/2, p.EndToEndSpeedup.Median, 1e-9)
	require.InEpsilon(t, (110.0/55+210.0/105)/2, p.Ceiling.Median, 1e-9)
	require.InEpsilon(t, (2/(100.0/60)+1.6/2)/2, p.ExecOfControl.Median, 1e-9)
	require.InEpsilon(t, (110.0/55/(100.0/60)+210.0/130/2)/2, p.EndToEndOfControl.Median, 1e-9)
	require.InEpsilon(t, (2/(100.0/55)+1.6/2)/2, p.ExecOfEven.Median, 1e-9)
	require.InEpsilon(t, (110.0/55/(100.0/55)+210.0/130/2)/2, p.EndToEndOfEven.Median, 1e-9)
	require.Zero(t, p.AboveCeiling) // 2.00 of 2.00, and 1.62 of 2.00
	require.InEpsilon(t, 0.1, p.Abort, 1e-9)
	require.InEpsilon(t, (0.5+0.625)/2, p.CPU.Median, 1e-9)
	require.InEpsilon(t, 100/92.5e-3, p.TPS, 1e-9)

	m.runners[2].samples[0] = ms(49, 2, 3)
	require.Equal(t, 1, m.blocks()[3].AboveCeiling)
}

func TestHashing(t *testing.T) {
	lost := errors.New("lost")
	_, err := OpenHashing(func(string, backends.Options) (backends.Backend, error) { return nil, lost }, "x", backends.Options{})
	require.ErrorIs(t, err, lost)

	one, err := backends.Open("cpu", backends.Options{Workers: 1})
	require.NoError(t, err)
	defer one.Close()
	two, err := backends.Open("cpu", backends.Options{Workers: 2})
	require.NoError(t, err)
	defer two.Close()
	h, err := HashingBy("cpu", one, two, 2)
	require.NoError(t, err)
	defer h.Close()
	require.Equal(t, one, h.Backend())
	a, err := h.hasher(1)
	require.NoError(t, err)
	b, err := h.hasher(2)
	require.NoError(t, err)
	require.NotEqual(t, a, b)
	_, err = h.hasher(3)
	require.ErrorIs(t, err, ErrCase)
	o, err := h.rootOptions(2)
	require.NoError(t, err)
	require.Equal(t, b, o.Big)
	require.Equal(t, a, o.Small)
}
