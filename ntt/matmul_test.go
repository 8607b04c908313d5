package ntt

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// tripleLoop is the matrix product as lattigo's users write it.
func tripleLoop(r *Ring, dst, a, b []uint64, m, k, n int) {
	row := func(s []uint64, i int) []uint64 { return s[i*r.n : (i+1)*r.n] }
	for i := range m {
		for j := range n {
			for t := range k {
				r.MulAddMontReduced(row(dst, i*n+j), row(a, i*k+t), row(b, t*n+j))
			}
		}
	}
}

func TestMatMulAddMont(t *testing.T) {
	rings := []struct {
		n int
		q uint64
	}{
		{256, 0x1000000004A01}, // 2^15 products fit before a reduction
		{16, 97},
		{8, 1<<61 - 463}, // only eight products fit
	}
	shapes := [][3]int{{1, 1, 1}, {2, 0, 2}, {0, 3, 2}, {2, 3, 4}, {3, 7, 2}, {1, 9, 2}, {2, 17, 1}, {8, 7, 49}}
	for _, d := range rings {
		q := d.q
		for !isPrime(q) || q%uint64(2*d.n) != 1 {
			q -= 2 // the largest suitable prime below
		}
		r, err := NewRing(d.n, q)
		require.NoError(t, err)
		for _, s := range shapes {
			m, k, n := s[0], s[1], s[2]
			for name, fill := range map[string]func(i int) uint64{
				"all q-1":     func(int) uint64 { return q - 1 },
				"alternating": func(i int) uint64 { return uint64(i&1) * (q - 1) },
				"mixed":       func(i int) uint64 { return mulMod(uint64(i+1)%q, 0x9E3779B97F4A7C15%q, q) },
			} {
				a, b := filled(m*k*d.n, fill), filled(k*n*d.n, fill)
				want, got := filled(m*n*d.n, fill), filled(m*n*d.n, fill)
				tripleLoop(r, want, a, b, m, k, n)
				half := m * n / 2
				r.MatMulAddMontReduced(got, a, b, k, n, 0, half)
				r.MatMulAddMontReduced(got, a, b, k, n, half, m*n)
				require.Equal(t, want, got, "q=%d %v %s", q, s, name)
				got = filled(m*n*d.n, fill)
				require.NoError(t, r.MatMulAddMont(got, a, b, m, k, n))
				require.Equal(t, want, got, "q=%d %v %s, checked", q, s, name)
			}
		}
	}
}

