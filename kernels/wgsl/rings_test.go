package wgsl

import (
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

// below returns the ring of degree n with the greatest modulus up to limit.
func below(tb testing.TB, n int, limit uint64) *ntt.Ring {
	tb.Helper()
	step := uint64(2 * n)
	for q := (limit-1)/step*step + 1; q > step; q -= step {
		if r, err := newRing(n, q); err == nil {
			return r
		}
	}
	tb.Fatalf("no modulus for degree %d below %d", n, limit)
	return nil
}

// above returns the ring of degree n with the least modulus above limit.
func above(tb testing.TB, n int, limit uint64) *ntt.Ring {
	tb.Helper()
	step := uint64(2 * n)
	for q := limit/step*step + 1; ; q += step {
		if r, err := newRing(n, q); q > limit && err == nil {
			return r
		}
	}
}

// newRing is ntt.NewRing without the factorisation of q-1: any root will do.
func newRing(n int, q uint64) (*ntt.Ring, error) {
	var err error
	for g := uint64(2); g < 40; g++ {
		var r *ntt.Ring
		if r, err = ntt.NewRingWithPsi(n, q, power(g, (q-1)/uint64(2*n), q)); err == nil {
			return r, nil
		}
	}
	return nil, err
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

// rings returns the rings that the kernels are tested on: the named ones, every
// degree, and for every field the moduli at which its headroom changes what is
// written.
func rings(tb testing.TB) []*ntt.Ring {
	rs := []*ntt.Ring{named(tb, "pulsar"), named(tb, "mldsa"), named(tb, "fhe27")}
	for _, c := range []struct {
		n     int
		limit uint64
	}{
		{8, 98}, {16, 98}, {128, 258}, {32, 7682},
		{8, 1 << 31}, {2048, 1 << 31}, {64, 1 << 30}, {512, 1 << 28},
		{8, 1 << 61}, {16, 1 << 61}, {32, 1 << 61}, {1024, 1 << 61}, {2048, 1 << 61},
		{64, 1 << 50}, {128, 1 << 58}, {128, 1<<48 + 1<<15}, {512, 1<<48 + 1<<20},
	} {
		rs = append(rs, below(tb, c.n, c.limit))
	}
	return append(rs, above(tb, 64, 1<<31), above(tb, 32, 1<<48))
}

// mutantRing returns a named ring, or a small one of each field: small texts
// compile fast.
func mutantRing(tb testing.TB, name string) *ntt.Ring {
	switch name {
	case "sliced":
		return above(tb, 64, 1<<48)
	case "narrow":
		return below(tb, 32, 8380418)
	case "largest narrow":
		return below(tb, 32, 1<<31)
	case "wide":
		return below(tb, 32, 1<<61)
	default:
		return named(tb, name)
	}
}
