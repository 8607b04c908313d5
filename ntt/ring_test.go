package ntt

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRingIsRefused(t *testing.T) {
	const pulsar = 0x1000000004A01
	for _, c := range []struct {
		name string
		n    int
		q    uint64
		want error
	}{
		{"degree 0", 0, 17, ErrDegree},
		{"degree negative", -8, 17, ErrDegree},
		{"degree of least int", math.MinInt, 17, ErrDegree},
		{"degree 4", 4, 17, ErrDegree},
		{"degree 12", 12, 97, ErrDegree},
		{"degree 131072", 131072, 786433, ErrDegree},
		{"degree of greatest int", math.MaxInt, 17, ErrDegree},
		{"q 0", 8, 0, ErrPrime},
		{"q 1", 8, 1, ErrPrime},
		{"q 2", 8, 2, ErrNoRoot},
		{"q even", 8, 1 << 40, ErrPrime},
		{"q of 62 bits", 8, 1 << 61, ErrModulus},
		{"q of 64 bits", 8, math.MaxUint64, ErrModulus},
		{"q composite, 1 mod 2N", 8, 33, ErrPrime},
		{"q a square of a prime", 256, 65537 * 65537, ErrPrime},
		{"q a Carmichael number, 1 mod 2N", 8, 561, ErrPrime},
		{"q a Carmichael number, 1 mod 2N, again", 32, 1729, ErrPrime},
		{"q a strong pseudoprime to 2, 3, 5 and 7", 8, 3215031751, ErrPrime},
		{"q prime without the root", 256, 3329, ErrNoRoot},
		{"q prime without the root at twice the degree", 512, pulsar, ErrNoRoot},
	} {
		r, err := NewRing(c.n, c.q)
		var re *RingError
		require.ErrorAs(t, err, &re, c.name)
		require.ErrorIs(t, err, c.want, c.name)
		require.Equal(t, RingError{N: c.n, Q: c.q, Err: c.want}, *re, c.name)
		require.NotEmpty(t, err.Error())
		require.Nil(t, r, c.name)
		_, err = NewRingWithPsi(c.n, c.q, 3)
		require.ErrorIs(t, err, c.want, c.name)
	}
	for name, psi := range map[string]uint64{
		"0": 0, "1": 1, "-1": pulsar - 1, "q": pulsar, "q+psi": pulsar + 0xa58a46cdd563, "2^64-1": math.MaxUint64,
		"a root of order 256":              mulMod(0xa58a46cdd563, 0xa58a46cdd563, pulsar),
		"a generator of the whole group":   11,
		"the square of that of the square": powMod(0xa58a46cdd563, 4, pulsar),
	} {
		_, err := NewRingWithPsi(256, pulsar, psi)
		require.ErrorIs(t, err, ErrPsi, "psi: %s", name)
	}
}

// TestEveryPsi tries every residue as psi in two small rings: those of order 2N
// are taken, and no other.
func TestEveryPsi(t *testing.T) {
	for _, c := range []struct {
		n int
		q uint64
	}{{8, 17}, {16, 97}} {
		for psi := range c.q {
			r, err := NewRingWithPsi(c.n, c.q, psi)
			if order(psi, c.q) == uint64(2*c.n) {
				require.NoError(t, err)
				require.Equal(t, psi, r.Psi())
			} else {
				require.ErrorIs(t, err, ErrPsi)
			}
		}
	}
}

func TestAccessors(t *testing.T) {
	r := mustParse(t, "pulsar")
	require.Equal(t, 256, r.N())
	require.Equal(t, 8, r.LogN())
	require.Equal(t, uint64(0x1000000004A01), r.Q())
	require.Equal(t, uint64(0xa58a46cdd563), r.Psi())
	require.Equal(t, 49, r.Bits())
	require.Equal(t, uint64(0xff00000049b7), r.InverseN())
	require.Equal(t, "256,281474976729601,182013311964515", r.String())
	// The derivation gives the same psi as the constant that others publish.
	require.Equal(t, r.Psi(), mustRing(t, 256, r.Q()).Psi())
}
