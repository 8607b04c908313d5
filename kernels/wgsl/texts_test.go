package wgsl

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// kernels returns the kernels of a program.
func kernels(p *Program) []Kernel {
	return []Kernel{p.Forward, p.Inverse, p.Mul, p.MulAdd, p.MulMont, p.MulAddMont, p.MForm, p.IMForm, p.MatMulAddMont}
}

// TestCompilersAccept gives every text to the compilers that browsers use, which
// are stricter than the one of the module that runs them: tint is Chromium's,
// naga Firefox's.
func TestCompilersAccept(t *testing.T) {
	for _, c := range [][]string{{"naga"}, {"tint", "--format", "wgsl"}} {
		t.Run(c[0], func(t *testing.T) {
			if _, err := exec.LookPath(c[0]); err != nil {
				t.Skip(err)
			}
			dir := t.TempDir()
			for _, r := range rings(t) {
				for _, k := range kernels(program(t, r)) {
					file := filepath.Join(dir, k.Name+".wgsl")
					require.NoError(t, os.WriteFile(file, []byte(k.Text), 0o600))
					out, err := exec.Command(c[0], append(c[1:], file)...).CombinedOutput()
					require.NoError(t, err, "%s of %s: %s", k.Name, r, out)
				}
			}
		})
	}
}

// TestLimits checks what every WebGPU device offers by default.
func TestLimits(t *testing.T) {
	for _, r := range rings(t) {
		p := program(t, r)
		require.Contains(t, []int{4, 8}, p.WordBytes)
		for _, k := range kernels(p) {
			require.LessOrEqual(t, k.GroupSize, uint32(256), "%s of %s", k.Name, r)
			require.Positive(t, k.PerGroup)
			require.NotContains(t, k.Text, "var<workgroup>")
			require.NotContains(t, k.Text, "enable ")
			require.LessOrEqual(t, len(k.Access), 8)
			require.Zero(t, len(k.Table)%16)
			require.Equal(t, k.Name == "forward" || k.Name == "inverse", len(k.Table) > 0)
		}
	}
}

func TestErrors(t *testing.T) {
	roots := func(n int) []uint64 { return make([]uint64, n) }
	for _, c := range []struct {
		name string
		n    int
		q    uint64
		f, i []uint64
		nInv uint64
		kind error
	}{
		{"degree 4", 4, 97, roots(4), roots(4), 1, ErrDegree},
		{"degree 4096", 4096, 1 << 60, roots(4096), roots(4096), 1, ErrDegree},
		{"degree 24", 24, 97, roots(24), roots(24), 1, ErrDegree},
		{"degree -8", -8, 97, nil, nil, 1, ErrDegree},
		{"even modulus", 8, 98, roots(8), roots(8), 1, ErrModulus},
		{"modulus 0", 8, 0, roots(8), roots(8), 0, ErrModulus},
		{"modulus 1", 8, 1, roots(8), roots(8), 0, ErrModulus},
		{"62-bit modulus", 8, 1<<61 + 1, roots(8), roots(8), 1, ErrModulus},
		{"64-bit modulus", 8, math.MaxUint64, roots(8), roots(8), 1, ErrModulus},
		{"no root", 8, 101, roots(8), roots(8), 1, ErrModulus},
		{"short table", 8, 97, roots(7), roots(8), 1, ErrTable},
		{"short inverse table", 8, 97, roots(8), roots(7), 1, ErrTable},
		{"root not reduced", 8, 97, []uint64{0, 0, 0, 97, 0, 0, 0, 0}, roots(8), 1, ErrTable},
		{"inverse of N not reduced", 8, 97, roots(8), roots(8), 97, ErrTable},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := New(c.n, c.q, c.f, c.i, c.nInv)
			require.Nil(t, p)
			require.ErrorIs(t, err, c.kind)
			var re *RingError
			require.ErrorAs(t, err, &re)
			require.Equal(t, c.n, re.N)
			require.Equal(t, c.q, re.Q)
		})
	}
}
