//go:build (darwin || metalsim) && cgo

package metal

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/gpu"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// A pointwise case is a kernel with the reference that it must equal; binary
// ones take two factors.
type pointwiseCase struct {
	kernel Kernel
	binary bool
	want   func(dst, a, b []uint64)
}

func pointwiseCases(p *Program, r *ntt.Ring) []pointwiseCase {
	return []pointwiseCase{
		{p.Mul, true, r.MulReduced},
		{p.MulAdd, true, r.MulAddReduced},
		{p.MulMont, true, r.MulMontReduced},
		{p.MulAddMont, true, r.MulAddMontReduced},
		{p.MForm, false, func(dst, _, _ []uint64) { r.MFormReduced(dst, dst) }},
		{p.IMForm, false, func(dst, _, _ []uint64) { r.IMFormReduced(dst, dst) }},
	}
}

// edges returns the coefficients that are the hard ones for a product: next to 0,
// q/2 and q, and around powers of two.
func edges(q uint64) []uint64 {
	e := []uint64{0, 1, 2, q - 1, q - 2, q / 2, q/2 + 1}
	for _, b := range []int{16, 31, 32, 33, 48, 52, 60} {
		for _, x := range []uint64{1<<b - 1, 1 << b, 1<<b + 1, q - 1<<b} {
			if x < q {
				e = append(e, x)
			}
		}
	}
	return e
}

// operands returns rows in which every pair of edges meets if there is room, and
// random coefficients after them.
func operands(r *ntt.Ring, rows int) (a, b, dst []uint64) {
	q, n := r.Q(), rows*r.N()
	e := edges(q)
	rng := rand.New(rand.NewPCG(2, q))
	for i := range n {
		if i < len(e)*len(e) {
			a, b = append(a, e[i%len(e)]), append(b, e[i/len(e)])
		} else {
			a, b = append(a, rng.Uint64N(q)), append(b, rng.Uint64N(q))
		}
		dst = append(dst, e[rng.IntN(len(e))])
	}
	return a, b, dst
}

// guarded returns first rows of guards, x, and two rows of guards more.
func guarded(n, first int, x []uint64) []uint64 {
	g := make([]uint64, first*n+len(x)+2*n)
	for i := range g {
		g[i] = guard
	}
	copy(g[first*n:], x)
	return g
}

// checkPointwise runs a pointwise kernel over rows rows after first rows of
// guards and compares every word.
func checkPointwise(k *runner, c pointwiseCase, r *ntt.Ring, wordBytes, first, rows int) error {
	n := r.N()
	a, b, dst := operands(r, rows)
	in := [][]byte{encodeWords(wordBytes, guarded(n, first, dst))}
	if c.binary {
		in = append(in, encodeWords(wordBytes, guarded(n, first, a)), encodeWords(wordBytes, guarded(n, first, b)))
	}
	c.want(dst, a, b)
	params := [gpu.ParamWords]uint32{uint32(rows * n), uint32(first * n)}
	out, err := k.run(rows*n, params, rows%2 == 0, in...)
	if err != nil {
		return err
	}
	return differ(n, decodeWords(wordBytes, out), guarded(n, first, dst))
}

// pointwiseRings are the named ones, the least, and those on either side of what
// is a boundary to a word or to the sum of products.
func pointwiseRings(t *testing.T) (rs []*ntt.Ring) {
	for _, name := range ntt.Names() {
		rs = append(rs, named(t, name))
	}
	return append(rs, above(8, 3), below(16, 1<<29), below(64, 1<<32), above(64, 1<<32), below(32, 1<<60), below(32, 1<<61))
}

func TestPointwise(t *testing.T) {
	dev := open(t)
	for _, r := range pointwiseRings(t) {
		p := program(t, r)
		for _, c := range pointwiseCases(p, r) {
			run := newRunner(t, dev, c.kernel)
			for _, rows := range []int{1, 2, 7, 1 + 2000/r.N()} {
				require.NoError(t, checkPointwise(run, c, r, p.WordBytes, rows%3, rows), "%s of %d rows of %s", c.kernel.Name, rows, r)
			}
		}
	}
}

