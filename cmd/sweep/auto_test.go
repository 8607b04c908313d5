package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/backends/auto"
	"github.com/crosspoint-kernels/crosspoint/internal/report"
)

// The real command: a sweep writes a table, and auto chooses by it.
func TestAutoByATable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "table.json")
	var stdout, stderr bytes.Buffer
	code := run(t.Context(), quickly("--n", "1,4,16", "--ring", "8,97", "--op", "forward,inverse", "--table", path, "--out", os.DevNull), &stdout, &stderr)
	require.Equal(t, exitOK, code, stderr.String())
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	table, err := auto.ReadTable(f)
	require.NoError(t, err)
	ops := map[string]int{}
	for _, c := range table.Curves {
		ops[c.Op]++
		require.GreaterOrEqual(t, len(c.Points), 3)
		require.True(t, strings.HasPrefix(c.Ring, "8,97,"), c.Ring)
	}
	require.GreaterOrEqual(t, ops["forward"], len(table.Backends))
	require.GreaterOrEqual(t, ops["inverse"], len(table.Backends))

	for _, args := range [][]string{{"auto", "--n", "1,4", "--ring", "8,97"}, {"auto", "--n", "1,4", "--ring", "8,97", "--from", path, "--backend", "cpu"}} {
		stdout.Reset()
		stderr.Reset()
		require.Equal(t, exitOK, run(t.Context(), quickly(args...), &stdout, &stderr), stderr.String())
		require.Regexp(t, `(?m)^ *1 +(cpu|simd)`, stdout.String())
		require.Contains(t, stdout.String(), "[0, 4): ")
	}
}

// A table of hashes is of the names that auto has for lengths.
func TestTableOfHashes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "table.json")
	var stdout, stderr bytes.Buffer
	require.Equal(t, exitOK, run(t.Context(), quickly("keccak", "--n", "1,4", "--len", "32,136", "--backend", "cpu", "--table", path), &stdout, &stderr), stderr.String())
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	table, err := auto.ReadTable(f)
	require.NoError(t, err)
	require.Equal(t, cpuName(), table.Machine)
	ops := map[string]bool{}
	for _, c := range table.Curves {
		require.Len(t, c.Points, 2)
		ops[c.Op] = true
	}
	require.Equal(t, map[string]bool{auto.HashOp(32): true, auto.HashOp(136): true}, ops)

	b, err := auto.New(auto.Options{Table: table, Machine: cpuName(), Drivers: []string{"cpu"}})
	require.NoError(t, err)
	defer b.Close()
	h, err := b.Keccak()
	require.NoError(t, err)
	defer h.Close()
	c, err := auto.ExplainHash(h, 4, 32, false)
	require.NoError(t, err)
	for _, x := range c.Candidates {
		for _, curve := range table.Curves {
			if curve.Op == auto.HashOp(32) && x.Backend == curve.Backend && curve.Workers > 1 {
				require.InDelta(t, curve.Points[1].Ns, float64(x.Expected), 1, "what was measured is what is expected")
			}
		}
	}
	_, err = auto.New(auto.Options{Table: table, Machine: "another", Drivers: []string{"cpu"}})
	require.ErrorIs(t, err, auto.ErrTable)
}

func TestAutoRefusesTables(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	other := auto.NewTable()
	var b bytes.Buffer
	require.NoError(t, other.Write(&b))
	for name, c := range map[string]struct {
		path, want string
		code       int
	}{
		"no file":      {filepath.Join(dir, "none"), "no such file", exitNothing},
		"no table":     {write("a", "{"), "table of measurements", exitNothing},
		"of another":   {write("b", `{"schema":"crosspoint-auto/0"}`), "schema", exitNothing},
		"of no device": {write("c", b.String()), "required: auto is not here", exitFailure},
	} {
		var stdout, stderr bytes.Buffer
		require.Equal(t, c.code, run(t.Context(), quickly("auto", "--n", "1", "--from", c.path), &stdout, &stderr), name)
		require.Contains(t, stderr.String(), c.want, name)
	}
	for _, args := range [][]string{{"auto", "--backend", "none"}, {"auto", "--op", "none"}, {"auto", "--n", "x"}, {"auto", "--budget", "-1s"},
		{"--table", "x.json", "--out", "x.json"}} {
		var stdout, stderr bytes.Buffer
		require.Equal(t, exitNothing, run(t.Context(), args, &stdout, &stderr), args)
	}
}

// All is every backend that computes something; auto is measured where it is named.
func TestAllIsWithoutAuto(t *testing.T) {
	drivers := []string{"cpu", "wgsl", "auto"}
	for _, c := range []struct {
		o    backendOptions
		want []string
	}{
		{backendOptions{names: []string{"all"}}, drivers},
		{backendOptions{names: []string{"all"}, withoutAuto: true}, drivers[:2]},
		{backendOptions{names: []string{"all", "auto"}, withoutAuto: true}, drivers},
		{backendOptions{names: []string{"all"}, require: []string{"auto"}, withoutAuto: true}, drivers},
		{backendOptions{names: []string{"auto"}, withoutAuto: true}, drivers[2:]},
	} {
		got, err := c.o.selected(drivers)
		require.NoError(t, err)
		require.Equal(t, c.want, got)
	}
}

// Auto is measured beside the others where it is named.
func TestAutoIsMeasuredWhereNamed(t *testing.T) {
	var stdout, stderr bytes.Buffer
	require.Equal(t, exitOK, run(t.Context(), quickly("--n", "1,2", "--ring", "8,97", "--backend", "auto,cpu", "--format", "json"), &stdout, &stderr), stderr.String())
	r, err := report.ReadJSON(&stdout)
	require.NoError(t, err)
	names := map[string]bool{}
	for _, row := range r.Rows {
		names[row.Backend] = true
	}
	require.Equal(t, map[string]bool{"cpu": true, "cpu-mt": true, "auto": true}, names)
}
