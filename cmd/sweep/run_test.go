package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/internal/report"
)

// quick keeps the time of a cell to what 11 samples take.
func quickly(args ...string) []string { return append(args, "--budget", "0") }

// The real command on the backends of this machine, with the CPU alone.
func TestRunFormats(t *testing.T) {
	for format, want := range map[string][]string{
		"md":      {"## NTT forward, pulsar", "cpu/poly", "cpu-mt/batch", "## Crossovers", "`sweep --backend cpu"},
		"csv":     {"op,", "ns_per_row", "cpu-mt"},
		"json":    {`"schema": "crosspoint/1"`, `"verified": true`, `"go_version"`},
		"latex":   {`\begin{table}`, `\toprule`},
		"gobench": {"Benchmark", "backend=cpu", "ns/op"},
	} {
		t.Run(format, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			code := run(t.Context(), quickly("--backend", "cpu", "--n", "1,4", "--format", format), &stdout, &stderr)
			require.Equal(t, exitOK, code, stderr.String())
			for _, s := range want {
				require.Contains(t, stdout.String(), s)
			}
			require.NotContains(t, stdout.String(), "\x1b", "no colour when piped")
			require.NotContains(t, stderr.String(), "\x1b")
			require.Regexp(t, `(?m)\Asweep:   0 %  forward pulsar n = 1\n(.*\n)*sweep: 100 %\n\z`, stderr.String())
		})
	}
}

func TestRunJSON(t *testing.T) {
	var stdout, stderr bytes.Buffer
	code := run(t.Context(), quickly("--backend", "cpu", "--n", "1,2,...,4", "--ring", "mldsa", "--ring", "8,97",
		"--op", "forward,muladd", "--seed", "7", "--format", "json"), &stdout, &stderr)
	require.Equal(t, exitOK, code, stderr.String())
	r, err := report.ReadJSON(&stdout)
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(r.Rows), 2*2*3*2, "rings, operations, sizes, contestants, and what a search adds")
	for _, row := range r.Rows {
		require.True(t, row.Verified)
		require.GreaterOrEqual(t, row.Samples, 11)
		require.Contains(t, []string{"mldsa", "8,97"}, row.Params["ring"])
	}
	require.Empty(t, r.HotPath, "the question was narrowed")
	require.NotEmpty(t, r.Machine.CPU)
	require.Len(t, r.Machine.Devices, 2)
	require.NotEmpty(t, r.Commit)
	require.Equal(t, `sweep --backend cpu --n 1,2,...,4 --ring mldsa --ring 8,97 --op forward,muladd --seed 7 --format json --budget 0`, r.Command)
	require.False(t, r.Partial)
}

// A base that was much faster is a regression, one that was slower is not, and
// what is within the tolerance is neither.
func TestBase(t *testing.T) {
	clock := &virtual{}
	f := newFixture(map[string]*dressed{"wgsl": {info: gpu("wgsl", true), clock: clock, tau: time.Millisecond}})
	f.clock = clock
	dir := t.TempDir()
	now := filepath.Join(dir, "now.json")
	args := quickly("--n", "1,4", "--format", "json", "--out", now)
	require.Equal(t, exitOK, f.sweep(t, args...), f.stderr.String())
	require.Empty(t, f.stdout.String(), "the report is in the file")

	scaled := func(factor float64) string {
		data, err := os.ReadFile(now)
		require.NoError(t, err)
		r, err := report.ReadJSON(bytes.NewReader(data))
		require.NoError(t, err)
		for i := range r.Rows {
			row := &r.Rows[i]
			row.NsPerRow, row.Lo, row.Hi = factor*row.NsPerRow, factor*row.Lo, factor*row.Hi
		}
		path := filepath.Join(dir, "base.json")
		file, err := os.Create(path)
		require.NoError(t, err)
		defer file.Close()
		require.NoError(t, report.WriteJSON(file, r))
		return path
	}
	for factor, code := range map[float64]int{0.5: exitRegression, 0.88: exitRegression, 0.92: exitOK, 1: exitOK, 2: exitOK} {
		require.Equal(t, code, f.sweep(t, append(args, "--base", scaled(factor))...), "%v: %s", factor, f.stderr.String())
		require.Contains(t, f.stdout.String(), "## Against")
	}
	require.Equal(t, exitRegression, f.sweep(t, append(args, "--base", scaled(0.97), "--tolerance", "0.01")...))
	require.Contains(t, f.stderr.String(), "6 of 6 cells are slower")
	require.Equal(t, exitOK, f.sweep(t, append(args, "--base", now)...), "a report may replace its own base")
}

