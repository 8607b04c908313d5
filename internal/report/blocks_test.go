package report

import (
	"bytes"
	"encoding/csv"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// blocksReport has a block of every table. Its numbers are made up.
func blocksReport() *Report {
	r := &Report{
		Schema:  Schema,
		Machine: Machine{OS: "linux", Arch: "amd64", CPU: "Some CPU", Cores: 2, GoVersion: "go1.26.8"},
		Command: "sweep blockstm endtoend",
	}
	for _, load := range []string{"0 %", "hot"} {
		r.Blocks = append(r.Blocks,
			sequentialBlock(BlockEndToEnd, load, 80), controlBlock(BlockEndToEnd, load, 80), evenBlock(BlockEndToEnd, load, 80),
			parallelBlock(BlockEndToEnd, load, 80, 1), parallelBlock(BlockEndToEnd, load, 80, 2))
	}
	above := &r.Blocks[len(r.Blocks)-1]
	above.AboveCeiling, above.RootBusy = 5, 90e6
	for _, load := range []string{"2 %", "one slot"} {
		for _, b := range []Block{sequentialBlock(BlockBench, load, 80), controlBlock(BlockBench, load, 80),
			parallelBlock(BlockBench, load, 80, 2), parallelBlock(BlockBench, load, 80, 16)} {
			b.RootKind, b.Backend, b.Root, b.Ceiling, b.EndToEndSpeedup, b.EndToEndOfControl, b.EndToEndOfEven = "", "", "", nil, nil, nil, nil
			r.Blocks = append(r.Blocks, b)
		}
	}
	for _, gas := range []int{20, 200} {
		r.Blocks = append(r.Blocks, sequentialBlock(BlockGas, "10 %", gas), parallelBlock(BlockGas, "10 %", gas, 2))
	}
	r.Blocks[len(r.Blocks)-1].Error = "device lost"
	for _, w := range []int{2, 64} {
		b := parallelBlock(BlockSimulate, "50 %", 80, w)
		if w == 2 {
			r.Blocks = append(r.Blocks, b)
			b.Deviation = ptr(-0.021)
		}
		b.Model = &Model{Transaction: 23_800, Overhead: 1000, Commit: 110, Slowdown: 1.04, SerialTail: 2e6, SharedTail: 44e6}
		b.Simulated, b.Verified, b.Samples = true, false, 0
		r.Blocks = append(r.Blocks, b)
	}
	r.Blocks = append(r.Blocks,
		Block{Table: BlockHarness, Load: "dynamic", Transactions: 200, Run: RunParallel, Workers: 8, Samples: 3000, Abort: 0.07, Verified: true},
		Block{Table: BlockHarness, Load: "dynamic", Transactions: 200, Run: RunParallel, Workers: 16, Samples: 3000, Mismatches: 2,
			Error: "dynamic, seed 3, 16 workers: state: differs from the sequential run"})
	return r
}

func spanOf(ms float64) Span { return Span{1e6 * ms, 0.98e6 * ms, 1.03e6 * ms} }

func sequentialBlock(table, load string, gas int) Block {
	return Block{
		Table: table, Load: load, Transactions: 20_000, Gas: gas, Keys: 49_301, Run: RunSequential, Workers: 1,
		RootKind: "merkle", Backend: "cpu", Device: "CPU", Root: strings.Repeat("ab", 32),
		Exec: spanOf(480), Commit: spanOf(1.5), RootTime: spanOf(46), EndToEnd: spanOf(528), CommitBusy: 1.5e6, RootBusy: 46e6,
		TPS: 37_878.8, Tail: 0.09, Samples: 7, Verified: true,
	}
}

func controlBlock(table, load string, gas int) Block {
	return Block{
		Table: table, Load: load, Transactions: 20_000, Gas: gas, Keys: 49_301, Run: RunControl, Workers: 2,
		RootKind: "merkle", Backend: "cpu", Device: "CPU", Exec: spanOf(250), ExecSpeedup: &Ratio{1.92, 1.9, 1.95}, Samples: 7,
	}
}

func evenBlock(table, load string, gas int) Block {
	b := controlBlock(table, load, gas)
	b.Run, b.Exec, b.ExecSpeedup = RunEvenControl, spanOf(248), &Ratio{1.935, 1.92, 1.96}
	return b
}

func parallelBlock(table, load string, gas, workers int) Block {
	b := sequentialBlock(table, load, gas)
	b.Run, b.Workers, b.Abort = RunParallel, workers, 0.005
	speed := float64(workers) * 0.96
	b.Exec, b.EndToEnd, b.TPS = spanOf(480/speed), spanOf(528/speed), 37_878.8*speed
	b.ExecSpeedup, b.EndToEndSpeedup = &Ratio{speed, 0.98 * speed, 1.01 * speed}, &Ratio{speed, 0.9 * speed, 1.01 * speed}
	b.Ceiling, b.CPU = &Ratio{float64(workers), float64(workers), float64(workers)}, &Ratio{1.04, 1.03, 1.05}
	if workers > 1 {
		b.ExecOfControl, b.EndToEndOfControl = &Ratio{0.98, 0.97, 0.99}, &Ratio{0.97, 0.96, 0.98}
		b.ExecOfEven, b.EndToEndOfEven = &Ratio{0.97, 0.96, 0.98}, &Ratio{0.96, 0.95, 0.97}
	} else {
		b.Overhead = ptr(1020.0)
	}
	return b
}

func TestBlocksMarkdown(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, WriteMarkdown(&b, blocksReport()))
	text := b.String()
	for _, want := range []string{
		"## Block-STM end to end, 0 % conflict, gas 80, 20,000 transactions, merkle root on cpu",
		"The block writes 49,301 keys.", "1.92x (!)", "(!) hot, W = 2: faster than the ceiling in 5 of 7",
		"even control 2", "keeps its memory from block to block, adds to a transaction 1.02 µs (0 %).",
		"## Block-STM end to end, hot, gas 80", "root busy",
		"## Block-STM execution, gas 80", "W = 16", "of control", "480.00 ms",
		"## Block-STM gas sweep", "failed: device lost",
		"## Block-STM simulated, 50 % conflict", "SIMULATED", "-2.1%", "adds 1.00 µs on one worker, 110 ns of it on one worker at a time",
		"6,000 comparisons, 2 mismatches",
	} {
		require.True(t, strings.Contains(text, want), want)
	}
	require.Equal(t, 1, strings.Count(text, "1.92x (!)"), "of one block only")
}

