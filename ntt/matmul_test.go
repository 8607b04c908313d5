package ntt

import (
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
			}
		}
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
