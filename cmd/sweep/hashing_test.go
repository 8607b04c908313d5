package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/internal/report"
	"github.com/crosspoint-kernels/crosspoint/kat"
)

const (
	genesisRoot = "d7f8974fb5ac78d9ac099b9ad5018bedc2ce0a72dad1827a1709da30580f0544"
	emptyRoot   = "56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421"
)

// file writes text to a new file and returns its path.
func file(t *testing.T, name, text string) string {
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

// noVectors leaves the check before a sweep nothing to do.
func noVectors() ([]kat.File, error) { return nil, nil }

// The commands on the CPU, in every format.
func TestRunHashing(t *testing.T) {
	for args, want := range map[string]map[string][]string{
		"keccak --n 1,4 --len 32,136": {
			"md":      {"## Keccak-256, 32 bytes", "## Keccak-256, 136 bytes", "cpu/hash", "cpu-mt M/s", "## Crossovers"},
			"csv":     {"keccak/256,cpu,", "param_len"},
			"json":    {`"op": "keccak/256"`, `"len": "136"`},
			"latex":   {"Keccak-256, 32 bytes."},
			"gobench": {"BenchmarkKeccak/backend=cpu-mt/op=256/len=136/n=4", "MB/s"},
		},
		"root --kind flat,mpt --leaves 10,20": {
			"md":      {"## Merkle-Patricia root, kv", "## Flat root, kv", "cpu/leaf", "encode", "| root ", "mpt root, kv: "},
			"csv":     {"root/mpt,cpu,", "phase_encode_ns", ",root,"},
			"json":    {`"op": "root/flat"`, `"set": "kv"`, `"root": "`},
			"latex":   {"Merkle-Patricia root, kv. Root of each state"},
			"gobench": {"BenchmarkRoot/backend=cpu/op=mpt/set=kv/leaves=20"},
		},
	} {
		for format, texts := range want {
			f := newFixture(nil)
			f.app.vectors = noVectors
			line := strings.Fields(args + " --format " + format)
			require.Equal(t, exitOK, f.sweep(t, quickly(line...)...), f.stderr.String())
			for _, s := range texts {
				require.Contains(t, f.stdout.String(), s, format)
			}
		}
	}
}

// A root is the same from every backend and in every format, and the known one
// where the seed is the number of leaves.
func TestRootJSON(t *testing.T) {
	f := newFixture(map[string]*dressed{"wgsl": {info: gpu("wgsl", true)}})
	f.app.vectors = noVectors
	require.Equal(t, exitOK, f.sweep(t, quickly("root", "--set", "account,storage", "--leaves", "1000,1500",
		"--seed", "1000", "--format", "json")...), f.stderr.String())
	r, err := report.ReadJSON(&f.stdout)
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(r.Rows), 2*2*3, "sets, sizes, contestants, and what a search adds")
	known := map[string]string{
		"account": "ea9d343607625f5736ea86a0d04009e7a03c041eb66cfae8be1674ab47e3094a",
		"storage": "1dc089d5268be3cd23b378abf9b4ddc57cba86de41a04203c3ee7b40767558fa",
	}
	for _, row := range r.Rows {
		if row.Backend == "wgsl" && row.Batch < 1024 {
			require.Contains(t, row.Error, "not supported", "the CPU would hash all of it")
			continue
		}
		require.True(t, row.Verified)
		require.Equal(t, "root/mpt", row.Op)
		require.Equal(t, row.Backend == "wgsl", row.Software)
		require.Equal(t, row.Batch == 1000, known[row.Params["set"]] == row.Root)
		require.Len(t, row.Phases, 5)
	}
}

