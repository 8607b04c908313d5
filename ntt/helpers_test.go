package ntt

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// newRand returns a reproducible source; the seed tells tests apart.
func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15)) }

func mustRing(t testing.TB, n int, q uint64) *Ring {
	t.Helper()
	r, err := NewRing(n, q)
	require.NoError(t, err)
	return r
}

func mustParse(t testing.TB, s string) *Ring {
	t.Helper()
	r, err := Parse(s)
	require.NoError(t, err)
	return r
}

// primeUpTo returns the largest prime q <= limit with q = 1 mod 2n, or 0.
func primeUpTo(limit uint64, n int) uint64 {
	step := uint64(2 * n)
	for q := (limit-1)/step*step + 1; q > step; q -= step {
		if isPrime(q) {
			return q
		}
	}
	return 0
}

// primeAbove returns the smallest prime q > limit with q = 1 mod 2n.
func primeAbove(limit uint64, n int) uint64 {
	step := uint64(2 * n)
	q := limit/step*step + 1
	for q <= limit || !isPrime(q) {
		q += step
	}
	return q
}

// testRings calls f for rings of every degree: with small moduli, moduli of 27
// to 60 bits, those on either side of the limits that choose the kernels, and
// the largest.
func testRings(t *testing.T, f func(t *testing.T, r *Ring)) {
	for n := MinN; n <= MaxN; n *= 2 {
		if underRace && n > 512 {
			t.Logf("N=%d left out under the race detector", n)
			continue
		}
		logN := bits.TrailingZeros(uint(n))
		fwdLimit, invLimit := 1<<63/uint64(4*logN+1), uint64(1)<<58
		qs := []uint64{
			97, 257, 3329, 7681, 12289, 65537, 786433,
			primeUpTo(1<<27, n), primeUpTo(1<<30, n), primeUpTo(1<<31, n),
			0x1000000004A01, primeUpTo(1<<49, n), primeUpTo(1<<60, n),
			primeUpTo(fwdLimit, n), primeAbove(fwdLimit, n),
			primeUpTo(invLimit, n), primeAbove(invLimit, n),
			primeUpTo(1<<61-1, n),
		}
		if n > 2048 {
			qs = qs[len(qs)-6:]
		}
		for _, q := range qs {
			if q%uint64(2*n) != 1 {
				continue // a small modulus without the root
			}
			t.Run(fmt.Sprintf("N=%d/q=%d", n, q), func(t *testing.T) { f(t, mustRing(t, n, q)) })
		}
	}
}

// randomRows returns rows of uniform coefficients.
func randomRows(r *Ring, rng *rand.Rand, rows int) []uint64 {
	s := make([]uint64, rows*r.n)
	for i := range s {
		s[i] = rng.Uint64N(r.q)
	}
	return s
}

// guardWord surrounds the arguments of the functions under test.
const guardWord = 0xa5a5_5a5a_dead_beef

// guarded returns a slice of n words with 16 guard words on either side, and a
// function that says whether they still stand.
func guarded(n int) (s []uint64, intact func() bool) {
	const width = 16
	buf := make([]uint64, n+2*width)
	for i := range buf {
		buf[i] = guardWord
	}
	return buf[width : width+n], func() bool {
		for i, x := range buf {
			if (i < width || i >= width+n) && x != guardWord {
				return false
			}
		}
		return true
	}
}
