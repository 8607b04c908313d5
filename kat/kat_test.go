package kat

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSplitMix64(t *testing.T) {
	// The first outputs of Vigna's splitmix64.c for seed 0.
	s := NewSplitMix64(0)
	for _, want := range []uint64{0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f} {
		require.Equal(t, want, s.Uint64())
	}
	a, b := NewSplitMix64(7), NewSplitMix64(7)
	for range 256 {
		a.Uint64()
	}
	b.Skip(256)
	require.Equal(t, a.Uint64(), b.Uint64())
}

func TestFillSparseHoldsOnlyItsThreeValues(t *testing.T) {
	count := map[uint64]int{}
	row := make([]uint64, 4096)
	NewSplitMix64(1).FillSparse(row, 97)
	for _, x := range row {
		count[x]++
	}
	require.Len(t, count, 3)
	require.InDelta(t, 256, count[1], 80)
	require.InDelta(t, 256, count[96], 80)
}

// TestFilesCover holds the files to what the package promises: every operation
// in every ring, by random, structured and edge operands, and probes.
func TestFilesCover(t *testing.T) {
	files, err := Files()
	require.NoError(t, err)
	var names []string
	rings := []string{"pulsar", "mldsa", "fhe27", "n16-q97", "n128-q3329", "n1024-q60", "n16-q31", "n16-q32", "n16-q61"}
	for _, f := range files {
		names = append(names, f.Name)
		require.Equal(t, Schema, f.Schema)
		require.NotEmpty(t, f.Provenance.Source, f.Name)
		require.NotEmpty(t, f.Provenance.Licence, f.Name)
		if f.Name != "ethereum-tests" { // which are copies
			require.NotEmpty(t, f.Provenance.Command, f.Name)
		}
		have := map[string]bool{}
		for _, v := range f.Vectors {
			have[v.Ring.Name+"/"+string(v.Op)] = true
		}
		for _, p := range f.Probes {
			have[p.Ring.Name] = true
			require.Greater(t, len(p.Cases), 40)
		}
		for _, ring := range rings {
			switch f.Name {
			case "random", "structured", "edge":
				for op := range operands {
					if op == Product || f.Name == "structured" && ring == "n1024-q60" && op == Forward {
						continue
					}
					require.True(t, have[ring+"/"+string(op)], "%s: %s/%s", f.Name, ring, op)
				}
			case "probe":
				require.True(t, have[ring], ring)
			}
		}
	}
	require.Equal(t, []string{"edge", "ethereum-tests", "keccak", "lattigo", "probe", "random", "roots", "structured"}, names)
}

func TestInputs(t *testing.T) {
	files, err := Files()
	require.NoError(t, err)
	digests := 0
	for _, f := range files {
		for _, v := range f.Vectors {
			in := v.Inputs()
			require.Len(t, in, len(v.Op.Operands()))
			require.NoError(t, v.CheckInputs(in))
			for i, rows := range in {
				require.Len(t, rows, v.Rows*v.Ring.N)
				require.NoError(t, checkRange(rows, v.Ring.Q))
				if v.inputs[i].sha3 != "" {
					digests++
					rows[len(rows)-1] ^= 1
					require.ErrorIs(t, v.CheckInputs(in), ErrDigest)
				}
			}
		}
	}
	require.Equal(t, 25, digests, "inputs whose digest was recorded")
}

// TestStructuredOutputs shows that the structured vectors are what they say.
func TestStructuredOutputs(t *testing.T) {
	files, err := Files()
	require.NoError(t, err)
	for _, f := range files {
		for _, v := range f.Vectors {
			if f.Name != "structured" || v.output.full == nil {
				continue
			}
			out := v.output.full.expand(v.Ring, v.Rows)
			require.Contains(t, out, uint64(0), v.Name)
			if v.Op != Inverse {
				require.Contains(t, out, v.Ring.Q-1, v.Name)
			}
		}
	}
}

func TestCheck(t *testing.T) {
	r := Ring{Name: "n8-q17", N: 8, Q: 17, Psi: 3}
	require.NoError(t, r.check())
	want := slices.Repeat([]uint64{1, 2, 3, 4, 5, 6, 7, 16}, 3)
	outputs := map[string]output{
		"full":   {full: &operand{values: want}},
		"sha3":   {sha3: SHA3(want)},
		"sha256": {sha2: strings.Repeat("0", 64)},
		"ends":   {sha3: SHA3(want), first: want[:4], last: want[20:]},
	}
	vector := func(name string) *Vector {
		return &Vector{Ring: r, Op: Forward, Rows: 3, output: outputs[name]}
	}
	for _, name := range []string{"full", "sha3", "ends"} {
		require.NoError(t, vector(name).Check(want), name)
		for _, got := range [][]uint64{nil, want[:23], append(slices.Clone(want), 0)} {
			require.ErrorIs(t, vector(name).Check(got), ErrLength, name)
		}
	}
	require.ErrorIs(t, vector("sha256").Check(want), ErrMismatch)

	bad := slices.Clone(want)
	bad[19], bad[22] = 17, 0
	var m *Mismatch
	require.ErrorAs(t, vector("full").Check(bad), &m)
	require.Equal(t, Mismatch{Row: 2, Index: 3, Got: 17, Want: 4}, *m)
	require.ErrorIs(t, m, ErrMismatch)
	require.ErrorAs(t, vector("ends").Check(bad), &m)
	require.Equal(t, Mismatch{Row: 2, Index: 6, Got: 0, Want: 7}, *m)
	var d *DigestMismatch
	require.ErrorAs(t, vector("sha3").Check(bad), &d)
	require.Equal(t, SHA3(want), d.Want)
	require.ErrorIs(t, d, ErrMismatch)
}

// TestCheckFindsEveryCoefficient plants an error at each place of each output.
func TestCheckFindsEveryCoefficient(t *testing.T) {
	files, err := Files()
	require.NoError(t, err)
	for _, f := range files {
		for _, v := range f.Vectors {
			if v.Ring.N > 16 {
				continue
			}
			out := byDefinition(&v)
			for i := range out {
				out[i] ^= 1
				require.ErrorIs(t, v.Check(out), ErrMismatch, v.Name)
				out[i] ^= 1
			}
		}
	}
}

func TestOperands(t *testing.T) {
	require.Equal(t, []string{"dst", "a", "b"}, MulAdd.Operands())
	require.Nil(t, Op("sqrt").Operands())
}