func TestHashingExitCodes(t *testing.T) {
	boom := &backends.Error{Backend: "wgsl", Op: "keccak", Err: backends.ErrUnsupported}
	right := func() *dressed { return &dressed{info: gpu("wgsl", true)} }
	// In batches that are larger than those of the known answers.
	wrong := func() *dressed {
		return &dressed{info: gpu("wgsl", true), spoil: func(dst [][32]byte) {
			if len(dst) >= 1024 {
				dst[len(dst)-1][0] ^= 1
			}
		}}
	}
	bad := func() *dressed {
		return &dressed{info: gpu("wgsl", true), spoil: func(dst [][32]byte) { dst[0][0] ^= 1 }}
	}
	unable := func() *dressed { return &dressed{info: gpu("wgsl", true), noHash: boom} }
	good := file(t, "good.csv", "key,value\n"+strings.Repeat("abcd,01\n", 3)+"ef,02\n")
	junk := file(t, "junk.csv", "key,value\nabcd,01\n\nabc,02\n")
	for name, c := range map[string]struct {
		device *dressed
		args   string
		code   int
		says   []string
	}{
		"keccak":             {right(), "keccak --n 1 --len 32", exitOK, nil},
		"keccak mismatch":    {wrong(), "keccak --n 1,1500 --len 32", exitFailure, []string{"wgsl", "digest 1499", "got", "want", "seed 1"}},
		"keccak answers":     {bad(), "keccak --n 1 --len 32", exitFailure, []string{"wgsl: known answer"}},
		"keccak unable":      {unable(), "keccak --n 1 --len 32", exitOK, []string{"wgsl is left out", "not supported"}},
		"keccak required":    {unable(), "keccak --n 1 --len 32 --require wgsl", exitFailure, []string{"not supported"}},
		"keccak sizes":       {right(), "keccak --n 4,1", exitNothing, []string{"--n", "must increase"}},
		"keccak lengths":     {right(), "keccak --len 0", exitNothing, []string{"--len"}},
		"keccak too long":    {right(), "keccak --len 1048577 --n 1", exitNothing, []string{"1048576"}},
		"keccak too large":   {right(), "keccak --len 532 --n 100000000", exitNothing, []string{"too large"}},
		"keccak ring":        {right(), "keccak --ring mldsa", exitNothing, []string{"--ring", "--len"}},
		"root":               {right(), "root --leaves 10", exitOK, nil},
		"root mismatch":      {wrong(), "root --leaves 10,1100", exitFailure, []string{"wgsl", "1100 leaves", "got", "want", "seed 1"}},
		"root answers":       {bad(), "root --leaves 10", exitFailure, []string{"wgsl: known answer"}},
		"root unable":        {unable(), "root --leaves 10", exitOK, []string{"wgsl is left out", "not supported"}},
		"root required":      {unable(), "root --leaves 10 --require wgsl", exitFailure, []string{"not supported"}},
		"root flat":          {right(), "root --leaves 10 --kind flat", exitOK, []string{"wgsl is left out", "one sponge"}},
		"root kind":          {right(), "root --kind tree", exitNothing, []string{"tree", "mpt, merkle, flat"}},
		"root set":           {right(), "root --set slots", exitNothing, []string{"slots", "kv, account, storage"}},
		"root set of kind":   {right(), "root --kind merkle --set account", exitNothing, []string{"merkle", "account"}},
		"root leaves":        {right(), "root --leaves 0", exitNothing, []string{"--leaves"}},
		"root too many":      {right(), "root --leaves 1048577", exitNothing, []string{"1048576"}},
		"keccak no place":    {right(), "keccak --plot no/where.svg", exitNothing, []string{"no/where.svg"}},
		"root no place":      {right(), "root --plot no/where.svg", exitNothing, []string{"no/where.svg"}},
		"root of no file":    {right(), "root --input= --leaves 5", exitNothing, []string{"--input"}},
		"root as":            {right(), "root --as raw", exitNothing, []string{"--as", "--input"}},
		"file":               {right(), "root --as raw --input " + good, exitOK, []string{"keys: 2;", "cpu, cpu-mt, wgsl (software)", "given again: 2", "line 3"}},
		"file mismatch":      {wrong(), "root --input " + genesis(t), exitFailure, []string{"wgsl", "differs"}},
		"file unable":        {unable(), "root --as raw --input " + good, exitOK, []string{"wgsl is left out"}},
		"file required":      {unable(), "root --as raw --input " + good + " --require wgsl", exitFailure, []string{"wgsl"}},
		"file bad line":      {right(), "root --as raw --input " + junk, exitNothing, []string{junk + ":4: ", "hexadecimal"}},
		"file bad format":    {right(), "root --as json --input " + good, exitNothing, []string{"json", "accounts, raw, secure"}},
		"file not accounts":  {right(), "root --input " + good, exitNothing, []string{good + ":1: ", "address"}},
		"file not there":     {right(), "root --input nowhere.csv", exitNothing, []string{"nowhere.csv"}},
		"file and a measure": {right(), "root --as raw --leaves 5 --plot x.svg --input " + good, exitNothing, []string{"--leaves, --plot"}},
		"file and no place":  {right(), "root --as raw --out no/where --input " + good, exitNothing, []string{"no/where"}},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(map[string]*dressed{"wgsl": c.device})
			if !strings.Contains(name, "answers") {
				f.app.vectors = noVectors
			}
			args := strings.Fields(c.args)
			if !strings.Contains(c.args, "--input") {
				args = quickly(args...)
			}
			require.Equal(t, c.code, f.sweep(t, args...), "%s\n%s", f.stdout.String(), f.stderr.String())
			for _, s := range c.says {
				require.Contains(t, f.stderr.String(), s)
			}
			if c.code == exitNothing || name == "file mismatch" {
				require.Empty(t, f.stdout.String(), "no root that is in doubt is printed")
			}
		})
	}
}