// TestMatMulAddMontShapes gives the checked product lengths and overlaps that it
// must refuse, among them all that would make the unchecked one panic.
func TestMatMulAddMontShapes(t *testing.T) {
	r := mustRing(t, 8, 97)
	const m, k, n = 2, 3, 4
	s := filled(60*r.n, func(i int) uint64 { return uint64(i) % r.q })
	rows := func(from, count int) []uint64 { return s[from*r.n : (from+count)*r.n] }
	dst, a, b := rows(0, m*n), rows(10, m*k), rows(20, k*n)
	require.NoError(t, r.MatMulAddMont(slices.Clone(dst), a, b, m, k, n))
	before := slices.Clone(s)
	huge := math.MaxInt/2 + 1
	for name, c := range map[string]struct {
		dst, a, b []uint64
		m, k, n   int
		arg       string
	}{
		"m negative":      {dst, a, b, -m, k, n, "a"},
		"k negative":      {dst, a, b, m, -k, n, "a"},
		"n negative":      {dst, a, b, m, k, -n, "b"},
		"m and k":         {dst, a, b, -m, -k, n, "a"},
		"n zero":          {dst, a, b, m, k, 0, "b"},
		"k zero":          {dst, a, b, m, 0, n, "a"},
		"m zero":          {dst, a, b, 0, k, n, "a"},
		"only dst":        {dst, nil, nil, 0, 0, 0, "dst"},
		"a short":         {dst, rows(10, m*k-1), b, m, k, n, "a"},
		"a long":          {dst, rows(10, m*k+1), b, m, k, n, "a"},
		"a by a word":     {dst, a[1:], b, m, k, n, "a"},
		"b short":         {dst, a, rows(20, k*n-1), m, k, n, "b"},
		"b empty":         {dst, a, nil, m, k, n, "b"},
		"dst short":       {rows(0, m*n-1), a, b, m, k, n, "dst"},
		"dst by a word":   {dst[:len(dst)-1], a, b, m, k, n, "dst"},
		"transposed":      {dst, a, b, n, k, m, "a"},
		"m wraps":         {dst, a, b, huge, 2, n, "a"},
		"n wraps":         {dst, a, b, m, k, huge, "b"},
		"all wrap":        {nil, nil, nil, huge, huge, huge, "a"},
		"dst before a":    {rows(3, m*n), a, b, m, k, n, "dst"},
		"dst within a":    {rows(12, m*n), a, b, m, k, n, "dst"},
		"dst begins as a": {rows(10, m*n), a, b, m, k, n, "dst"},
		"dst within b":    {rows(31, m*n), a, b, m, k, n, "dst"},
		"dst is a":        {rows(10, 4), rows(10, 4), rows(20, 4), 2, 2, 2, "dst"},
	} {
		err := r.MatMulAddMont(c.dst, c.a, c.b, c.m, c.k, c.n)
		var se *ShapeError
		require.ErrorAs(t, err, &se, name)
		require.ErrorIs(t, err, ErrShape, name)
		require.Equal(t, c.arg, se.Arg, name)
		require.Equal(t, before, s, name)
	}
	require.NoError(t, r.MatMulAddMont(nil, nil, nil, 0, 0, 0))
	require.NoError(t, r.MatMulAddMont(nil, nil, b, 0, k, n))
	require.NoError(t, r.MatMulAddMont(nil, a, nil, m, k, 0))
	require.NoError(t, r.MatMulAddMont(dst, nil, nil, m, 0, n))
	require.Equal(t, before, s, "an empty sum")
	square := filled(4*r.n, func(int) uint64 { return 3 })
	require.NoError(t, r.MatMulAddMont(rows(0, 4), square, square, 2, 2, 2), "a and b may be the same slice")
}

func TestMatMulAddMontRange(t *testing.T) {
	r := mustRing(t, 8, 97)
	const m, k, n = 2, 3, 4
	for i, arg := range []string{"a", "b", "dst"} {
		s := [3][]uint64{make([]uint64, m*k*r.n), make([]uint64, k*n*r.n), make([]uint64, m*n*r.n)}
		for _, later := range s[i+1:] {
			later[0] = r.q // a comes before b, and b before dst
		}
		s[i][2*r.n+5] = r.q
		before := slices.Clone(s[2])
		var re *RangeError
		require.ErrorAs(t, r.MatMulAddMont(s[2], s[0], s[1], m, k, n), &re)
		require.Equal(t, RangeError{Arg: arg, Row: 2, Index: 5}, *re)
		require.Equal(t, before, s[2])
	}
}

func filled(n int, fill func(i int) uint64) []uint64 {
	s := make([]uint64, n)
	for i := range s {
		s[i] = fill(i)
	}
	return s
}

func BenchmarkMatMulAddMont(b *testing.B) {
	const m, k, n = 8, 7, 49
	r, err := Parse("pulsar")
	require.NoError(b, err)
	one := func(i int) uint64 { return mulMod(uint64(i+1), 0x9E3779B97F4A7C15%r.q, r.q) }
	x, y, z := filled(m*k*r.n, one), filled(k*n*r.n, one), filled(m*n*r.n, one)
	b.Run("form=lazy", func(b *testing.B) {
		for b.Loop() {
			r.MatMulAddMontReduced(z, x, y, k, n, 0, m*n)
		}
	})
	b.Run("form=triple-loop", func(b *testing.B) {
		for b.Loop() {
			tripleLoop(r, z, x, y, m, k, n)
		}
	})
}
