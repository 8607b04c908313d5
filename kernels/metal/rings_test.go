package metal

import (
	"math/bits"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// named returns a named ring.
func named(tb testing.TB, name string) *ntt.Ring {
	tb.Helper()
	r, err := ntt.Parse(name)
	require.NoError(tb, err)
	return r
}

// below returns the ring of degree n with the greatest modulus below limit, or nil.
func below(n int, limit uint64) *ntt.Ring {
	step := uint64(2 * n)
	for q := (limit-2)/step*step + 1; q > step; q -= step {
		if r := newRing(n, q); r != nil {
			return r
		}
	}
	return nil
}

// above returns the ring of degree n with the least modulus from limit on.
func above(n int, limit uint64) *ntt.Ring {
	step := uint64(2 * n)
	for q := (limit+step-2)/step*step + 1; ; q += step {
		if r := newRing(n, q); r != nil {
			return r
		}
	}
}

// newRing is ntt.NewRing without the factorisation of q-1: any root will do.
func newRing(n int, q uint64) *ntt.Ring {
	for g := uint64(2); g < 40; g++ {
		if r, err := ntt.NewRingWithPsi(n, q, power(g, (q-1)/uint64(2*n), q)); err == nil {
			return r
		}
	}
	return nil
}

func power(x, e, q uint64) uint64 {
	y := uint64(1)
	for ; e > 0; e >>= 1 {
		if e&1 == 1 {
			y = mulMod(y, x, q)
		}
		x = mulMod(x, x, q)
	}
	return y
}

// program returns the program of a ring.
func program(tb testing.TB, r *ntt.Ring) *Program {
	tb.Helper()
	p, err := New(r.N(), r.Q(), r.Roots(), r.InverseRoots(), r.InverseN())
	require.NoError(tb, err)
	return p
}

// degrees returns every degree that there are kernels for.
func degrees() (n []int) {
	for d := MinN; d <= MaxN; d *= 2 {
		n = append(n, d)
	}
	return n
}

// boundaries returns the rings of degree n at which something changes: the words,
// or where and how often a transform reduces; on either side.
func boundaries(n int) (rs []*ntt.Ring) {
	logN := uint(bits.TrailingZeros(uint(n)))
	lift := 1 + 4*uint64(logN)
	limits := []uint64{
		1 << 29, 1 << 32, 1 << 61, // words, and the greatest of all
		1 << 32 / lift, ^uint64(0) / lift, // one lift is enough
		1 << (32 - logN), 1 << (64 - logN), // no sum of the inverse is reduced
		1 << 32 / 16, 1 << 32 / 24, 1 << 60, ^uint64(0) / 24, // a reduction every other stage, every third
	}
	seen := map[uint64]bool{}
	add := func(r *ntt.Ring) {
		if r != nil && !seen[r.Q()] && r.Bits() <= MaxBits {
			seen[r.Q()] = true
			rs = append(rs, r)
		}
	}
	add(above(n, 3)) // the least
	for _, l := range limits {
		add(below(n, l))
		if l < 1<<61 {
			add(above(n, l))
		}
	}
	return rs
}
