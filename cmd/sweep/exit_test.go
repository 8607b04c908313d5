package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// Devices of one backend: one that is right, one that is wrong in its last
// coefficient, none, and one that does not support small rings.
func right() map[string]*dressed  { return map[string]*dressed{"wgsl": {info: gpu("wgsl", false)}} }
func absent() map[string]*dressed { return map[string]*dressed{"wgsl": nil} }

func wrong() map[string]*dressed {
	flip := func(dst []uint64) { dst[len(dst)-1] ^= 1 }
	return map[string]*dressed{"wgsl": {info: gpu("wgsl", false), bend: flip}}
}

func partly() map[string]*dressed {
	return map[string]*dressed{"wgsl": {info: gpu("wgsl", false), refuse: func(r *ntt.Ring) error {
		if r.N() < 256 {
			return &backends.Error{Backend: "wgsl", Op: "plan", Err: backends.ErrUnsupported}
		}
		return nil
	}}}
}

// exits runs a command line on devices, and checks its code and what it says.
func exits(t *testing.T, devices map[string]*dressed, line string, code int, says []string) {
	t.Helper()
	f := newFixture(devices)
	args := strings.Fields(line)
	if args[0] != "kat" && args[0] != "hotpath" && !strings.Contains(line, "budget") {
		args = quickly(args...)
	}
	require.Equal(t, code, f.sweep(t, args...), "%s\n%s", f.stdout.String(), f.stderr.String())
	for _, s := range says {
		require.Contains(t, f.stderr.String(), s)
	}
}

// The exit codes for what is here and what it does, each with what is said of it.
func TestExitCodes(t *testing.T) {
	for name, c := range map[string]struct {
		devices func() map[string]*dressed
		line    string
		code    int
		says    []string
	}{
		"all is well":           {right, "--n 1", exitOK, nil},
		"absent, not asked for": {absent, "--n 1", exitOK, []string{"wgsl is not here", "no adapter"}},
		"absent beside cpu":     {absent, "--n 1 --backend cpu,wgsl", exitOK, []string{"wgsl is not here"}},
		"only absent":           {absent, "--n 1 --backend wgsl", exitNothing, []string{"nothing to run", "no adapter"}},
		"no such device":        {absent, "--n 1 --device nope", exitNothing, []string{"nothing to run", `"nope"`}},
		"no such, beside cpu":   {absent, "--n 1 --device nope --backend cpu,wgsl", exitNothing, []string{`"nope"`, "no adapter"}},
		"metal elsewhere":       {right, "--n 1 --backend metal", exitNothing, []string{"unknown backend", "macOS alone", "wgsl"}},
		"metallib elsewhere":    {right, "--n 1 --metallib kernels.metallib", exitNothing, []string{"--metallib", "macOS alone"}},
		"no kind":               {right, "root --kind= --leaves 4", exitNothing, []string{"nothing to run: an empty list"}},
		"no set":                {right, "root --set= --leaves 4", exitNothing, []string{"nothing to run: an empty list"}},
		"no op":                 {right, "--op= --n 1", exitNothing, []string{"nothing to run: an empty list"}},
		"no devices at all":     {right, "--n 1 --device nope --backend cpu", exitNothing, []string{"nothing to run", `"nope"`}},
		"nor required":          {right, "kat --device nope --backend cpu --require cpu", exitNothing, []string{`"nope"`}},
		"a device":              {right, "--n 1 --device test", exitOK, nil},
		"required and absent":   {absent, "--n 1 --require wgsl", exitFailure, []string{"required: wgsl", "no adapter"}},
		"required, unknown":     {absent, "--n 1 --require cuda", exitFailure, []string{"required: cuda", "not in this build"}},
		"two required":          {absent, "--n 1 --require cuda,wgsl", exitFailure, []string{"required: cuda", "required: wgsl"}},
		"required and here":     {right, "--n 1 --require wgsl,cpu-mt --backend cpu", exitOK, nil},
		"mismatch":              {wrong, "--n 1", exitFailure, []string{"wgsl", "got", "want"}},
		"mismatch, no vectors":  {wrong, "--n 1,4 --ring 8,97", exitFailure, []string{"wgsl", "row 0, coefficient 7", "got", "want", "seed 1"}},
		"unsupported":           {partly, "--n 1 --ring 8,97", exitOK, []string{"not supported"}},
		"required, unsupported": {partly, "--n 1 --ring 8,97 --require wgsl", exitFailure, []string{"not supported"}},
		"kat":                   {right, "kat", exitOK, nil},
		"kat mismatch":          {wrong, "kat", exitFailure, []string{"wgsl", "vectors failed"}},
		"kat required":          {absent, "kat --require wgsl", exitFailure, []string{"required: wgsl"}},
		"kat only absent":       {absent, "kat --backend wgsl", exitNothing, []string{"nothing to run"}},
	} {
		t.Run(name, func(t *testing.T) { exits(t, c.devices(), c.line, c.code, c.says) })
	}
}

