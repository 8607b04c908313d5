package amd64

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// TestMutantsAreCaught shows that the comparison with the reference can fail: a
// wrong twiddle factor of any stage, a fold or a bias left out, and each constant
// of the assembly replaced, as if the instruction that uses it were not there.
func TestMutantsAreCaught(t *testing.T) {
	eachKernels(t, func(t *testing.T, w Width, k *kernels) {
		for _, n := range []int{32, 256, 512} {
			if underRace && n > 32 {
				break
			}
			r := ringUpTo(t, n, 1<<k.maxBits-1)
			if n == 256 && w == IFMA {
				r = parse(t, "pulsar")
			}
			require.NoError(t, checkAll(t, r, newMutant(k, r, nil, nil)), "the original")
			for at := 1; at < n; at += max(1, at*2/3) {
				roots := r.Roots()
				roots[at] = roots[at^1]
				require.Error(t, checkAll(t, r, newMutant(k, r, roots, nil)), "N=%d: root %d", n, at)
				if at < n/2 { // an inverse root that is used as psi^-i with i even, or in the last factor
					inverse := r.InverseRoots()
					inverse[at] = inverse[at^1]
					require.Error(t, checkAll(t, r, newMutant(k, r, nil, inverse)), "N=%d: inverse root %d", n, at)
				}
			}
		}
	})
}

func TestBoundMutantsAreCaught(t *testing.T) {
	eachKernels(t, func(t *testing.T, w Width, k *kernels) {
		if w == AVX512Float || w == AVX2Float {
			return // signed numbers have no bias, and few inputs come near where they must fold
		}
		if bias, _ := k.bounds(3, 3); bias == 0 {
			return // strict kernels have neither
		}
		r := ringUpTo(t, 1024, 1<<k.maxBits-1)
		m := *k
		m.bounds = func(q uint64, stages int) (uint64, []uint64) {
			bias, folds := k.bounds(q, stages)
			return bias, make([]uint64, len(folds))
		}
		require.Error(t, checkAll(t, r, newMutant(&m, r, nil, nil)), "no fold")
		m.bounds = func(q uint64, stages int) (uint64, []uint64) {
			bias, folds := k.bounds(q, stages)
			return bias - q, folds
		}
		require.Error(t, checkAll(t, r, newMutant(&m, r, nil, nil)), "a smaller bias")
	})
}

func TestConstantMutantsAreCaught(t *testing.T) {
	eachKernels(t, func(t *testing.T, w Width, k *kernels) {
		rings := []*ntt.Ring{ringUpTo(t, 1024, 1<<k.maxBits-1)}
		if w == IFMA {
			rings = append(rings, parse(t, "pulsar"))
		}
		for _, r := range rings {
			used := k.constants(r.Q())
			for i, c := range used {
				if c == 0 || w == IFMA && (i == 7) != (r.N() == 256) && i >= 5 && i <= 7 {
					continue // not a constant, or one of degree 256 alone, which hardly needs 5 and 6
				}
				m := *k
				m.constants = func(q uint64) []uint64 {
					cs := slices.Clone(used)
					cs[i] = 0
					return cs
				}
				require.Error(t, checkAll(t, r, newMutant(&m, r, nil, nil)), "constant %d", i)
			}
		}
	})
}

// eachKernels runs f for the kernels of every width, lazy and strict ones apart.
func eachKernels(t *testing.T, f func(t *testing.T, w Width, k *kernels)) {
	eachWidth(t, func(t *testing.T, w Width) {
		k := *transformKernels(w)
		if k.strict == nil {
			f(t, w, &k)
			return
		}
		strict := k.strict
		k.strict, k.maxBits = nil, k.strictBits-1
		t.Run("lazy", func(t *testing.T) { f(t, w, &k) })
		t.Run("strict", func(t *testing.T) { f(t, w, strict) })
	})
}

// newMutant is NewNTT with other kernels, roots or inverse roots.
func newMutant(k *kernels, r *ntt.Ring, roots, inverseRoots []uint64) *NTT {
	if roots == nil {
		roots = r.Roots()
	}
	if inverseRoots == nil {
		inverseRoots = r.InverseRoots()
	}
	return newNTT(k, r.N(), r.Q(), roots, inverseRoots, r.InverseN())
}

// checkAll runs every operation on structured and on some random rows.
func checkAll(t *testing.T, r *ntt.Ring, x *NTT) error {
	t.Helper()
	rng := newRand(7)
	a := append(structured(rng, r), random(rng, r, 40)...)
	b := append(slices.Clone(a[5*r.N():]), a[:5*r.N()]...)
	for _, c := range calls {
		if err := c.check(r, x, b, a, b, false); err != nil {
			return err
		}
	}
	return nil
}
