package wgsl

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

// edges returns rows whose coefficients are the hard ones for a product: next
// to 0, q/2 and q, at the boundaries of limbs, all ones.
func edges(q uint64) []uint64 {
	e := []uint64{0, 1, 2, q - 1, q - 2, q / 2, q/2 + 1}
	for _, b := range []int{13, 16, 17, 26, 32, 34, 39, 48, 52, 60} {
		for _, x := range []uint64{1<<b - 1, 1 << b, 1<<b + 1, q - 1<<b} {
			if x < q {
				e = append(e, x)
			}
		}
	}
	return e
}

// operands returns rows of a and b such that many pairs of edges meet, and random
// ones.
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
	g := make([]uint64, first*n, first*n+len(x)+2*n)
	for i := range g {
		g[i] = guard
	}
	g = append(g, x...)
	for range 2 * n {
		g = append(g, guard)
	}
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

func TestPointwise(t *testing.T) {
	dev := open(t)
	for _, r := range pointwiseRings(t) {
		t.Run(r.String(), func(t *testing.T) {
			p := program(t, r)
			for _, c := range pointwiseCases(p, r) {
				run, err := newRunner(dev, c.kernel)
				require.NoError(t, err)
				defer run.release()
				for _, rows := range []int{1, 2, 7, 1 + 2000/r.N()} {
					require.NoError(t, checkPointwise(run, c, r, p.WordBytes, rows%3, rows), "%s of %d rows", c.kernel.Name, rows)
				}
			}
		})
	}
}

// pointwiseRings leaves out the rings whose pointwise kernels are the same as
// another's but for the constants.
func pointwiseRings(t *testing.T) []*ntt.Ring {
	return []*ntt.Ring{
		named(t, "pulsar"), named(t, "mldsa"), named(t, "fhe27"),
		below(t, 8, 100), below(t, 8, 1<<31), above(t, 64, 1<<31), below(t, 64, 1<<50), below(t, 32, 1<<61),
		below(t, 128, 1<<48+1<<15),
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
		t.Run(r.String(), func(t *testing.T) {
			p := program(t, r)
			run, err := newRunner(dev, p.MatMulAddMont)
			require.NoError(t, err)
			defer run.release()
			for _, d := range [][3]int{{1, 1, 1}, {2, 3, 5}, {3, 8, 2}, {1, 9, 4}, {4, 17, 1}, {5, 33, 3}} {
				require.NoError(t, checkMatMul(run, r, p.WordBytes, d[0], d[1], d[2]), "%v", d)
			}
		})
	}
}
