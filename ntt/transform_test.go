package ntt

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestGenericIsTheDefinition checks the textbook transform against
// out[j] = a(psi^(2*brv(j)+1)), summed term by term in big integers.
func TestGenericIsTheDefinition(t *testing.T) {
	for _, d := range []struct {
		n int
		q uint64
	}{{8, 17}, {16, 97}, {32, 193}, {64, 257}, {128, 3329}, {256, 7681}, {256, 0x1000000004A01}, {128, primeUpTo(1<<61-1, 128)}} {
		t.Run(fmt.Sprintf("N=%d/q=%d", d.n, d.q), func(t *testing.T) {
			r := mustRing(t, d.n, d.q)
			a := randomRows(r, newRand(1), 1)
			got := slices.Clone(a)
			r.forwardGeneric(got)
			require.Equal(t, evaluations(r, a), got)
			r.inverseGeneric(got)
			require.Equal(t, a, got)
		})
	}
}

// evaluations returns the forward transform of a, from its definition.
func evaluations(r *Ring, a []uint64) []uint64 {
	q, psi := new(big.Int).SetUint64(r.q), new(big.Int).SetUint64(r.psi)
	out := make([]uint64, r.n)
	for j := range out {
		e := big.NewInt(int64(2*reverseBits(j, r.logN) + 1))
		x := new(big.Int).Exp(psi, e, q)
		sum := new(big.Int)
		for i := r.n - 1; i >= 0; i-- { // Horner
			sum.Mul(sum, x).Add(sum, new(big.Int).SetUint64(a[i])).Mod(sum, q)
		}
		out[j] = sum.Uint64()
	}
	return out
}

// reverseBits reverses the k low bits of i, one by one.
func reverseBits(i, k int) (reversed int) {
	for range k {
		reversed, i = reversed<<1|i&1, i>>1
	}
	return reversed
}

// TestTransformIsGeneric checks what users call, and the strict kernels on every
// ring as well, against the textbook transform.
func TestTransformIsGeneric(t *testing.T) {
	testRings(t, func(t *testing.T, r *Ring) {
		for _, d := range directions {
			rng := newRand(uint64(r.n))
			src, names := structuredRows(r, d, rng)
			src = append(src, randomRows(r, rng, max(1, 4096/r.n))...)
			runs := map[string]transform{"chosen": d.run}
			if r.n >= kernelMinN {
				runs["strict"] = rowByRow(map[string]func(*Ring, []uint64){"forward": (*Ring).forwardStrict, "inverse": (*Ring).inverseStrict}[d.name])
			}
			for name, run := range runs {
				err := checkTransform(r, d, run, src)
				var diff *differenceError
				if errors.As(err, &diff) && diff.row < len(names) {
					t.Errorf("%s, %s, row %q: %v", d.name, name, names[diff.row], err)
				} else if err != nil {
					t.Errorf("%s, %s, random rows: %v", d.name, name, err)
				}
			}
		}
	})
}

// TestKernelChoice pins which kernels the rings get.
func TestKernelChoice(t *testing.T) {
	for _, c := range []struct {
		n                int
		q                uint64
		forward, inverse kernel
	}{
		{8, 17, generic, generic},
		{16, primeUpTo(1<<61-1, 16), generic, generic},
		{32, 193, generic, generic},
		{64, 257, lazy, lazy},
		{256, 0x1000000004A01, lazy, lazy},
		{256, primeUpTo(1<<63/33, 256), lazy, lazy},
		{256, primeAbove(1<<63/33, 256), strict, lazy},
		{65536, primeUpTo(1<<63/65, 65536), lazy, lazy},
		{65536, primeUpTo(1<<58, 65536), strict, lazy},
		{4096, primeAbove(1<<58, 4096), strict, strict},
		{64, primeUpTo(1<<61-1, 64), strict, strict},
	} {
		r := mustRing(t, c.n, c.q)
		require.Equal(t, c.forward, r.forward, "forward, N=%d, q=%d", c.n, c.q)
		require.Equal(t, c.inverse, r.inverse, "inverse, N=%d, q=%d", c.n, c.q)
	}
}

