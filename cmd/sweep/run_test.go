package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/internal/report"
	"github.com/crosspoint-kernels/crosspoint/ntt"
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
	require.Len(t, r.Rows, 2*2*3*2, "rings, operations, sizes, contestants")
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

// The exit codes, each for its own reason, and what is said of it.
func TestExitCodes(t *testing.T) {
	flip := func(dst []uint64) { dst[len(dst)-1] ^= 1 }
	unsupported := func(r *ntt.Ring) error {
		if r.N() < 256 {
			return &backends.Error{Backend: "wgsl", Op: "plan", Err: backends.ErrUnsupported}
		}
		return nil
	}
	right := func() map[string]*dressed { return map[string]*dressed{"wgsl": {info: gpu("wgsl", false)}} }
	wrong := func() map[string]*dressed { return map[string]*dressed{"wgsl": {info: gpu("wgsl", false), bend: flip}} }
	absent := func() map[string]*dressed { return map[string]*dressed{"wgsl": nil} }
	partly := func() map[string]*dressed {
		return map[string]*dressed{"wgsl": {info: gpu("wgsl", false), refuse: unsupported}}
	}
	for name, c := range map[string]struct {
		devices map[string]*dressed
		args    string
		code    int
		says    []string
	}{
		"all is well":           {right(), "--n 1", exitOK, nil},
		"absent, not asked for": {absent(), "--n 1", exitOK, []string{"wgsl is not here", "no adapter"}},
		"absent beside cpu":     {absent(), "--n 1 --backend cpu,wgsl", exitOK, []string{"wgsl is not here"}},
		"only absent":           {absent(), "--n 1 --backend wgsl", exitNothing, []string{"nothing to run", "no adapter"}},
		"no such device":        {absent(), "--n 1 --device nope", exitNothing, []string{"nothing to run", `"nope"`}},
		"no such, beside cpu":   {absent(), "--n 1 --device nope --backend cpu,wgsl", exitNothing, []string{`"nope"`, "no adapter"}},
		"no devices at all":     {right(), "--n 1 --device nope --backend cpu", exitNothing, []string{"nothing to run", `"nope"`}},
		"nor required":          {right(), "kat --device nope --backend cpu --require cpu", exitNothing, []string{`"nope"`}},
		"a device":              {right(), "--n 1 --device test", exitOK, nil},
		"required and absent":   {absent(), "--n 1 --require wgsl", exitFailure, []string{"required: wgsl", "no adapter"}},
		"required, unknown":     {absent(), "--n 1 --require cuda", exitFailure, []string{"required: cuda", "not in this build"}},
		"two required":          {absent(), "--n 1 --require cuda,wgsl", exitFailure, []string{"required: cuda", "required: wgsl"}},
		"required and here":     {right(), "--n 1 --require wgsl,cpu-mt --backend cpu", exitOK, nil},
		"mismatch":              {wrong(), "--n 1", exitFailure, []string{"wgsl", "got", "want"}},
		"mismatch, no vectors":  {wrong(), "--n 1,4 --ring 8,97", exitFailure, []string{"wgsl", "row 0, coefficient 7", "got", "want", "seed 1"}},
		"unsupported":           {partly(), "--n 1 --ring 8,97", exitOK, []string{"not supported"}},
		"required, unsupported": {partly(), "--n 1 --ring 8,97 --require wgsl", exitFailure, []string{"not supported"}},
		"kat":                   {right(), "kat", exitOK, nil},
		"kat mismatch":          {wrong(), "kat", exitFailure, []string{"wgsl", "vectors failed"}},
		"kat required":          {absent(), "kat --require wgsl", exitFailure, []string{"required: wgsl"}},
		"kat only absent":       {absent(), "kat --backend wgsl", exitNothing, []string{"nothing to run"}},
		"unknown flag":          {right(), "--foo", exitNothing, []string{"--foo", "--backend", "--n"}},
		"unknown flag of kat":   {right(), "kat --n 1", exitNothing, []string{"--n", "--file"}},
		"unknown command":       {right(), "swep", exitNothing, []string{"swep", "hotpath", "kat", "list"}},
		"unknown backend":       {right(), "--backend cuda", exitNothing, []string{"cuda", "cpu, wgsl"}},
		"unknown ring":          {right(), "--ring kyber", exitNothing, []string{"kyber", "pulsar, mldsa, fhe27"}},
		"no ring":               {right(), "--ring 256,15", exitNothing, []string{"not prime"}},
		"unknown op":            {right(), "--op add", exitNothing, []string{"add", "forward, inverse, muladd"}},
		"unknown format":        {right(), "--format xml", exitNothing, []string{"xml", "md, csv, json"}},
		"unknown kat format":    {right(), "kat --format csv", exitNothing, []string{"csv", "md, json, junit"}},
		"unknown plot":          {right(), "--plot x.gif", exitNothing, []string{".svg or .png"}},
		"bad sizes":             {right(), "--n 4,1", exitNothing, []string{"must increase"}},
		"too large":             {right(), "--n 1000000000", exitNothing, []string{"the most are"}},
		"bad signers":           {right(), "hotpath --signers 0", exitNothing, []string{"--signers"}},
		"too many signers":      {right(), "hotpath --signers 1000000", exitNothing, []string{"too large"}},
		"negative budget":       {right(), "--budget -1s", exitNothing, []string{"negative"}},
		"bad tolerance":         {right(), "--tolerance -1", exitNothing, []string{"tolerance"}},
		"no base":               {right(), "--base nowhere.json", exitNothing, []string{"nowhere.json"}},
		"no place":              {right(), "--out nowhere/at/all.md", exitNothing, []string{"nowhere/at/all.md"}},
		"a folder":              {right(), "--out .", exitNothing, []string{"folder"}},
		"no place for a plot":   {right(), "--plot nowhere/at/all.svg", exitNothing, []string{"nowhere/at/all.svg"}},
		"one file for both":     {right(), "--out p.svg --plot ./p.svg", exitNothing, []string{"same file"}},
		"no file":               {right(), "kat --file nowhere.json", exitNothing, []string{"nowhere.json"}},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(c.devices)
			args := strings.Fields(c.args)
			if args[0] != "kat" && args[0] != "hotpath" && !strings.Contains(c.args, "budget") {
				args = quickly(args...)
			}
			code := f.sweep(t, args...)
			require.Equal(t, c.code, code, "%s\n%s", f.stdout.String(), f.stderr.String())
			for _, s := range c.says {
				require.Contains(t, f.stderr.String(), s)
			}
		})
	}
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
	for factor, code := range map[float64]int{0.5: exitRegression, 0.97: exitOK, 1: exitOK, 2: exitOK} {
		require.Equal(t, code, f.sweep(t, append(args, "--base", scaled(factor))...), "%v: %s", factor, f.stderr.String())
		require.Contains(t, f.stdout.String(), "## Against")
	}
	require.Equal(t, exitRegression, f.sweep(t, append(args, "--base", scaled(0.97), "--tolerance", "0.01")...))
	require.Contains(t, f.stderr.String(), "6 of 6 cells are slower")
	require.Equal(t, exitOK, f.sweep(t, append(args, "--base", now)...), "a report may replace its own base")
}

