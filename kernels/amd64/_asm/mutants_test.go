package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

var runMutants = flag.Bool("mutants", false, "generate wrong assembly, and run package amd64's tests on it: some minutes")

// mutants are wrong generators: in a file, the first place of old becomes new.
var mutants = []struct{ name, file, old, new string }{
	{"a wrong factor of a scalar stage", "ntt_forward.go", "m := at(table, 16*next)", "m := at(table, 16*(next^next>>1&1))"},
	{"a wrong factor within registers", "ntt_packed_moves.go", "(len(exchanges)*p+s))", "(len(exchanges)*(p^s&1)+s))"},
	{"a wrong factor of degree 256", "ntt_256.go", "vectors+384*p+128*s", "vectors+384*(p^s/2)+128*s"},
	{"a wrong column of the inverse", "ntt_inverse.go", "disp+2*w.bytes()*j)", "disp+2*w.bytes()*(j&^1))"},
	{"no fold of IFMA", "ntt_arithmetic.go", "w.VPSUBQ(step, x, reg.K1, x)", "_ = step"},
	{"no fold of packed lanes", "ntt_packed.go", "w.VPMINUD(s, x, x)", ""},
	{"no reduction of packed lanes", "ntt_packed.go", "w.VPMINUD(free, x, x)", ""},
	{"no reduction of a difference", "ntt_packed.go", "w.VPMINUD(free, difference, difference)", ""},
	{"no reduction at the end", "ntt_arithmetic.go", "w.VPMINUQ(h[i], b.x, b.x)", ""},
	{"a lane too few", "ntt_packed.go", "operand.U32(0x5555)", "operand.U32(0x1555)"},
	{"no rounding", "ntt_float.go", "w.round(k, k)", ""},
	{"no check while packing", "ntt_packed_moves.go", "w.VPMAXUQ(x, top, top)", ""},
	{"no check of degree 256", "ntt_256.go", "w.VPMAXUQ(r, h.top, h.top)", ""},
	{"a check one too lax", "ntt_check.go", "operand.Imm(5), limit", "operand.Imm(6), limit"},
	{"a read beyond the end", "ntt_256.go", "w.PREFETCHT0(at(h.src, ahead+512*block+64*i))", "w.load(at(h.src, ahead+512*block+64*i), w.regs[24])"},
	{"a write beyond the end", "ntt_packed_moves.go", "w.store(w.regs[i], at(dst, 8*w.lanes*i))", "w.store(w.regs[i], at(dst, 8*w.lanes*i)); w.store(w.regs[i], at(dst, 8*w.lanes*i+32))"},
}

// TestMutantsOfTheGeneratorAreCaught writes the assembly of every mutant into a
// folder of its own, and expects that package amd64's tests fail with it in the
// place of the real one. A machine without AVX-512 cannot tell most of them.
func TestMutantsOfTheGeneratorAreCaught(t *testing.T) {
	if !*runMutants {
		t.Skip("run with -mutants")
	}
	for _, m := range mutants {
		t.Run(m.name, func(t *testing.T) {
			text, err := os.ReadFile(m.file)
			if err != nil {
				t.Fatal(err)
			}
			wrong := bytes.Replace(text, []byte(m.old), []byte(m.new), 1)
			if bytes.Equal(text, wrong) {
				t.Fatalf("%s has no %q", m.file, m.old)
			}
			dir := t.TempDir()
			source := filepath.Join(dir, "mutant.go")
			if err := os.WriteFile(source, wrong, 0o644); err != nil {
				t.Fatal(err)
			}
			original, err := filepath.Abs(m.file)
			if err != nil {
				t.Fatal(err)
			}
			overlay := writeOverlay(t, dir, "generator.json", map[string]string{original: source})
			if out, err := exec.Command("go", "run", "-overlay", overlay, ".", "-dir", dir).CombinedOutput(); err != nil {
				t.Fatalf("the generator: %v\n%s", err, out)
			}
			if out, err := testWith(t, dir); err == nil {
				t.Errorf("not caught:\n%s", out)
			}
		})
	}
}

// testWith runs the tests of package amd64 with the assembly in dir.
func testWith(t *testing.T, dir string) ([]byte, error) {
	replace := map[string]string{}
	generated, err := filepath.Glob(filepath.Join(dir, "ntt_*_amd64.*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range generated {
		original, err := filepath.Abs(filepath.Join("..", filepath.Base(f)))
		if err != nil {
			t.Fatal(err)
		}
		replace[original] = f
	}
	c := exec.Command("go", "test", "-failfast", "-overlay", writeOverlay(t, dir, "tests.json", replace),
		"-run", "Operations|BadRows|Reduced|RowCounts|EndOfMemory", ".")
	c.Dir = ".."
	return c.CombinedOutput()
}

func writeOverlay(t *testing.T, dir, name string, replace map[string]string) string {
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	name = filepath.Join(dir, name)
	if err := os.WriteFile(name, text, 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}