// A base that nothing here compares with is no comparison without regressions, and
// what it has of a backend that is not here is counted.
func TestBaseWithoutCounterpart(t *testing.T) {
	clock := &virtual{}
	f := newFixture(map[string]*dressed{"wgsl": {info: gpu("wgsl", true), clock: clock, tau: time.Millisecond}})
	f.clock = clock
	base := filepath.Join(t.TempDir(), "base.json")
	args := []string{"--budget", "0", "--ring", "8,97", "--format", "json", "--n"}
	require.Equal(t, exitOK, f.sweep(t, append(args, "1,4", "--out", base)...), f.stderr.String())

	require.Equal(t, exitNothing, f.sweep(t, append(args, "2", "--base", base)...))
	require.Contains(t, f.stderr.String(), "sweep: nothing to compare")
	require.Contains(t, f.stderr.String(), "6 cells of "+base+" were not measured here: cpu 2, cpu-mt 2, wgsl 2.\n")

	f.devices = absent()
	require.Equal(t, exitOK, f.sweep(t, append(args, "1,4", "--base", base)...), f.stderr.String())
	require.Contains(t, f.stderr.String(), "2 cells of "+base+" were not measured here: wgsl 2.\n")
	require.Equal(t, exitOK, f.sweep(t, append(args, "1", "--out", base)...), f.stderr.String())
	require.Equal(t, exitOK, f.sweep(t, append(args, "1,4", "--base", base)...), f.stderr.String())
	require.NotContains(t, f.stderr.String(), "not measured here")
}

// The sizes that only a search measured are in the report, marked, and in no
// comparison.
func TestBaseLeavesOutSearchedSizes(t *testing.T) {
	clock := &virtual{}
	f := newFixture(map[string]*dressed{
		"wgsl": {info: gpu("wgsl", false), clock: clock, d: 100 * time.Millisecond, tau: 100 * time.Microsecond}})
	f.clock = clock
	base := filepath.Join(t.TempDir(), "base.json")
	args := quickly("--n", "1,1024", "--ring", "8,97", "--format", "json", "--out", base)
	require.Equal(t, exitOK, f.sweep(t, args...), f.stderr.String())
	file, err := os.Open(base)
	require.NoError(t, err)
	defer file.Close()
	r, err := report.ReadJSON(file)
	require.NoError(t, err)
	asked := 0
	for _, row := range r.Rows {
		require.Equal(t, row.Batch != 1 && row.Batch != 1024, row.Searched)
		if !row.Searched {
			asked++
		}
	}
	require.Less(t, asked, len(r.Rows), "there was a search")
	require.Len(t, report.Compare(r, r, 0.1), asked)
	require.Equal(t, exitOK, f.sweep(t, append(args, "--base", base)...), f.stderr.String())
	require.NotContains(t, f.stdout.String(), "not measured here")
}

// On a virtual clock a software device that would win is labelled wherever it is
// named, and its crossover is stated.
func TestSoftwareIsLabelled(t *testing.T) {
	clock := &virtual{}
	f := newFixture(map[string]*dressed{
		"wgsl": {info: gpu("wgsl", true), clock: clock, d: 100 * time.Millisecond, tau: 100 * time.Microsecond}})
	f.clock = clock
	require.Equal(t, exitOK, f.sweep(t, quickly("--n", "1,4,...,1024", "--ring", "8,97")...), f.stderr.String())
	out := f.stdout.String()
	for line := range strings.Lines(out) {
		if strings.Contains(line, "wgsl") {
			require.Contains(t, line, "(software)")
		}
	}
	require.Contains(t, out, "wgsl (software) overtakes cpu at batch")
	require.Contains(t, out, "wgsl (software): Test wgsl")
	require.Equal(t, exitOK, f.sweep(t, "list"))
	require.Contains(t, f.stdout.String(), "Test wgsl (software)")
}

// The hot path prints both readings, and what the shares are shares of.
func TestHotPath(t *testing.T) {
	f := newFixture(nil)
	f.clock = &virtual{}
	plot := filepath.Join(t.TempDir(), "k.svg")
	require.Equal(t, exitOK, f.sweep(t, quickly("hotpath", "--signers", "1", "--plot", plot)...), f.stderr.String())
	drawn, err := os.ReadFile(plot)
	require.NoError(t, err)
	require.Contains(t, string(drawn), "time per signature")
	for _, s := range []string{"2,688", "735", "2,744", "share", "12.8 % of Round 1", "another machine", "1.15 times"} {
		require.Contains(t, f.stdout.String(), s)
	}
}

