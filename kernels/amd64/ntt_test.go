package amd64

import (
	"flag"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// polynomials is how many random polynomials of each named ring and width
// TestManyPolynomials compares: 1,000,000 take some minutes.
var polynomials = flag.Int("polynomials", 2000, "random and structured polynomials per ring and width")

func TestOperationsEqualTheReference(t *testing.T) {
	eachRing(t, func(t *testing.T, r *ntt.Ring, w Width) {
		x, rng := mustNTT(t, r, w), newRand(uint64(r.N()))
		a := append(structured(rng, r), random(rng, r, 3)...)
		rows := len(a) / r.N()
		b := append(random(rng, r, rows-1-rows/2), structured(rng, r)...)[:len(a)-rows/2*r.N()]
		b = append(b, a[:len(a)-len(b)]...)
		dst := append(slices.Clone(b[r.N():]), a[:r.N()]...)
		for _, c := range calls {
			require.NoError(t, c.check(r, x, dst, a, b, r.Q()&2 == 0))
		}
	})
}

// TestManyPolynomials compares transforms there and back, and products, of the
// named rings and one of 50 bits.
func TestManyPolynomials(t *testing.T) {
	eachWidth(t, func(t *testing.T, w Width) {
		most := transformKernels(w).maxBits
		for _, r := range []*ntt.Ring{parse(t, "pulsar"), parse(t, "mldsa"), parse(t, "fhe27"), ringUpTo(t, 256, 1<<most-1), ringUpTo(t, 64, 1<<most-1)} {
			if r.Bits() > most {
				continue
			}
			t.Run(fmt.Sprintf("N=%d/q=%d", r.N(), r.Q()), func(t *testing.T) {
				t.Parallel()
				many(t, r, mustNTT(t, r, w))
			})
		}
	})
}

func many(t *testing.T, r *ntt.Ring, x *NTT) {
	rng := newRand(r.Q())
	left := *polynomials
	if underRace {
		left /= 8
	}
	for ; left > 0; left -= 128 {
		src := append(structured(rng, r), random(rng, r, 100)...)
		src = src[:min(len(src), 128*r.N())]
		for i := range src { // a third of the coefficients at the ends of the range
			if k := rng.Uint64N(12); k < 4 && i%(3*r.N()) < r.N() {
				src[i] = pick(k < 2, r.Q()-1, 0)
			}
		}
		got, want := make([]uint64, len(src)), make([]uint64, len(src))
		for _, c := range calls[:2] {
			require.NoError(t, c.want(r, want, src, nil))
			require.Equal(t, len(src)/r.N(), c.run(x, got, src, nil))
			if !slices.Equal(want, got) {
				t.Fatalf("%s differs", c.name)
			}
		}
		require.Equal(t, len(src)/r.N(), x.Forward(got, got))
		if !slices.Equal(src, got) {
			t.Fatal("there and back differs")
		}
	}
}

// TestRowCounts runs every number of rows up to more than a block's, over memory
// that begins anywhere.
func TestRowCounts(t *testing.T) {
	eachWidth(t, func(t *testing.T, w Width) {
		for n := 8; n <= 512; n *= 2 {
			r := ringUpTo(t, n, 1<<transformKernels(w).maxBits-1)
			x, rng := mustNTT(t, r, w), newRand(uint64(n))
			for rows := range 20 {
				a, b := random(rng, r, rows), random(rng, r, rows)
				for _, c := range calls {
					require.NoError(t, c.check(r, x, b, a, b, rows&1 == 0), "N=%d rows=%d", n, rows)
				}
			}
		}
	})
}

// TestBadRows puts a coefficient that is out of range everywhere: the rows before
// it are done, and dst is untouched from its row on.
func TestBadRows(t *testing.T) {
	eachWidth(t, func(t *testing.T, w Width) {
		for i := range 14 { // degrees 8 to 512, with the largest moduli and with small ones
			n, limit := 8<<(i/2), uint64(1)<<transformKernels(w).maxBits-1
			if i%2 == 1 {
				limit = 1 << 20
			}
			r := ringUpTo(t, n, limit)
			x, rng := mustNTT(t, r, w), newRand(uint64(n))
			tries := 20
			if underRace {
				tries = 2
			}
			for _, c := range calls {
				for range tries {
					checkBadRow(t, c, r, x, rng.IntN(14), rng.IntN(n), []uint64{r.Q(), 1 << 52, 1 << 63, ^uint64(0)}[rng.IntN(4)], rng.IntN(3))
				}
			}
		}
	})
}

func checkBadRow(t *testing.T, c call, r *ntt.Ring, x *NTT, row, index int, bad uint64, operand int) {
	rng := newRand(uint64(row*1000 + index))
	in := [3][]uint64{random(rng, r, 14), random(rng, r, 14), random(rng, r, 14)} // a, b, dst
	if operand == 1 && !c.binary || operand == 2 && !c.readsDst {
		operand = 0
	}
	want := slices.Clone(in[2])
	first := row * r.N()
	require.NoError(t, c.want(r, want[:first], in[0][:first], in[1][:first]))
	in[operand][first+index] = bad
	if operand == 2 {
		want[first+index] = bad
	}
	got, intact := guarded(in[2], false)
	require.Equal(t, row, c.run(x, got, in[0], in[1]), "%s N=%d", c.name, r.N())
	require.Equal(t, want, got, "%s N=%d row %d", c.name, r.N(), row)
	require.True(t, intact())
}

func TestReduced(t *testing.T) {
	eachWidth(t, func(t *testing.T, w Width) {
		r := ringUpTo(t, 64, 1<<transformKernels(w).maxBits-1)
		x := mustNTT(t, r, w)
		s := make([]uint64, 64)
		require.True(t, x.Reduced(s))
		require.True(t, x.Reduced(nil))
		for i := range s {
			s[i] = r.Q() - 1
			require.True(t, x.Reduced(s))
			for bit := range 64 {
				if s[i] = 1 << bit; s[i] < r.Q() {
					s[i] = r.Q() + s[i]
				}
				require.False(t, x.Reduced(s), "%d at %d", s[i], i)
			}
			s[i] = 0
		}
	})
}

func TestRefusals(t *testing.T) {
	roots := make([]uint64, 256)
	for _, c := range []struct {
		n      int
		q      uint64
		roots  []uint64
		width  Width
		reason error
	}{
		{256, 257, roots, 0, ErrWidth},
		{256, 257, roots, 99, ErrWidth},
		{100, 257, roots, 0, ErrWidth},
	} {
		_, err := NewNTT(c.n, c.q, c.roots, c.roots, 1, c.width)
		var e *NTTError
		require.ErrorAs(t, err, &e)
		require.ErrorIs(t, err, c.reason)
	}
	eachWidth(t, func(t *testing.T, w Width) {
		for _, c := range []struct {
			n      int
			q      uint64
			roots  []uint64
			reason error
		}{
			{255, 257, roots, ErrDegree}, {4, 257, roots, ErrDegree}, {1 << 17, 257, roots, ErrDegree}, {-8, 257, roots, ErrDegree},
			{256, 1 << transformKernels(w).maxBits, roots, ErrModulus}, {256, 0, roots, ErrModulus}, {256, 256, roots, ErrModulus},
			{256, 257, roots[1:], ErrTables}, {256, 257, nil, ErrTables},
		} {
			_, err := NewNTT(c.n, c.q, c.roots, c.roots, 1, w)
			var e *NTTError
			require.ErrorAs(t, err, &e)
			require.ErrorIs(t, err, c.reason)
			require.NotEmpty(t, err.Error())
		}
	})
}

func TestNothingIsAllocatedPerCall(t *testing.T) {
	if underRace {
		return // where a sync.Pool forgets at random
	}
	eachWidth(t, func(t *testing.T, w Width) {
		for _, n := range []int{8, 64, 256, 1024} {
			r := ringUpTo(t, n, 1<<transformKernels(w).maxBits-1)
			x := mustNTT(t, r, w)
			a, b := random(newRand(1), r, 9), random(newRand(2), r, 9)
			for _, c := range calls {
				require.Zero(t, testing.AllocsPerRun(20, func() { c.run(x, b, a, b) }), "%s N=%d", c.name, n)
			}
		}
	})
}