// TestManyPolynomials is the same check on 20,000 polynomials of each named ring.
func TestManyPolynomials(t *testing.T) {
	rows := 20_000
	if testing.Short() || underRace {
		rows = 500
	}
	for _, name := range Names() {
		r := mustParse(t, name)
		for _, d := range directions {
			rng := newRand(2)
			for left := rows; left > 0; {
				src, _ := structuredRows(r, d, rng)
				src = append(src, randomRows(r, rng, 200)...)
				require.NoError(t, checkTransform(r, d, d.run, src), "%s, %s", name, d.name)
				left -= len(src) / r.n
			}
		}
	}
}

func TestRoundTrips(t *testing.T) {
	for _, r := range []*Ring{mustRing(t, 8, 17), mustRing(t, 32, 193), mustParse(t, "pulsar"), mustRing(t, 1024, primeUpTo(1<<61-1, 1024))} {
		for rows := range 4 {
			a := randomRows(r, newRand(uint64(rows)), rows)
			there, back := make([]uint64, len(a)), make([]uint64, len(a))
			require.NoError(t, r.Forward(there, a))
			require.NoError(t, r.Inverse(back, there))
			require.Equal(t, a, back, "inverse of forward")
			require.NoError(t, r.Inverse(there, a))
			require.NoError(t, r.Forward(back, there))
			require.Equal(t, a, back, "forward of inverse")
		}
	}
}

// TestConvolution checks that the product of transforms is the transform of the
// negacyclic product, which is computed by the schoolbook rule X^N = -1.
func TestConvolution(t *testing.T) {
	for _, r := range []*Ring{mustRing(t, 8, 17), mustRing(t, 64, 257), mustParse(t, "pulsar"), mustParse(t, "mldsa"), mustRing(t, 64, primeUpTo(1<<61-1, 64))} {
		ab := randomRows(r, newRand(3), 2)
		want := negacyclicProduct(r, ab[:r.n], ab[r.n:])
		require.NoError(t, r.Forward(ab, ab))
		a, b := ab[:r.n], ab[r.n:]
		require.NoError(t, r.Mul(b, a, b))
		require.NoError(t, r.Inverse(b, b))
		require.Equal(t, want, b, r.String())
	}
}

func negacyclicProduct(r *Ring, a, b []uint64) []uint64 {
	c := make([]uint64, r.n)
	for i, x := range a {
		for j, y := range b {
			p := mulMod(x, y, r.q)
			if k := i + j; k < r.n {
				c[k] = (c[k] + p) % r.q
			} else {
				c[k-r.n] = (c[k-r.n] + r.q - p) % r.q
			}
		}
	}
	return c
}

func TestConcurrentUse(t *testing.T) {
	r := mustParse(t, "pulsar")
	src := randomRows(r, newRand(4), 8)
	want := make([]uint64, len(src))
	require.NoError(t, r.Forward(want, src))
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			dst := make([]uint64, len(src))
			if err := r.Forward(dst, src); err != nil || sameRows(r, dst, want) != nil {
				t.Error("differs when called concurrently")
			}
		})
	}
	wg.Wait()
}

func TestNoAllocation(t *testing.T) {
	for _, r := range []*Ring{mustRing(t, 8, 17), mustParse(t, "pulsar"), mustRing(t, 256, primeUpTo(1<<61-1, 256))} {
		a, b, c := randomRows(r, newRand(5), 3), randomRows(r, newRand(6), 3), randomRows(r, newRand(7), 3)
		allocs := testing.AllocsPerRun(10, func() {
			err := errors.Join(r.Forward(a, b), r.Inverse(a, b), r.Mul(a, b, c), r.MulAdd(a, b, c),
				r.MulMont(a, b, c), r.MulAddMont(a, b, c), r.MForm(a, b), r.IMForm(a, b))
			if err != nil {
				t.Fatal(err)
			}
		})
		require.Zero(t, allocs, r.String())
	}
}