func genesis(t *testing.T) string {
	data, err := kat.GenesisCSV()
	require.NoError(t, err)
	return file(t, "genesis.csv", string(data))
}

// However often a kind or a set is named, it is measured once.
func TestRootsAreNamedOnce(t *testing.T) {
	f := newFixture(nil)
	f.app.vectors = noVectors
	require.Equal(t, exitOK, f.sweep(t, quickly("root", "--leaves", "5", "--format", "json",
		"--kind", "mpt, merkle,mpt", "--kind", "mpt", "--set", "kv", "--set", " kv")...), f.stderr.String())
	r, err := report.ReadJSON(&f.stdout)
	require.NoError(t, err)
	require.Len(t, r.Rows, 2*2, "kinds, contestants")
}

// A root that cannot be written is said beside what else went wrong.
func TestFileRootOnAFullDisk(t *testing.T) {
	f := newFixture(map[string]*dressed{"wgsl": {info: gpu("wgsl", true),
		noHash: &backends.Error{Backend: "wgsl", Op: "keccak", Err: backends.ErrUnsupported}}})
	f.app.stdout = full{}
	require.Equal(t, exitFailure, f.sweep(t, "root", "--input", genesis(t), "--require", "wgsl"))
	require.Contains(t, f.stderr.String(), "no space left")
	require.Contains(t, f.stderr.String(), "wgsl failed")
}