// checkMatMul runs C += A*B*2^-64 for matrices of rows, with guards after C.
func checkMatMul(run *runner, r *ntt.Ring, wordBytes, m, k, n int) error {
	N := r.N()
	a, _, _ := operands(r, m*k)
	_, b, _ := operands(r, k*n)
	_, _, c := operands(r, m*n)
	in := [][]byte{
		encodeWords(wordBytes, guarded(N, 0, c)), encodeWords(wordBytes, guarded(N, 0, a)), encodeWords(wordBytes, guarded(N, 0, b)),
	}
	for i := range m {
		for j := range n {
			dst := c[(i*n+j)*N:][:N]
			for l := range k {
				r.MulAddMontReduced(dst, a[(i*k+l)*N:][:N], b[(l*n+j)*N:][:N])
			}
		}
	}
	out, err := run.run(m*n*N, [gpu.ParamWords]uint32{uint32(m), uint32(k), uint32(n)}, n%2 == 0, in...)
	if err != nil {
		return err
	}
	return differ(N, decodeWords(wordBytes, out), guarded(N, 0, c))
}

func TestMatMul(t *testing.T) {
	dev := open(t)
	for _, r := range pointwiseRings(t) {
		p := program(t, r)
		run := newRunner(t, dev, p.MatMulAddMont)
		for _, d := range [][3]int{{1, 1, 1}, {2, 3, 5}, {3, 8, 2}, {1, 9, 4}, {4, 17, 1}, {5, 33, 3}} {
			require.NoError(t, checkMatMul(run, r, p.WordBytes, d[0], d[1], d[2]), "%v of %s", d, r)
		}
	}
}

// TestPointwiseCatches shows that the checks find what is planted.
func TestPointwiseCatches(t *testing.T) {
	open(t)
	r := below(32, 1<<61)
	p := program(t, r)
	for _, m := range []struct {
		kernel, old, new string
	}{
		{"mul_mont", "s.hi + q - mulhi", "s.hi - mulhi"},
		{"mul_mont", "s.hi = mulhi(a, b);", "s.hi = mulhi(a, b) & ~1;"},
		{"mul_add_mont", "return fold(a + b, ring.q);", "return a + b;"},
		{"mul", "crosspoint::into(p, ring)", "p"},
		{"mul_add", "crosspoint::plus(result[k], crosspoint::into(p, ring), ring)", "crosspoint::into(p, ring)"},
		{"mform", "ring.radix.quotient", "ring.radix.quotient >> 1"},
		{"imform", "s.lo * inverse", "s.lo * q"},
		{"imform", "if (i < params[0])", "if (i <= params[0])"},
		{"mul", "params[1] + i", "i"},
		{"matmul_add_mont", "r.hi = s.hi + mulhi(a, b) + ulong(r.lo < p);", "r.hi = s.hi + mulhi(a, b);"},
		{"matmul_add_mont", "min(inner - done, uint(ring.run))", "inner - done"},
		{"matmul_add_mont", "ulong(row) * inner << log_n", "ulong(row) * width << log_n"},
		{"matmul_add_mont", "ulong(done) * width << log_n", "ulong(done) * inner << log_n"},
		{"matmul_add_mont", "i < (params[0] * params[2])", "i <= (params[0] * params[2])"},
	} {
		t.Run(m.kernel+"/"+m.new, func(t *testing.T) {
			t.Parallel()
			if m.kernel == "matmul_add_mont" {
				run := newRunner(t, fresh(t), mutate(t, p.MatMulAddMont, "pointwise.metal", m.old, m.new))
				require.Error(t, checkMatMul(run, r, p.WordBytes, 5, 33, 3))
				return
			}
			for _, c := range pointwiseCases(p, r) {
				if c.kernel.Name == m.kernel {
					run := newRunner(t, fresh(t), mutate(t, c.kernel, "pointwise.metal", m.old, m.new))
					require.Error(t, checkPointwise(run, c, r, p.WordBytes, 1, 61))
				}
			}
		})
	}
}
