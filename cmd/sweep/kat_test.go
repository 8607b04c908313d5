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
	require.Contains(t, f.stdout.String(), "| keccak package | CPU, no backend |")
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
	require.Regexp(t, `required: wgsl supports none of the \d+ vectors`, f.stderr.String())
}

// What a required backend was not checked on is said with its number.
func TestKATTellsSkipsOfTheRequired(t *testing.T) {
	f := newFixture(limited())
	require.Equal(t, exitOK, f.sweep(t, "kat"))
	require.NotContains(t, f.stderr.String(), "skipped")
	require.Equal(t, exitOK, f.sweep(t, "kat", "--require", "wgsl,cpu"))
	require.Regexp(t, `required: wgsl skipped \d+ of \d+ vectors`, f.stderr.String())
	require.NotContains(t, f.stderr.String(), "cpu skipped")
}

// A required backend that is missing is a failure in the report too, which is
// written before the command fails. Cases tell their time.
func TestKATWritesWhatIsMissing(t *testing.T) {
	f := newFixture(map[string]*dressed{"wgsl": nil, "metal": nil})
	out := filepath.Join(t.TempDir(), "kat.xml")
	require.Equal(t, exitFailure, f.sweep(t, "kat", "--require", "wgsl,cuda", "--format", "junit", "--out", out))
	for _, s := range []string{"required: wgsl is not here", "required: cuda is not here"} {
		require.Contains(t, f.stderr.String(), s)
	}
	data, err := os.ReadFile(out)
	require.NoError(t, err)
	var doc struct {
		Failures int `xml:"failures,attr"`
		Suites   []struct {
			Name  string `xml:"name,attr"`
			Cases []struct {
				Name    string   `xml:"name,attr"`
				Time    *float64 `xml:"time,attr"`
				Failure *struct {
					Message string `xml:"message,attr"`
				} `xml:"failure"`
				Skipped *struct{} `xml:"skipped"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	require.NoError(t, xml.Unmarshal(data, &doc))
	require.Equal(t, 2, doc.Failures)
	require.Len(t, doc.Suites, 6)
	for _, s := range doc.Suites {
		first := s.Cases[0]
		switch s.Name {
		case "wgsl", "cuda":
			require.Equal(t, "open", first.Name)
			require.Contains(t, first.Failure.Message, "required: ")
			require.Nil(t, first.Time, "no time is claimed")
		case "metal":
			require.NotNil(t, first.Skipped)
		default: // cpu, cpu-mt and package keccak
			require.Greater(t, len(s.Cases), 20)
			require.Positive(t, *first.Time)
		}
	}
	require.Equal(t, exitFailure, f.sweep(t, "kat", "--require", "wgsl", "--format", "json"))
	require.Contains(t, f.stdout.String(), `"required": true`)
}

// What to do about a missing backend is for the backend to say, since only it
// knows whether there is no device or none of that name; nothing is added.
func TestAbsenceIsSaidOnce(t *testing.T) {
	f := newFixture(map[string]*dressed{"wgsl": nil})
	require.Equal(t, exitOK, f.sweep(t, "kat"))
	require.Equal(t, "sweep: wgsl is not here: no adapter\n", f.stderr.String())
	require.Equal(t, exitOK, f.sweep(t, "list"))
	require.Contains(t, f.stdout.String(), "\nNot available:\n  wgsl: no adapter\n")
	require.NotContains(t, f.stdout.String(), "install")
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

// A file that has no end, or that is too large, is refused; the largest is read.
func TestKATFileIsBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "large.json")
	require.NoError(t, os.WriteFile(path, make([]byte, 100), 0o666))
	data, err := readBounded(path, 100)
	require.NoError(t, err)
	require.Len(t, data, 100)
	_, err = readBounded(path, 99)
	require.ErrorIs(t, err, errFileSize)

	require.NoError(t, os.Truncate(path, maxFile+1))
	f := newFixture(nil)
	require.Equal(t, exitNothing, f.sweep(t, "kat", "--file", path))
	require.Contains(t, f.stderr.String(), "large.json: too large: more than 67108864 bytes")
}