// Of errors that are joined the gravest decides the code, in whatever order and
// however wrapped.
func TestExitCode(t *testing.T) {
	fail, slower, nothing := errors.New("failed"), &exitError{exitRegression, errors.New("slower")}, usage(errors.New("junk"))
	for code, errs := range map[int][]error{
		exitOK:         {nil, errors.Join(nil, nil)},
		exitFailure:    {fail, errors.Join(slower, fail), errors.Join(nothing, errors.Join(slower, fail)), fmt.Errorf("a %w", fail)},
		exitRegression: {slower, errors.Join(nothing, slower), fmt.Errorf("a %w", errors.Join(slower, nothing))},
		exitNothing:    {nothing, errors.Join(nil, nothing), fmt.Errorf("a %w", nothing)},
	} {
		for _, err := range errs {
			require.Equal(t, code, exitCode(err), "%v", err)
		}
	}
}

// A regression does not hide that a required backend fails: both are said, and
// the graver code is returned.
func TestRegressionHidesNoFailure(t *testing.T) {
	wgsl := &dressed{info: gpu("wgsl", false)}
	f := newFixture(map[string]*dressed{"wgsl": wgsl})
	base := filepath.Join(t.TempDir(), "base.json")
	args := quickly("--n", "1", "--ring", "8,97", "--require", "wgsl", "--tolerance", "1e9")
	require.Equal(t, exitOK, f.sweep(t, append(args, "--format", "json", "--out", base)...), f.stderr.String())

	wgsl.refuse = func(*ntt.Ring) error { return fmt.Errorf("%w: too small", backends.ErrUnsupported) }
	require.Equal(t, exitFailure, f.sweep(t, append(args, "--base", base)...))
	require.Contains(t, f.stderr.String(), "sweep: wgsl failed: ")
	require.Contains(t, f.stderr.String(), "sweep: 1 of 3 cells are slower")
}

// full is a disk without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// A report that cannot be written is said beside what else went wrong.
func TestFullDiskHidesNothing(t *testing.T) {
	f := newFixture(map[string]*dressed{"wgsl": {info: gpu("wgsl", false), bend: func(dst []uint64) {
		if len(dst) > 8 {
			dst[0] ^= 1
		}
	}}})
	f.app.stdout = full{}
	require.Equal(t, exitFailure, f.sweep(t, quickly("--n", "1,4", "--ring", "8,97")...))
	require.Contains(t, f.stderr.String(), "no space left")
	require.Contains(t, f.stderr.String(), "row 0, coefficient 0")

	require.Equal(t, exitFailure, f.sweep(t, "kat"))
	require.Contains(t, f.stderr.String(), "no space left")
	require.Contains(t, f.stderr.String(), "vectors failed")
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
	require.Equal(t, exitOK, f.sweep(t, quickly("hotpath", "--signers", "1")...), f.stderr.String())
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

// Without a narrower question the sweep goes on to the hot path; the ten sizes
// are the paper's.
func TestPlainSweep(t *testing.T) {
	sizes, err := parseSizes(paperSizes)
	require.NoError(t, err)
	require.Len(t, sizes, 10)
	for args, want := range map[string]bool{
		"": false, "--backend cpu": false, "--seed 3 --format csv": false,
		"--n 1": true, "--ring mldsa": true, "--op inverse": true, "--resident": true,
	} {
		flags := newFixture(nil).rootCommand().Flags()
		require.NoError(t, flags.Parse(strings.Fields(args)))
		require.Equal(t, want, narrowed(flags), args)
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
	for args, examples := range map[string]int{"-h": 3, "help": 3, "kat -h": 1, "hotpath --help": 1, "list -h": 0, "help kat": 1} {
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
