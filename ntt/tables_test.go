package ntt

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTables recomputes every table of some rings from psi, with big integers.
func TestTables(t *testing.T) {
	for _, r := range []*Ring{mustRing(t, 8, 17), mustRing(t, 16, 97), mustRing(t, 64, 257), mustParse(t, "pulsar"), mustParse(t, "mldsa"), mustParse(t, "fhe27"), mustRing(t, 512, primeUpTo(1<<61-1, 512))} {
		q, psi := new(big.Int).SetUint64(r.q), new(big.Int).SetUint64(r.psi)
		roots, inverses := r.Roots(), r.InverseRoots()
		require.Len(t, roots, r.n)
		require.Len(t, inverses, r.n)
		two64 := new(big.Int).Lsh(big.NewInt(1), 64)
		for i := range r.n {
			w := new(big.Int).Exp(psi, big.NewInt(int64(reverseBits(i, r.logN))), q)
			require.Equal(t, w.Uint64(), roots[i], "root %d", i)
			require.Equal(t, new(big.Int).ModInverse(w, q).Uint64(), inverses[i], "inverse root %d", i)
			s := new(big.Int).Mul(w, two64)
			require.Equal(t, s.Div(s, q).Uint64(), r.fwd[i].s, "Shoup quotient %d", i)
		}
		n := big.NewInt(int64(r.n))
		require.Equal(t, n.ModInverse(n, q).Uint64(), r.InverseN())
		require.Equal(t, two64.Mod(two64, q).Uint64(), r.r1.w)
	}
}

// TestGroupTables checks the tables that the kernels of the last and the first
// four stages read: for each 16 coefficients the factors of four stages, those
// that the textbook transform uses for the same butterflies.
func TestGroupTables(t *testing.T) {
	r := mustParse(t, "pulsar")
	require.Len(t, r.fwdTail, 16)
	require.Len(t, r.invHead, 16)
	for g := range 16 {
		i := 0
		for m := r.n / 16; m < r.n; m *= 2 {
			per := m * 16 / r.n // factors per group in this stage
			for k := range per {
				require.Equal(t, r.fwd[m+g*per+k], r.fwdTail[g][i], "forward, group %d, factor %d", g, i)
				// The inverse takes the stages the other way round.
				require.Equal(t, r.inv[m+g*per+k], r.invHead[g][16-2*per+k], "inverse, group %d, stage of %d", g, m)
				i++
			}
		}
	}
}

func TestRootsAreCopies(t *testing.T) {
	r := mustRing(t, 8, 17)
	want := r.Roots()
	clear(r.Roots())
	clear(r.InverseRoots())
	require.Equal(t, want, r.Roots())
	require.NotEqual(t, want, r.InverseRoots())
}
