// Package deps holds the import graph of the module, as a test.
package deps

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/crosspoint-kernels/crosspoint"

// rules say what each package may import of this module and of others, besides
// the standard library. A pattern that ends in /... covers what is below it, and
// the first rule that matches a package decides. Do not widen a rule to make
// the test pass: move the code to the package where it belongs.
var rules = []struct {
	pkg    string
	ours   []string // below the module's path
	others []string
	tests  []string // more that only _test.go files may import
}{
	{pkg: "ntt"},
	{pkg: "keccak"},
	{pkg: "stateroot", ours: []string{"keccak"}},
	{pkg: "kat"},
	{pkg: "blockstm/workload", ours: []string{"blockstm", "keccak"}},
	{pkg: "blockstm/pipeline", ours: []string{"blockstm", "keccak", "stateroot"}, tests: []string{"blockstm/workload"}},
	{pkg: "gpu"},
	{pkg: "gpu/gputest", ours: []string{"gpu"}},
	{pkg: "gpu/wgpu", ours: []string{"gpu"}, others: []string{"github.com/gogpu/..."}, tests: []string{"gpu/gputest"}},
	{pkg: "gpu/mtl", ours: []string{"gpu"}, tests: []string{"gpu/gputest", "internal/metalsim"}},
	{pkg: "kernels/...", tests: []string{"ntt", "keccak", "kat", "gpu", "gpu/mtl", "gpu/wgpu"}},
	{pkg: "backends", ours: []string{"keccak", "ntt"}, tests: []string{"backends/all", "backends/cpu"}},
	{pkg: "backends/internal/host", ours: []string{"backends", "keccak", "ntt"}},
	{pkg: "backends/cpu", ours: []string{"backends", "backends/internal/host", "keccak", "ntt"}, tests: []string{"backends/backendtest"}},
	{pkg: "backends/simd", ours: []string{"backends", "backends/internal/host", "keccak", "kernels/amd64", "ntt"}, others: []string{"github.com/cloudflare/circl/simd/keccakf1600"},
		tests: []string{"backends/backendtest", "backends/cpu", "kat"}},
	{pkg: "backends/internal/device", ours: []string{"backends", "gpu", "keccak", "ntt"}, tests: []string{"gpu/gputest"}},
	{pkg: "backends/wgsl", ours: []string{"backends", "backends/internal/device", "gpu", "gpu/wgpu", "kernels/wgsl", "ntt"},
		tests: []string{"backends/backendtest", "keccak"}},
	{pkg: "backends/metal", ours: []string{"backends", "backends/internal/device", "gpu", "gpu/mtl", "kernels/metal", "ntt"},
		tests: []string{"backends/backendtest", "backends/katrun", "internal/metalsim", "kat", "keccak"}},
	{pkg: "backends/auto", ours: []string{"backends", "keccak", "ntt"},
		tests: []string{"backends/backendtest", "backends/cpu", "backends/wgsl"}},
	{pkg: "backends/all", ours: []string{"backends/auto", "backends/cpu", "backends/metal", "backends/simd", "backends/wgsl"}},
	{pkg: "backends/katrun", ours: []string{"backends", "kat", "keccak", "ntt", "stateroot"}, tests: []string{"backends/cpu"}},
	{pkg: "backends/backendtest", ours: []string{"backends", "backends/katrun", "kat", "keccak", "ntt", "stateroot"}, tests: []string{"backends/all", "backends/cpu"}},
	{pkg: "blockstm"},
	{pkg: "internal/bench", others: []string{"gonum.org/v1/gonum/..."}},
	{pkg: "internal/report", ours: []string{"internal/bench"}, others: []string{"gonum.org/v1/plot/..."}},
	{pkg: "internal/suite", ours: []string{"backends", "internal/bench", "internal/report", "kat", "keccak", "ntt", "stateroot"},
		tests: []string{"backends/cpu"}},
	{pkg: "internal/metalsim", others: []string{"github.com/gogpu/..."}, tests: []string{"gpu", "gpu/mtl", "keccak", "kernels/wgsl", "ntt"}},
	{pkg: "internal/blocksim"},
	{pkg: "internal/blocksuite", ours: []string{"backends", "blockstm", "blockstm/pipeline", "blockstm/workload", "internal/bench",
		"internal/blocksim", "internal/report", "keccak", "stateroot"}, tests: []string{"backends/cpu"}},
	{pkg: "internal/deps"},
	{pkg: "cmd/sweep", ours: []string{"backends", "backends/all", "backends/auto", "backends/katrun", "blockstm/pipeline", "blockstm/workload",
		"internal/bench", "internal/blocksuite", "internal/report", "internal/suite", "kat", "ntt"},
		others: []string{"github.com/spf13/cobra", "github.com/spf13/pflag", "github.com/schollz/progressbar/v3"},
		tests:  []string{"keccak"}},
}

