package ntt

import (
	"math/big"
	"math/bits"
	"testing"

	"github.com/stretchr/testify/require"
)

// fieldModuli are primes of every kind that the helpers meet: the smallest, on
// either side of a power of two, and the largest.
func fieldModuli() []uint64 {
	return []uint64{
		17, 97, 257, 3329, 65537, 8380417, 0x7fff801, 0x1000000004A01,
		primeUpTo(1<<58, 32), primeAbove(1<<58, 32), primeAbove(1<<60, 8), primeUpTo(1<<61-1, 8),
	}
}

// edges returns values below limit: both ends, the neighbours of powers of two
// and of multiples of q, and random ones.
func edges(q, limit uint64) []uint64 {
	var xs []uint64
	add := func(x uint64) {
		for d := range uint64(3) {
			xs = append(xs, x+d-1)
		}
	}
	for i := range 64 {
		add(1 << i)
	}
	for _, k := range []uint64{0, 1, 2, 3, 4, 7, 8, 16, 17, 31, 33, 63, 65} {
		if hi, lo := bits.Mul64(k, q); hi == 0 {
			add(lo)
		}
	}
	add(limit - 1)
	add((limit - 1) / q * q)
	add(limit / 2)
	rng := newRand(limit ^ q)
	for range 500 {
		xs = append(xs, rng.Uint64N(limit))
	}
	var within []uint64
	for _, x := range xs {
		if x < limit {
			within = append(within, x)
		}
	}
	return within
}

func TestReduceOnce(t *testing.T) {
	for q := uint64(1); q < 200; q++ { // exhaustive for small q
		for x := range 2 * q {
			require.Equal(t, x%q, reduceOnce(x, q))
		}
	}
	for _, q := range fieldModuli() {
		for _, c := range []uint64{q, 2 * q} { // the moduli it is used with
			for _, x := range edges(q, 2*c) {
				require.Equal(t, x%c, reduceOnce(x, c), "x=%d c=%d", x, c)
			}
		}
	}
}

func TestSubMod(t *testing.T) {
	for q := uint64(1); q < 60; q++ {
		for x := range q {
			for y := range q {
				require.Equal(t, (x+q-y)%q, subMod(x, y, q))
			}
		}
	}
	for _, q := range fieldModuli() {
		xs := edges(q, q)
		for i, x := range xs {
			y := xs[(i*7+3)%len(xs)]
			require.Equal(t, (x+q-y)%q, subMod(x, y, q), "x=%d y=%d q=%d", x, y, q)
		}
	}
}

func TestMulShoup(t *testing.T) {
	for _, q := range fieldModuli() {
		for _, w := range append(edges(q, q)[:10], 0, 1, q-1, q/2) {
			tw := newTwiddle(w%q, q)
			for _, x := range append(edges(q, 1<<63), 1<<63, 1<<64-1, 1<<64-2) {
				want := mulMod(x%q, w%q, q)
				lazy := mulShoupLazy(x, tw, q)
				require.Less(t, lazy, 2*q, "x=%d w=%d q=%d", x, w, q)
				require.Equal(t, want, lazy%q, "x=%d w=%d q=%d", x, w, q)
				require.Equal(t, want, mulShoup(x, tw, q), "x=%d w=%d q=%d", x, w, q)
			}
		}
	}
}

// TestForwardButterfly checks both results as residues and against the bounds
// that the lazy transform adds up, for any y.
func TestForwardButterfly(t *testing.T) {
	for _, q := range fieldModuli()[:8] {
		w := newTwiddle(q-2, q)
		for _, y0 := range append(edges(q, 1<<63), 1<<64-1) {
			for _, x0 := range []uint64{2 * q, 2*q + 1, 16*q + 5, 33*q - 1} {
				x, y := x0, y0
				forwardButterfly(&x, &y, w, q)
				wy := mulMod(y0%q, w.w, q)
				require.Equal(t, (x0+wy)%q, x%q)
				require.Equal(t, (x0+q-wy)%q, y%q)
				require.Less(t, x-x0, 2*q)
				require.Less(t, x0-y, 2*q)
			}
		}
	}
}

func TestDivisor(t *testing.T) {
	for _, q := range fieldModuli() {
		d := newDivisor(q)
		for _, x := range append(edges(q, 1<<63), 1<<63) {
			require.Equal(t, x%q, d.mod(x, q), "x=%d q=%d", x, q)
		}
	}
}

func TestShifter(t *testing.T) {
	for _, q := range fieldModuli() {
		for n := 2; n <= MaxN && q%uint64(n) == 1; n *= 2 {
			d := newShifter(n, q)
			limit := uint64(1<<64 - 1)
			if hi, lo := bits.Mul64(uint64(n), q); hi == 0 {
				limit = lo
			}
			for _, x := range append(edges(q, limit), limit-1) {
				require.Equal(t, x%q, mulMod(d.div(x, q), uint64(n), q), "x=%d n=%d q=%d", x, n, q)
				require.Less(t, d.div(x, q), q)
			}
		}
	}
}

func TestBarrett(t *testing.T) {
	for _, q := range []uint64{5, 7, 11, 13, 17, 97} { // exhaustive for small q
		b := newBarrett(q)
		for x := range q {
			for y := range q {
				require.Equal(t, x*y%q, b.mul(x, y, q))
			}
		}
	}
	for _, q := range fieldModuli() {
		b := newBarrett(q)
		xs := edges(q, q)
		for _, x := range xs[:min(len(xs), 100)] {
			for _, y := range xs {
				require.Equal(t, mulMod(x, y, q), b.mul(x, y, q), "x=%d y=%d q=%d", x, y, q)
			}
		}
	}
}

// TestMontgomery checks mred and mredOne against big integers: a*b*R^-1 mod q.
func TestMontgomery(t *testing.T) {
	for _, q := range fieldModuli() {
		qInv := inverse64(q)
		require.Equal(t, uint64(1), q*qInv)
		bigQ := new(big.Int).SetUint64(q)
		rInv := new(big.Int).ModInverse(new(big.Int).Lsh(big.NewInt(1), 64), bigQ)
		want := func(a, b uint64) uint64 {
			p := new(big.Int).Mul(new(big.Int).SetUint64(a), new(big.Int).SetUint64(b))
			return p.Mul(p, rInv).Mod(p, bigQ).Uint64()
		}
		as := edges(q, q)
		for i, a := range as {
			for _, b := range []uint64{0, 1, q - 1, as[(i*5+1)%len(as)], 1<<64 - 1} { // a*b < q*2^64 is all it asks
				require.Equal(t, want(a, b), mred(a, b, q, qInv), "a=%d b=%d q=%d", a, b, q)
			}
		}
		for _, a := range append(edges(q, 1<<63), 1<<63, 1<<64-1) {
			require.Equal(t, want(a, 1), mredOne(a, q, qInv), "a=%d q=%d", a, q)
		}
	}
}
