package amd64

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// newRand returns a reproducible source; the seed tells tests apart.
func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15)) }

// primesUpTo returns the largest prime q <= limit with q = 1 mod 2n as a ring.
func ringUpTo(t testing.TB, n int, limit uint64) *ntt.Ring {
	t.Helper()
	step := uint64(2 * n)
	for q := (limit-1)/step*step + 1; q > step; q -= step {
		if r, err := ntt.NewRing(n, q); err == nil {
			return r
		}
	}
	t.Fatalf("no prime up to %d for N=%d", limit, n)
	return nil
}

func parse(t testing.TB, s string) *ntt.Ring {
	t.Helper()
	r, err := ntt.Parse(s)
	require.NoError(t, err)
	return r
}

func mustNTT(t testing.TB, r *ntt.Ring, w Width) *NTT {
	t.Helper()
	x, err := NewNTT(r.N(), r.Q(), r.Roots(), r.InverseRoots(), r.InverseN(), w)
	require.NoError(t, err)
	return x
}

// eachWidth runs f for every width, and skips those that the machine lacks.
func eachWidth(t *testing.T, f func(t *testing.T, w Width)) {
	for w := IFMA; widthNames[w] != ""; w++ {
		t.Run(w.String(), func(t *testing.T) {
			if transformKernels(w) == nil {
				t.Skipf("this build or this machine does not have %v", w)
			}
			f(t, w)
		})
	}
}

// eachRing runs f at every width for rings of every degree, with moduli at the
// limits where the number of folds changes.
func eachRing(t *testing.T, f func(t *testing.T, r *ntt.Ring, w Width)) {
	eachWidth(t, func(t *testing.T, w Width) {
		for n := 8; n <= 65536; n *= 2 {
			most := uint64(1)<<transformKernels(w).maxBits - 1
			limits := []uint64{most, most / 2, most * 2 / 5, most / 4, most / 5, most / 9, 1 << 27, 1 << 24}
			if n > 512 {
				limits = limits[:2]
			}
			if underRace && n != 256 {
				limits = limits[:1]
				if n > 4096 {
					break
				}
			}
			if n == 256 { // the named rings, and the smallest of the strict ones
				limits = append(limits, 0x1000000004A01, 8380417, 1<<29+1<<14)
			}
			for _, limit := range limits {
				if limit <= most {
					r := ringUpTo(t, n, limit)
					t.Run(fmt.Sprintf("N=%d/q=%d", n, r.Q()), func(t *testing.T) { f(t, r, w) })
				}
			}
		}
	})
}

func random(rng *rand.Rand, r *ntt.Ring, rows int) []uint64 {
	s := make([]uint64, rows*r.N())
	for i := range s {
		s[i] = rng.Uint64N(r.Q())
	}
	return s
}

// structured returns rows that random ones do not hit: all 0, all q-1, single
// ones and q-1s at both ends, steps, alternations, and preimages of all q-1.
func structured(rng *rand.Rand, r *ntt.Ring) []uint64 {
	n, top := r.N(), r.Q()-1
	var s []uint64
	row := func(f func(i int) uint64) {
		for i := range n {
			s = append(s, f(i))
		}
	}
	row(func(int) uint64 { return 0 })
	row(func(int) uint64 { return top })
	for _, at := range []int{1, n - 1} {
		row(func(i int) uint64 { return pick(i == at, 1, 0) })
		row(func(i int) uint64 { return pick(i == at, 0, top) })
	}
	if n > 4096 {
		return s
	}
	for half := max(1, n/256); half < n; half *= 4 {
		row(func(i int) uint64 { return pick(i&half == 0, top, 0) })
		row(func(i int) uint64 { return pick(i&half == 0, 0, top) })
		row(func(i int) uint64 { return pick(rng.Uint64()&1 == 0, top, 0) })
		row(func(i int) uint64 { return pick(i < half, top, 1) })
	}
	row(func(i int) uint64 { return uint64(i) % r.Q() })
	for _, f := range []func(dst, src []uint64) error{r.Forward, r.Inverse} {
		all := make([]uint64, n)
		for i := range all {
			all[i] = top
		}
		if err := f(all, all); err != nil {
			panic(err)
		}
		s = append(s, all...)
	}
	return s
}

func pick(ok bool, x, y uint64) uint64 {
	if ok {
		return x
	}
	return y
}
