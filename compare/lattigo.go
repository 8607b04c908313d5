package main

import (
	"context"

	"github.com/tuneinsight/lattigo/v6/ring"

	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// rivalName carries the version that go.mod asks for; a test compares the two.
const rivalName = "lattigo v6.1.1"

// lattigo holds rows as its users do: a ring.Poly each.
type lattigo struct {
	ring *ring.Ring
	n    int
}

func newLattigo(r *ntt.Ring) (lattigo, error) {
	l, err := ring.NewRing(r.N(), []uint64{r.Q()})
	return lattigo{l, r.N()}, err
}

// polys copies flat rows into polynomials.
func (l lattigo) polys(flat []uint64) []ring.Poly {
	ps := make([]ring.Poly, len(flat)/l.n)
	for i := range ps {
		ps[i] = l.ring.NewPoly()
		copy(ps[i].Coeffs[0], flat[i*l.n:])
	}
	return ps
}

// flat returns the coefficients of polynomials as flat rows.
func (l lattigo) flat(ps []ring.Poly) []uint64 {
	var s []uint64
	for _, p := range ps {
		s = append(s, p.Coeffs[0]...)
	}
	return s
}

// unary is one of lattigo's operations from polynomial to polynomial, over rows.
func (l lattigo) unary(op func(src, dst ring.Poly), flat []uint64) side {
	src, dst := l.polys(flat), l.polys(flat)
	return side{rivalName, float64(len(src)), func(context.Context) error {
		for i := range src {
			op(src[i], dst[i])
		}
		return nil
	}, func() []byte { return bytesOf(l.flat(dst)) }}
}

// binary is one of lattigo's pointwise operations.
func (l lattigo) binary(op func(a, b, dst ring.Poly), a, b []uint64) side {
	pa, pb, dst := l.polys(a), l.polys(b), l.polys(make([]uint64, len(a)))
	return side{rivalName, float64(len(pa)), func(context.Context) error {
		for i := range pa {
			op(pa[i], pb[i], dst[i])
		}
		return nil
	}, func() []byte { return bytesOf(l.flat(dst)) }}
}

// product is the matrix product of a signer, as Ringtail's MatrixMatrixMul does
// it: a triple loop of MulCoeffsMontgomeryThenAdd.
func (l lattigo) product(a, b []uint64, m, k, n int) side {
	pa, pb, pc := l.polys(a), l.polys(b), l.polys(make([]uint64, m*n*l.n))
	return side{rivalName, 1, func(context.Context) error {
		for i := range m {
			for j := range n {
				for t := range k {
					l.ring.MulCoeffsMontgomeryThenAdd(pa[i*k+t], pb[t*n+j], pc[i*n+j])
				}
			}
		}
		return nil
	}, func() []byte { return bytesOf(l.flat(pc)) }}
}