// However often and in whatever spelling an operation or a ring is named, it is
// measured once and reported under one name.
func TestCasesAreNamedOnce(t *testing.T) {
	o := sweepOptions{sizes: "1",
		rings: []string{" Pulsar", "pulsar", "0x100, 0x1000000004A01, 0xa58a46cdd563", "mldsa", "256,8380417", "8, 0x61", "8,97", "8,97,27"},
		ops:   []string{"forward", " forward", "muladd", "forward"},
	}
	cases, err := o.cases(true)
	require.NoError(t, err)
	var got []string
	for _, c := range cases {
		got = append(got, c.RingName+" "+string(c.Op))
	}
	require.Equal(t, []string{"pulsar forward", "pulsar muladd", "mldsa forward", "mldsa muladd",
		"8,97 forward", "8,97 muladd", "8,97,27 forward", "8,97,27 muladd"}, got)
}

// Without a narrower question the sweep goes on to the hot path, a state root and a block;
// the ten sizes are the paper's.
func TestPlainSweep(t *testing.T) {
	sizes, err := parseSizes(paperSizes)
	require.NoError(t, err)
	require.Len(t, sizes, 10)
	for args, want := range map[string]bool{
		"": false, "--backend cpu": false, "--seed 3 --format csv": false,
		"--n 1": true, "--ring mldsa": true, "--op inverse": true, "--resident": true,
	} {
		var o sweepOptions
		flags := pflag.NewFlagSet("sweep", pflag.ContinueOnError)
		o.add(flags)
		require.NoError(t, flags.Parse(strings.Fields(args)))
		stages, err := o.stages(flags)
		require.NoError(t, err)
		if require.Equal(t, want, len(stages) == 1, args); !want {
			require.Len(t, stages, 4, args)
			require.True(t, stages[2].hashes)
		}
	}
}

// An interrupt prints what was finished, marked as such, and nothing of the size
// that was not.
func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	d := &dressed{info: gpu("wgsl", false), onCall: func(rows int) {
		if rows == 4 {
			cancel()
		}
	}}
	f := newFixture(map[string]*dressed{"wgsl": d})
	// A ring without built-in vectors, so that calls of four rows are the sweep's.
	require.Equal(t, exitFailure, f.under(ctx, quickly("--n", "1,4,16", "--ring", "8,97", "--format", "json")...))
	r, err := report.ReadJSON(&f.stdout)
	require.NoError(t, err)
	require.True(t, r.Partial)
	require.Len(t, r.Rows, 3)
	require.Contains(t, f.stderr.String(), "interrupted")
	require.NotContains(t, f.stderr.String(), "100 %")

	require.Equal(t, exitNothing, f.under(ctx, "--n", "1"))
	require.Empty(t, f.stdout.String())
}

// What a run that fails would have written leaves no trace, and the file that
// was there stays.
func TestOutIsAllOrNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "old.md")
	require.NoError(t, os.WriteFile(path, []byte("old"), 0o644))
	f := newFixture(map[string]*dressed{"wgsl": {info: gpu("wgsl", false), bend: func(dst []uint64) { dst[0] ^= 1 }}})
	require.Equal(t, exitFailure, f.sweep(t, quickly("--n", "1", "--out", path)...))
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "old", string(data))

	f = newFixture(nil)
	require.Equal(t, exitOK, f.sweep(t, quickly("--n", "1,2", "--out", path, "--plot", filepath.Join(dir, "c.svg"))...))
	data, err = os.ReadFile(path)
	require.NoError(t, err)
	require.Contains(t, string(data), "NTT forward")
	plot, err := os.ReadFile(filepath.Join(dir, "c.svg"))
	require.NoError(t, err)
	require.Contains(t, string(plot), "<svg")
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 2, "no temporary file is left")
}

// The help fits a screen and has three examples.
func TestHelp(t *testing.T) {
	f := newFixture(nil)
	for args, examples := range map[string]int{"-h": 3, "help": 3, "kat -h": 1, "hotpath --help": 1, "list -h": 0, "help kat": 1,
		"keccak -h": 1, "root -h": 2} {
		require.Equal(t, exitOK, f.sweep(t, strings.Fields(args)...), args)
		require.Empty(t, f.stderr.String())
		lines := strings.Split(f.stdout.String(), "\n")
		require.LessOrEqual(t, len(lines), 42, args)
		found := 0
		inExamples := false
		for _, line := range lines {
			require.LessOrEqual(t, len(line), 80, line)
			if strings.HasPrefix(line, "Example") {
				inExamples = true
			} else if inExamples && strings.HasPrefix(line, "  sweep") {
				found++
			} else {
				inExamples = false
			}
		}
		require.Equal(t, examples, found, args)
	}
}
