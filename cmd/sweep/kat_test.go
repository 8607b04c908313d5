package main

import (
	"encoding/json"
	"encoding/xml"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/kat"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// limited supports rings up to N = 256.
func limited() map[string]*dressed {
	return map[string]*dressed{"wgsl": {info: gpu("wgsl", true), refuse: func(r *ntt.Ring) error {
		if r.N() > 256 {
			return &backends.Error{Backend: "wgsl", Op: "plan", Err: backends.ErrUnsupported}
		}
		return nil
	}}, "metal": nil}
}

// Every built-in vector passes on every backend of this machine that is no
// device: those are held to them by their own tests.
func TestKATBuiltIn(t *testing.T) {
	f := newFixture(nil)
	if !testing.Short() { // tries of 50,000 leaves take long under the race detector
		f.app.vectors = kat.Files
	}
	require.Equal(t, exitOK, f.sweep(t, "kat"), f.stderr.String())
	require.Regexp(t, `\| cpu-mt \| CPU \| \d{3} \| 0 \| 0 \|`, f.stdout.String())
}

// Digests and state roots are among the known answers: a backend that hashes
// wrongly fails them and nothing else.
func TestKATHashes(t *testing.T) {
	f := newFixture(map[string]*dressed{"wgsl": {info: gpu("wgsl", true), spoil: func(dst [][32]byte) { dst[0][31] ^= 1 }}})
	require.Equal(t, exitFailure, f.sweep(t, "kat", "--format", "json"))
	require.Contains(t, f.stderr.String(), "wgsl: ")
	var r katReport
	require.NoError(t, json.Unmarshal(f.stdout.Bytes(), &r))
	for _, b := range r.Backends {
		failed := map[string]bool{}
		for _, c := range b.Cases {
			if c.Status == statusFailed {
				failed[c.Op] = true
				require.Empty(t, c.Ring)
			}
		}
		for _, op := range []string{"keccak256", "mpt", "mpt secure", "merkle", "state-mpt"} {
			require.Equal(t, b.Backend == "wgsl", failed[op], "%s on %s", op, b.Backend)
		}
	}
}

// Skipped vectors are counted with their reason, and are no failure.
func TestKATOutcomes(t *testing.T) {
	f := newFixture(limited())
	require.Equal(t, exitOK, f.sweep(t, "kat", "--format", "json", "--require", "wgsl"), f.stderr.String())
	var r katReport
	require.NoError(t, json.Unmarshal(f.stdout.Bytes(), &r))
	require.Equal(t, katSchema, r.Schema)
	require.Len(t, r.Backends, 5, "the functions of package keccak too")
	for _, b := range r.Backends {
		require.Zero(t, b.Failed)
		require.Equal(t, len(b.Cases), b.Passed+b.Skipped)
		require.Equal(t, b.Backend == "wgsl", b.Skipped > 0)
		require.Equal(t, b.Backend == "wgsl", b.Software)
		require.Equal(t, b.Backend == "metal", b.Absent != "")
		for _, c := range b.Cases {
			require.Equal(t, c.Status == statusPassed, c.Reason == "")
		}
	}

	require.Equal(t, exitOK, f.sweep(t, "kat"))
	require.Contains(t, f.stdout.String(), "| wgsl | Test wgsl (software) |")
	require.Contains(t, f.stdout.String(), "metal is not here: ")
	require.Regexp(t, `- wgsl skipped \d+: .*not supported`, f.stdout.String())

	require.Equal(t, exitOK, f.sweep(t, "kat", "--format", "junit"))
	var doc struct {
		Suites []struct {
			Tests   int `xml:"tests,attr"`
			Skipped int `xml:"skipped,attr"`
		} `xml:"testsuite"`
	}
	require.NoError(t, xml.Unmarshal(f.stdout.Bytes(), &doc))
	require.Len(t, doc.Suites, 5)
	require.NotZero(t, doc.Suites[2].Skipped)
}

// A required backend that can do nothing of what was asked has not been checked.
func TestKATRequiresAPass(t *testing.T) {
	all := limited()
	all["wgsl"].refuse = func(*ntt.Ring) error { return backends.ErrUnsupported }
	all["wgsl"].noHash = backends.ErrUnsupported
	f := newFixture(all)
	require.Equal(t, exitOK, f.sweep(t, "kat"))
	require.Equal(t, exitFailure, f.sweep(t, "kat", "--require", "wgsl"))
	require.Contains(t, f.stderr.String(), "supports none")
}

// An external file in either schema runs as the built-in vectors do.
func TestKATFile(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		return path
	}
	file := func(output string) string {
		return `{"schema": "` + kat.Schema + `", "name": "mine", "provenance": {"source": "by hand", "licence": "none"},
			"rings": [{"name": "tiny", "n": 8, "q": "0x61", "psi": "0x8"}],
			"vectors": [{"name": "one", "ring": "tiny", "op": "forward", "rows": 1,
				"inputs": [{"gen": "delta", "at": 0, "values": "1"}], "output": {"rows": ["` + output + `"]}}]}`
	}
	good := write("good.json", file("1 1 1 1 1 1 1 1"))
	bad := write("bad.json", file("1 1 1 1 1 1 1 2"))
	f := newFixture(nil)
	require.Equal(t, exitOK, f.sweep(t, "kat", "--file", good), f.stderr.String())
	require.Contains(t, f.stdout.String(), "| cpu | CPU | 1 | 0 | 0 |")
	out := filepath.Join(dir, "kat.xml")
	require.Equal(t, exitFailure, f.sweep(t, "kat", "--file", bad, "--format", "junit", "--out", out))
	require.Contains(t, f.stderr.String(), "the first one")
	data, err := os.ReadFile(out)
	require.NoError(t, err)
	require.Contains(t, string(data), "<failure", "the outcome is written all the same")
	require.Equal(t, exitNothing, f.sweep(t, "kat", "--file", write("junk.json", "{}")))
	require.Contains(t, f.stderr.String(), "junk.json")
}