// anyTest may be imported by every test of the module: testify, and circl as an
// oracle of hash functions.
var anyTest = []string{"github.com/stretchr/testify/...", "github.com/cloudflare/circl/..."}

// The files are parsed rather than listed by the go command, so that the test
// cache sees them and files for other systems are read too.
func TestImportGraph(t *testing.T) {
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	err = filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && skipDir(root, file, d.Name()) {
			return fs.SkipDir
		}
		if strings.HasSuffix(file, ".go") {
			seen++
			checkFile(t, root, file)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen < 20 {
		t.Errorf("only %d Go files were found below %s", seen, root)
	}
}

func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	return filepath.Dir(filepath.Dir(dir)), err
}

// skipDir leaves out hidden folders, test data and modules of their own.
func skipDir(root, dir, name string) bool {
	if dir == root {
		return false
	}
	if strings.HasPrefix(name, ".") || name == "testdata" {
		return true
	}
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

func checkFile(t *testing.T, root, file string) {
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	if err != nil {
		t.Error(err)
		return
	}
	rel, err := filepath.Rel(root, file)
	if err != nil {
		t.Error(err)
		return
	}
	rel = filepath.ToSlash(rel)
	for _, spec := range f.Imports {
		imp, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Error(err)
			continue
		}
		if msg := verdict(path.Dir(rel), imp, strings.HasSuffix(rel, "_test.go")); msg != "" {
			t.Errorf("%s: %s", rel, msg)
		}
	}
}

// verdict returns why pkg must not import imp, or nothing.
func verdict(pkg, imp string, test bool) string {
	if first, _, _ := strings.Cut(imp, "/"); !strings.Contains(first, ".") {
		if imp == "C" && pkg != "gpu/mtl" && pkg != "internal/metalsim" {
			return "cgo is for gpu/mtl alone, and the simulator that it runs on in tests"
		}
		return ""
	}
	ours, own := strings.CutPrefix(imp, module+"/")
	if own && ours == pkg {
		return "" // an external test of the package itself
	}
	for _, r := range rules {
		if !covers(r.pkg, pkg) {
			continue
		}
		allowed := r.others
		if own {
			imp, allowed = ours, r.ours
		}
		if anyCovers(allowed, imp) || test && (anyCovers(r.tests, imp) || anyCovers(anyTest, imp)) {
			return ""
		}
		return "may not import " + imp
	}
	return "package " + pkg + " has no rule"
}

func anyCovers(patterns []string, imp string) bool {
	for _, p := range patterns {
		if covers(p, imp) {
			return true
		}
	}
	return false
}

// covers reports whether pattern, which may end in /..., covers s.
func covers(pattern, s string) bool {
	prefix, deep := strings.CutSuffix(pattern, "/...")
	return s == prefix || deep && strings.HasPrefix(s, prefix+"/")
}

// The check itself must be able to fail.
func TestVerdict(t *testing.T) {
	for _, c := range []struct {
		pkg, imp string
		test, ok bool
	}{
		{"ntt", "math/bits", false, true},
		{"ntt", module + "/kat", false, false},
		{"ntt", "github.com/stretchr/testify/require", true, true},
		{"ntt", "github.com/stretchr/testify/require", false, false},
		{"kat", module + "/ntt", true, false},
		{"backends/cpu", "C", false, false},
		{"gpu/wgpu", "C", true, false},
		{"gpu/mtl", "C", false, true},
		{"gpu/mtl", module + "/internal/metalsim", false, false},
		{"backends/cpu", module + "/gpu", false, false},
		{"backends/wgsl", module + "/backends/internal/device", false, true},
		{"internal/bench", "gonum.org/v1/gonum/stat", false, true},
		{"internal/suite", "gonum.org/v1/gonum/stat", false, false},
		{"gpu/wgpu", "github.com/gogpu/wgpu/hal/allbackends", false, true},
		{"backends/wgsl", "github.com/gogpu/wgpu", false, false},
		{"new/place", module + "/ntt", false, false},
	} {
		if got := verdict(c.pkg, c.imp, c.test); (got == "") != c.ok {
			t.Errorf("%s importing %s: %q", c.pkg, c.imp, got)
		}
	}
}
