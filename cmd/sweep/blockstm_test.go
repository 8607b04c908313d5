package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/internal/report"
	"github.com/crosspoint-kernels/crosspoint/internal/suite"
)

// shortly keeps a command about blocks to a moment.
func shortly(command string, more ...string) []string {
	return append([]string{"blockstm", command, "--ntx", "200", "--workers", "1,2"}, more...)
}

func TestBlockSTMHarness(t *testing.T) {
	f := newFixture(nil)
	require.Equal(t, exitOK, f.sweep(t, shortly("harness", "--batches", "2")...), f.stderr.String())
	require.Contains(t, f.stdout.String(), "24 comparisons, 0 mismatches")
	for _, load := range []string{"0 %", "10 %", "50 %", "hot", "one slot", "dynamic"} {
		require.Contains(t, f.stdout.String(), load)
	}
}

func TestBlockSTMFormats(t *testing.T) {
	plot := filepath.Join(t.TempDir(), "x.svg")
	for command, want := range map[string]string{
		"bench": "of control", "endtoend": "ceiling", "gas": "Keccak", "simulate": "SIMULATED",
	} {
		for _, format := range report.Formats() {
			if command != "endtoend" && format != "md" {
				continue // what differs is in package report
			}
			f := newFixture(nil)
			args := shortly(command, "--reps", "1", "--gas", "1", "--conflict", "10", "--format", format)
			require.Equal(t, exitOK, f.sweep(t, append(args, "--plot", plot)...), f.stderr.String())
			require.NotEmpty(t, f.stdout.String())
			figure, err := os.ReadFile(plot)
			require.NoError(t, err)
			if format == "md" && command != "gas" {
				require.True(t, strings.Contains(f.stdout.String(), want), want)
			}
			require.True(t, strings.Contains(string(figure), "speed-up over the sequential run"))
		}
	}
}

func TestBlockSTMJSON(t *testing.T) {
	f := newFixture(nil)
	require.Equal(t, exitOK, f.sweep(t, shortly("endtoend", "--reps", "2", "--gas", "0", "--conflict", "0,hot,oneslot,dynamic,transfers",
		"--root", "merkle,mpt", "--deltas", "--zipf", "1.2", "--distance", "7", "--read-only", "10", "--format", "json")...), f.stderr.String())
	r, err := report.ReadJSON(&f.stdout)
	require.NoError(t, err)
	require.Len(t, r.Machine.Devices, 1)
	roots := map[string]map[string]bool{}
	for _, b := range r.Blocks {
		require.True(t, b.Deltas)
		require.Contains(t, b.Load, "zipf 1.2, distance 7, 10 % read only")
		if roots[b.RootKind+b.Load] == nil {
			roots[b.RootKind+b.Load] = map[string]bool{}
		}
		roots[b.RootKind+b.Load][b.Root] = true
	}
	require.Len(t, roots, 10)
	for which, seen := range roots {
		require.Len(t, seen, 1, which)
	}
}

func TestBlockSTMExitCodes(t *testing.T) {
	folder := t.TempDir()
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"blockstm"}, exitNothing, "harness, bench, endtoend, gas, simulate"},
		{[]string{"blockstm", "bench", "x"}, exitNothing, "takes no arguments"},
		{shortly("harness", "--batches", "0"), exitNothing, "0 batches"},
		{shortly("harness", "--plot", "x.svg"), exitNothing, "no curves"},
		{shortly("harness", "--workers", "2,1"), exitNothing, "--workers"},
		{shortly("harness", "--out", folder), exitNothing, "is a folder"},
		{shortly("bench", "--conflict", "101"), exitNothing, "neither a percentage"},
		{shortly("bench", "--conflict", "-1"), exitNothing, "neither a percentage"},
		{shortly("bench", "--conflict", "warm"), exitNothing, "oneslot"},
		{shortly("bench", "--gas", "-1"), exitNothing, "Gas"},
		{shortly("bench", "--ntx", "0"), exitNothing, "0 transactions"},
		{shortly("bench", "--reps", "0"), exitNothing, "0 repetitions"},
		{shortly("bench", "--workers", "4096"), exitNothing, "4096 workers"},
		{shortly("bench", "--read-only", "200"), exitNothing, "--read-only: 200"},
		{shortly("bench", "--read-only", "NaN"), exitNothing, "not a percentage"},
		{shortly("bench", "--conflict", ""), exitNothing, "no load"},
		{shortly("endtoend", "--root", ""), exitNothing, "needs a name"},
		{shortly("endtoend", "--backend", ""), exitNothing, "needs a name"},
		{shortly("endtoend", "--root", "verkle"), exitNothing, "merkle, mpt"},
		{shortly("endtoend", "--overlap", "often"), exitNothing, "always"},
		{shortly("endtoend", "--backend", "abacus"), exitNothing, "there are cpu"},
		{shortly("endtoend", "--backend", "metal"), exitNothing, "metal is not here"},
		{shortly("endtoend", "--format", "pdf"), exitNothing, "pdf"},
		{shortly("simulate", "--latency", "1ms"), exitNothing, "not simulated"},
		{shortly("simulate", "--overlap", "always"), exitNothing, "not simulated"},
	} {
		f := newFixture(map[string]*dressed{"metal": nil})
		require.Equal(t, c.code, f.sweep(t, c.args...), "%v: %s", c.args, f.stderr.String())
		require.Contains(t, f.stderr.String(), c.says, c.args)
		require.Empty(t, f.stdout.String())
	}
}

// A device that hashes wrongly is found out before it is timed.
func TestBlockSTMWrongRoot(t *testing.T) {
	calls := 0
	d := &dressed{info: gpu("wgsl", false), spoil: func(dst [][32]byte) {
		if len(dst) < 1000 {
			return // a known answer
		}
		if calls++; calls == 40 {
			dst[0][0] ^= 1
		}
	}}
	f := newFixture(map[string]*dressed{"wgsl": d})
	args := []string{"blockstm", "endtoend", "--ntx", "3000", "--workers", "2", "--reps", "50", "--gas", "0", "--conflict", "0", "--backend", "wgsl"}
	require.Equal(t, exitFailure, f.sweep(t, args...))
	require.Contains(t, f.stderr.String(), "differs from the sequential run")
}

func TestBlockSTMInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	f := newFixture(nil)
	require.NotEqual(t, exitOK, f.under(ctx, shortly("bench")...))
	require.Empty(t, f.stdout.String())
}

// The plain command has a block whose root each backend hashes.
func TestBlockStage(t *testing.T) {
	f := newFixture(map[string]*dressed{"wgsl": {info: gpu("wgsl", true)}})
	cs, _, err := f.app.enter(&backendOptions{names: []string{"all"}})
	require.NoError(t, err)
	s := blockStage(1, 500)
	found, err := s.run(t.Context(), cs, suite.Measuring{})
	require.NoError(t, err)
	var backends []string
	for _, b := range found.Blocks {
		if b.Run == report.RunParallel {
			backends = append(backends, b.Backend)
			require.True(t, b.Verified)
			require.Equal(t, b.Backend == "wgsl", b.Software)
		}
	}
	require.Equal(t, []string{"cpu", "wgsl"}, backends)
}