// A speed-up above its ceiling is flagged by the medians or by the repetitions.
func TestBlocksAboveCeiling(t *testing.T) {
	b := parallelBlock(BlockEndToEnd, "hot", 80, 2)
	require.False(t, b.aboveCeiling())
	b.AboveCeiling = 4
	require.True(t, b.aboveCeiling())
	b.AboveCeiling, b.EndToEndSpeedup.Median = 3, 2.01
	require.True(t, b.aboveCeiling())
	b.Simulated = true
	require.False(t, b.aboveCeiling())
}

// What is true of all runs of a table is said once, and only then.
func TestBlocksFacts(t *testing.T) {
	r := &Report{Blocks: []Block{parallelBlock(BlockBench, "transfers, latency 100µs", 0, 64)}}
	r.Blocks[0].Latency, r.Blocks[0].Processors = 152e3, 64
	say := func() string {
		var b bytes.Buffer
		require.NoError(t, WriteMarkdown(&b, r))
		return b.String()
	}
	for _, want := range []string{"writes 49,301 keys", "takes 152 µs", "GOMAXPROCS is 64"} {
		require.Contains(t, say(), want)
	}
	r.Blocks = append(r.Blocks, r.Blocks[0])
	r.Blocks[1].Keys++
	require.NotContains(t, say(), "writes")
	require.Contains(t, say(), "takes 152 µs")
	r.Blocks = r.Blocks[:1]
	r.Blocks[0].Samples = 1
	require.Contains(t, say(), "One repetition")
}