// The root of a file is all that standard output, or the file asked for, has.
func TestFileRoot(t *testing.T) {
	out := filepath.Join(t.TempDir(), "root.txt")
	// Values long enough for the root to be one node of known bytes.
	twice := "aa,01\nab,02\naa,03\n"
	for name, c := range map[string]struct{ args, root, says string }{
		"genesis":       {"--input " + genesis(t), genesisRoot, "keys: 8893;"},
		"cpu alone":     {"--backend cpu --as accounts --input " + genesis(t), genesisRoot, "cpu, cpu-mt\n"},
		"empty":         {"--input " + file(t, "a", ""), emptyRoot, "root is that of the empty trie"},
		"a header":      {"--input " + file(t, "a", "address,balance\n"), emptyRoot, "keys: 0;"},
		"all deleted":   {"--as raw --input " + file(t, "a", "aa,01\naa,\n"), emptyRoot, "given again: 1"},
		"later counts":  {"--as raw --input " + file(t, "a", twice), rootOf(t, "raw", "ab,02\naa,03\n"), "line 3"},
		"secure":        {"--as secure --input " + file(t, "a", twice), rootOf(t, "secure", "ab,02\naa,03\n"), "line 3"},
		"any order":     {"--as raw --input " + file(t, "a", "ab,02\naa,03\n"), rootOf(t, "raw", "aa,03\nab,02\n"), "keys: 2;"},
		"into a file":   {"--out " + out + " --input " + genesis(t), "", "keys: 8893;"},
		"prefixes too":  {"--as raw --input " + file(t, "a", "0x,01\naa,02\naabb,03"), rootOf(t, "raw", "aabb,03\naa,02\n0x,01"), "keys: 3;"},
		"software here": {"--backend wgsl --input " + genesis(t), genesisRoot, "wgsl (software)"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(map[string]*dressed{"wgsl": {info: gpu("wgsl", true)}})
			require.Equal(t, exitOK, f.sweep(t, strings.Fields("root "+c.args)...), f.stderr.String())
			want := c.root
			if want != "" {
				want += "\n"
			}
			require.Equal(t, want, f.stdout.String())
			require.Contains(t, f.stderr.String(), c.says)
		})
	}
	data, err := os.ReadFile(out)
	require.NoError(t, err)
	require.Equal(t, genesisRoot+"\n", string(data))
	require.NotEqual(t, rootOf(t, "raw", twice), rootOf(t, "secure", twice))
}

// rootOf is the root of text on the CPU.
func rootOf(t *testing.T, as, text string) string {
	f := newFixture(nil)
	require.Equal(t, exitOK, f.sweep(t, "root", "--as", as, "--input", file(t, "b", text)))
	return strings.TrimSpace(f.stdout.String())
}

// An interrupt prints what was finished, and of a file nothing.
func TestHashingInterrupt(t *testing.T) {
	for args, rows := range map[string]int{"keccak --len 32 --n 1000,2000,4000": 3, "root --kind merkle --leaves 1500,2000,3000": 3} {
		ctx, cancel := context.WithCancel(t.Context())
		d := &dressed{info: gpu("wgsl", false), onCall: func(n int) {
			if n == 2000 {
				cancel()
			}
		}}
		f := newFixture(map[string]*dressed{"wgsl": d})
		line := strings.Fields(args + " --format json")
		require.Equal(t, exitFailure, f.under(ctx, quickly(line...)...), f.stderr.String())
		r, err := report.ReadJSON(&f.stdout)
		require.NoError(t, err)
		require.True(t, r.Partial)
		require.Len(t, r.Rows, rows)
		require.Contains(t, f.stderr.String(), "interrupted")

		require.Equal(t, exitNothing, f.under(ctx, "root", "--input", genesis(t)))
		require.Empty(t, f.stdout.String())
	}
}

// A software device is labelled in the tables and sentences of hashes too.
func TestHashingLabelsSoftware(t *testing.T) {
	clock := &virtual{}
	f := newFixture(map[string]*dressed{
		"wgsl": {info: gpu("wgsl", true), clock: clock, d: 100 * time.Millisecond, tau: 100 * time.Microsecond}})
	f.clock = clock
	require.Equal(t, exitOK, f.sweep(t, quickly("keccak", "--len", "32", "--n", "1,4,...,256")...), f.stderr.String())
	require.Contains(t, f.stdout.String(), "wgsl (software) overtakes cpu at batch")
	for line := range strings.Lines(f.stdout.String()) {
		if strings.Contains(line, "wgsl") {
			require.Contains(t, line, "(software)")
		}
	}
}

// The list says what each backend can do.
func TestListSupports(t *testing.T) {
	unable := &dressed{info: gpu("wgsl", true), noHash: backends.ErrUnsupported}
	f := newFixture(map[string]*dressed{"wgsl": unable, "metal": {info: gpu("metal", false)}})
	require.Equal(t, exitOK, f.sweep(t, "list"))
	require.Regexp(t, `Test metal .*ntt to N = 2048, keccak\n`, f.stdout.String())
	require.Regexp(t, `Test wgsl \(software\) .*ntt to N = 2048\n`, f.stdout.String())
}