// Why a backend is not here is said once, without the layers of the error.
func TestCause(t *testing.T) {
	f := newFixture(absent())
	require.Equal(t, exitNothing, f.sweep(t, "list", "--metallib", "kernels.metallib"))
	require.Contains(t, f.stderr.String(), "macOS alone")
	require.Equal(t, exitOK, f.sweep(t, "list"))
	require.Contains(t, f.stdout.String(), "  wgsl: no adapter\n")
	require.Equal(t, exitOK, f.sweep(t, quickly("--n", "1")...))
	require.Contains(t, f.stderr.String(), "sweep: wgsl is not here: no adapter\n")
	deep := &backends.Error{Backend: "wgsl", Op: "open",
		Err: fmt.Errorf("%w: gpu: open: no suitable device: vulkan: none", backends.ErrUnavailable)}
	require.Equal(t, "no suitable device: vulkan: none", cause(deep))
	require.Equal(t, "any other", cause(errors.New("any other")))
}

// Arguments that make no sense are refused before anything is run.
func TestArgumentsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		line string
		says []string
	}{
		"unknown flag":        {"--foo", []string{"--foo", "--backend", "--n"}},
		"unknown flag of kat": {"kat --n 1", []string{"--n", "--file"}},
		"unknown command":     {"swep", []string{"swep", "hotpath", "kat", "list"}},
		"file without flag":   {"kat mine.json", []string{"kat takes no arguments; did you mean --file mine.json?\n"}},
		"leaves without flag": {"root a.csv", []string{"root takes no arguments; did you mean --input a.csv?\n"}},
		"argument of hotpath": {"hotpath 4", []string{`hotpath takes no arguments, such as "4", but flags; sweep hotpath --help`}},
		"unknown backend":     {"--backend cuda", []string{"cuda", "there are cpu, cpu-mt, wgsl\n"}},
		"unknown ring":        {"--ring kyber", []string{"kyber", "pulsar, mldsa, fhe27"}},
		"no ring":             {"--ring 256,15", []string{"not prime"}},
		"unknown op":          {"--op add", []string{"add", "forward, inverse, muladd"}},
		"unknown format":      {"--format xml", []string{"xml", "md, csv, json"}},
		"unknown kat format":  {"kat --format csv", []string{"csv", "md, json, junit"}},
		"unknown plot":        {"--plot x.gif", []string{".svg or .png"}},
		"not a ratio":         {"--tolerance x", []string{"sweep: --tolerance: \"x\" is not a ratio such as 0.1\n"}},
		"not a time":          {"--budget=5", []string{"sweep: --budget: \"5\" is not a time such as 200ms\n"}},
		"not a seed":          {"--seed -1", []string{"sweep: --seed: \"-1\" is not a number from 0 to"}},
		"not a number":        {"--n 1,x", []string{"sweep: --n: \"x\" is not a number\n"}},
		"bad sizes":           {"--n 4,1", []string{"must increase"}},
		"too large":           {"--n 1000000000", []string{"the most are"}},
		"bad signers":         {"hotpath --signers 0", []string{"--signers"}},
		"too many signers":    {"hotpath --signers 1000000", []string{"too large"}},
		"negative budget":     {"--budget -1s", []string{"negative"}},
		"bad tolerance":       {"--tolerance -1", []string{"tolerance"}},
		"no base":             {"--base nowhere.json", []string{"nowhere.json"}},
		"no place":            {"--out nowhere/at/all.md", []string{"nowhere/at/all.md"}},
		"a folder":            {"--out .", []string{"folder"}},
		"no place for a plot": {"--plot nowhere/at/all.svg", []string{"nowhere/at/all.svg"}},
		"one file for both":   {"--out p.svg --plot ./p.svg", []string{"same file"}},
		"no file":             {"kat --file nowhere.json", []string{"nowhere.json"}},
	} {
		t.Run(name, func(t *testing.T) { exits(t, right(), c.line, exitNothing, c.says) })
	}
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