func TestBlocksCSV(t *testing.T) {
	r := blocksReport()
	var b bytes.Buffer
	require.NoError(t, WriteCSV(&b, r))
	lines, err := csv.NewReader(&b).ReadAll() // which checks that all are as long
	require.NoError(t, err)
	require.Len(t, lines, 1+len(r.Blocks))
	require.Equal(t, blockColumns, lines[0])

	// Beside other rows they are rows, but for what was not timed.
	r.Rows = paperReport().Rows[:1]
	b.Reset()
	require.NoError(t, WriteCSV(&b, r))
	lines, err = csv.NewReader(&b).ReadAll()
	require.NoError(t, err)
	require.Contains(t, lines[0], "phase_exec_ns")
	timed := 0
	for i := range r.Blocks {
		if _, ok := r.Blocks[i].row(); ok {
			timed++
		}
	}
	require.Len(t, lines, 2+timed)
	require.Equal(t, 16, timed)
	require.ErrorIs(t, WriteCSV(failingWriter{}, blocksReport()), errDisk)
}

func TestBlocksPlot(t *testing.T) {
	text := string(picture(t, "x.svg", blocksReport()))
	for _, want := range []string{
		"Block-STM end to end, 0 % conflict", "speed-up over the sequential run", "workers", "execution", "end to end",
		"ceiling, end to end", "one slot", "execution, SIMULATED", "end to end, measured", "stroke-dasharray", ">16x<",
	} {
		require.True(t, strings.Contains(text, want), want)
	}
	require.False(t, strings.Contains(text, "harness"))
	sequential := &Report{Blocks: []Block{sequentialBlock(BlockEndToEnd, "hot", 1)}}
	require.ErrorIs(t, Plot(&bytes.Buffer{}, "x.svg", sequential), ErrEmpty)
	gas := &Report{Blocks: []Block{parallelBlock(BlockGas, "10 %", 20, 2), parallelBlock(BlockGas, "10 %", 80, 2)}}
	require.Contains(t, string(picture(t, "x.svg", gas)), "10 %, 2 workers")
}

func TestBlocksAreCompared(t *testing.T) {
	slow := blocksReport()
	for i := range slow.Blocks {
		b := &slow.Blocks[i]
		b.EndToEnd = Span{2 * b.EndToEnd.Median, 2 * b.EndToEnd.Lo, 2 * b.EndToEnd.Hi}
	}
	changes := Compare(blocksReport(), slow, 0.1)
	require.NotEmpty(t, changes)
	require.Equal(t, "blockstm/endtoend", changes[0].Op)
	require.Equal(t, len(changes), Regressions(changes))
}

func TestBlocksValues(t *testing.T) {
	require.NoError(t, blocksReport().checkValues())
	for _, bend := range []func(b *Block){
		func(b *Block) { b.Transactions = -1 },
		func(b *Block) { b.Workers = -1 },
		func(b *Block) { b.Exec.Median = -1 },
		func(b *Block) { b.EndToEnd.Hi = -1 },
		func(b *Block) { b.TPS = -1 },
		func(b *Block) { b.Mismatches = -1 },
		func(b *Block) { b.ExecSpeedup = &Ratio{-1, 0, 0} },
		func(b *Block) { b.Deviation = ptr(math.Inf(1)) },
		func(b *Block) { b.Overhead = ptr(math.NaN()) },
		func(b *Block) { b.Processors = -1 },
		func(b *Block) { b.Model = &Model{Slowdown: -1} },
	} {
		r := blocksReport()
		bend(&r.Blocks[3])
		require.ErrorIs(t, r.checkValues(), ErrValue)
		require.ErrorIs(t, WriteJSON(&bytes.Buffer{}, r), ErrValue)
	}
}
