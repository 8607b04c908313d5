package kat

import (
	"math/big"
	"math/bits"
	"testing"

	"github.com/stretchr/testify/require"
)

// The tests of this file compute the expected values once more, from the
// definitions and by division, so that a vector does not rest on lattigo alone.

func mulMod(a, b, q uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	_, r := bits.Div64(hi, lo, q)
	return r
}

func addMod(a, b, q uint64) uint64 { return (a + b) % q } // q < 2^61

func powMod(a, e, q uint64) uint64 {
	x := new(big.Int).SetUint64(a)
	return x.Exp(x, new(big.Int).SetUint64(e), new(big.Int).SetUint64(q)).Uint64()
}

// evaluations returns a(x^(2*brv(j)+1)) for each j: the forward transform for
// x = psi.
func evaluations(r Ring, a []uint64) []uint64 {
	out := make([]uint64, r.N)
	for j := range out {
		brv := bits.Reverse64(uint64(j)) >> (64 - bits.TrailingZeros(uint(r.N)))
		x := powMod(r.Psi, 2*brv+1, r.Q)
		for i := r.N - 1; i >= 0; i-- {
			out[j] = addMod(mulMod(out[j], x, r.Q), a[i], r.Q)
		}
	}
	return out
}

// interpolation returns N^-1 * sum_j t[j]*psi^(-i*(2*brv(j)+1)) for each i: the
// inverse transform.
func interpolation(r Ring, t []uint64) []uint64 {
	out := make([]uint64, r.N)
	nInv := powMod(uint64(r.N), r.Q-2, r.Q)
	for j := range t {
		brv := bits.Reverse64(uint64(j)) >> (64 - bits.TrailingZeros(uint(r.N)))
		x := powMod(r.Psi, uint64(2*r.N)-(2*brv+1), r.Q)
		term := mulMod(t[j], nInv, r.Q)
		for i := range out {
			out[i] = addMod(out[i], term, r.Q)
			term = mulMod(term, x, r.Q)
		}
	}
	return out
}

// convolution returns a*b modulo X^N+1.
func convolution(r Ring, a, b []uint64) []uint64 {
	out := make([]uint64, r.N)
	for i := range a {
		for j := range b {
			p := mulMod(a[i], b[j], r.Q)
			if i+j >= r.N {
				p = (r.Q - p) % r.Q
			}
			k := (i + j) % r.N
			out[k] = addMod(out[k], p, r.Q)
		}
	}
	return out
}

// byDefinition returns the output of a vector.
func byDefinition(v *Vector) []uint64 {
	in, r := v.Inputs(), v.Ring
	rowwise := func(f func(rows ...[]uint64) []uint64) []uint64 {
		var out []uint64
		for i := 0; i < len(in[0]); i += r.N {
			rows := make([][]uint64, len(in))
			for j := range in {
				rows[j] = in[j][i : i+r.N]
			}
			out = append(out, f(rows...)...)
		}
		return out
	}
	pointwise := func(f func(x ...uint64) uint64) []uint64 {
		out := make([]uint64, len(in[0]))
		for i := range out {
			x := make([]uint64, len(in))
			for j := range in {
				x[j] = in[j][i]
			}
			out[i] = f(x...)
		}
		return out
	}
	q := r.Q
	mont := powMod(2, 64, q)
	montInv := powMod(mont, q-2, q)
	switch v.Op {
	case Forward:
		return rowwise(func(rows ...[]uint64) []uint64 { return evaluations(r, rows[0]) })
	case Inverse:
		return rowwise(func(rows ...[]uint64) []uint64 { return interpolation(r, rows[0]) })
	case Product:
		return rowwise(func(rows ...[]uint64) []uint64 { return convolution(r, rows[0], rows[1]) })
	case Mul:
		return pointwise(func(x ...uint64) uint64 { return mulMod(x[0], x[1], q) })
	case MulMont:
		return pointwise(func(x ...uint64) uint64 { return mulMod(mulMod(x[0], x[1], q), montInv, q) })
	case MulAdd:
		return pointwise(func(x ...uint64) uint64 { return addMod(x[0], mulMod(x[1], x[2], q), q) })
	case MulAddMont:
		return pointwise(func(x ...uint64) uint64 {
			return addMod(x[0], mulMod(mulMod(x[1], x[2], q), montInv, q), q)
		})
	case MForm:
		return pointwise(func(x ...uint64) uint64 { return mulMod(x[0], mont, q) })
	}
	return pointwise(func(x ...uint64) uint64 { return mulMod(x[0], montInv, q) }) // IMForm
}

func TestVectorsByDefinition(t *testing.T) {
	files, err := Files()
	require.NoError(t, err)
	for _, f := range files {
		vectors := f.Vectors
		for _, p := range f.Probes {
			vectors = append(vectors, p.Vectors()...)
		}
		for _, v := range vectors {
			if v.Rows > 100 {
				continue // the batch of 2,688: seconds, and its rows are like the others
			}
			require.NoError(t, v.Check(byDefinition(&v)), "%s: %s", f.Name, v.Name)
		}
	}
}

func TestProbesByDefinition(t *testing.T) {
	files, err := Files()
	require.NoError(t, err)
	for _, f := range files {
		for _, p := range f.Probes {
			q := p.Ring.Q
			montInv := powMod(powMod(2, 64, q), q-2, q)
			for _, c := range p.Cases {
				mul := mulMod(c.A, c.B, q)
				require.Equal(t, ProbeCase{A: c.A, B: c.B, Add: addMod(c.A, c.B, q),
					Sub: addMod(c.A, q-c.B, q), Mul: mul, MulMont: mulMod(mul, montInv, q)}, c, p.Ring.Name)
			}
		}
	}
}
