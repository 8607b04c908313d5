package ntt

import (
	"math/big"
	"math/bits"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestIsPrime(t *testing.T) {
	composite := make([]bool, 1<<16)
	for i := 2; i < len(composite); i++ {
		for j := 2 * i; j < len(composite); j += i {
			composite[j] = true
		}
		require.Equal(t, !composite[i], isPrime(uint64(i)), i)
	}
	require.False(t, isPrime(0))
	require.False(t, isPrime(1))
	for _, p := range []uint64{1<<61 - 1, 1<<64 - 59, 0x1000000004A01, 18446744069414584321} {
		require.True(t, isPrime(p), p)
	}
	for _, c := range pseudoprimes {
		require.False(t, isPrime(c), c)
	}
	rng := newRand(9)
	for range 2000 {
		n := rng.Uint64() >> rng.IntN(60)
		require.Equal(t, new(big.Int).SetUint64(n).ProbablyPrime(0), isPrime(n), n) // exact below 2^64
	}
}

// pseudoprimes are composites that fool weaker tests: Carmichael numbers, the
// least strong pseudoprimes to the first 1 to 9 prime bases (OEIS A014233),
// and squares of primes.
var pseudoprimes = []uint64{
	561, 1105, 1729, 2465, 2821, 6601, 8911, 825265, 321197185, 9746347772161, 1436697831295441,
	2047, 1373653, 25326001, 3215031751, 2152302898747, 3474749660383, 341550071728321, 3825123056546413051,
	65537 * 65537, 4294967291 * 4294967291, 1<<64 - 1,
}

func TestPrimeFactors(t *testing.T) {
	for n := uint64(2); n < 20_000; n++ {
		require.Equal(t, trialFactors(n), sortedFactors(n), n)
	}
	for _, c := range []struct {
		n    uint64
		want []uint64
	}{
		{281474976729600, []uint64{2, 3, 5, 14621, 167113}}, // the Pulsar modulus less one
		{1<<64 - 1, []uint64{3, 5, 17, 257, 641, 65537, 6700417}},
		{4294967291 * 4294967291, []uint64{4294967291}},
		{4294967291 * 4294967279, []uint64{4294967279, 4294967291}},
		{1009 * 1009 * 1009, []uint64{1009}},
		{1<<64 - 59, []uint64{1<<64 - 59}},
	} {
		require.Equal(t, c.want, sortedFactors(c.n))
	}
}

func sortedFactors(n uint64) []uint64 {
	fs := primeFactors(n)
	slices.Sort(fs)
	return fs
}

func trialFactors(n uint64) (fs []uint64) {
	for p := uint64(2); p*p <= n; p++ {
		if n%p == 0 {
			fs = append(fs, p)
			for n%p == 0 {
				n /= p
			}
		}
	}
	if n > 1 {
		fs = append(fs, n)
	}
	return fs
}

// TestPrimitiveRoot compares with the order of every candidate, found by
// walking through its powers.
func TestPrimitiveRoot(t *testing.T) {
	for q := uint64(5); q < 1500; q++ {
		if !isPrime(q) {
			continue
		}
		want := uint64(3)
		for order(want, q) != q-1 {
			want++
		}
		require.Equal(t, want, primitiveRoot(q), q)
	}
	// The generators that lattigo finds.
	for q, g := range map[uint64]uint64{0x1000000004A01: 11, 3329: 3, 8380417: 10, 97: 5, 0x7fff801: 7} {
		require.Equal(t, g, primitiveRoot(q), q)
	}
}

// order returns the multiplicative order of g modulo q, or 0 if g = 0 mod q.
func order(g, q uint64) uint64 {
	if g%q == 0 {
		return 0
	}
	k := uint64(1)
	for x := g % q; x != 1; x = x * g % q {
		k++
	}
	return k
}

func TestMulModAndPowMod(t *testing.T) {
	rng := newRand(10)
	for range 1000 {
		q := rng.Uint64()>>rng.IntN(60) | 2
		a, b, e := rng.Uint64N(q), rng.Uint64N(q), rng.Uint64()
		bigQ := new(big.Int).SetUint64(q)
		p := new(big.Int).Mul(new(big.Int).SetUint64(a), new(big.Int).SetUint64(b))
		require.Equal(t, p.Mod(p, bigQ).Uint64(), mulMod(a, b, q))
		p.Exp(new(big.Int).SetUint64(a), new(big.Int).SetUint64(e), bigQ)
		require.Equal(t, p.Uint64(), powMod(a, e, q))
	}
	require.Equal(t, uint64(1), powMod(0, 0, 5))
	require.Equal(t, 63, bits.Len64(gcd(1<<63, 1<<62))) // 2^62
	require.Equal(t, uint64(7), gcd(0, 7))
}
