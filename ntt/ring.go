package ntt

import (
	"fmt"
	"math/bits"
)

// MinN and MaxN bound the degree of a ring; MaxBits bounds its modulus.
const (
	MinN    = 8
	MaxN    = 65536
	MaxBits = 61
)

// Ring is Z_q[X]/(X^N+1) with a chosen primitive 2N-th root of unity psi, and
// the tables of its transform. It is immutable and safe for concurrent use.
type Ring struct {
	n, logN          int
	q, psi           uint64
	forward, inverse kernel // how rows are transformed
	tables
}

// NewRing returns the ring of degree n, a power of two from 8 to 65,536, modulo
// the prime q < 2^61 with q = 1 mod 2n. It derives psi as lattigo does: with g
// the smallest full primitive root from 3 up, psi = g^((q-1)/2n). The error is
// a *RingError.
func NewRing(n int, q uint64) (*Ring, error) {
	if err := checkModulus(n, q); err != nil {
		return nil, &RingError{N: n, Q: q, Err: err}
	}
	return newRing(n, q, powMod(primitiveRoot(q), (q-1)/uint64(2*n), q)), nil
}

// NewRingWithPsi is NewRing for a given primitive 2n-th root of unity psi.
func NewRingWithPsi(n int, q, psi uint64) (*Ring, error) {
	err := checkModulus(n, q)
	// psi has order exactly 2n when psi^n = -1, since 2n is a power of two.
	if err == nil && (psi >= q || powMod(psi, uint64(n), q) != q-1) {
		err = ErrPsi
	}
	if err != nil {
		return nil, &RingError{N: n, Q: q, Psi: psi, Err: err}
	}
	return newRing(n, q, psi), nil
}

func checkModulus(n int, q uint64) error {
	switch {
	case n < MinN || n > MaxN || n&(n-1) != 0:
		return ErrDegree
	case bits.Len64(q) > MaxBits:
		return ErrModulus
	case !isPrime(q):
		return ErrPrime
	case q%uint64(2*n) != 1:
		return ErrNoRoot
	}
	return nil
}

func newRing(n int, q, psi uint64) *Ring {
	r := &Ring{n: n, logN: bits.TrailingZeros(uint(n)), q: q, psi: psi}
	r.forward, r.inverse = chooseKernels(n, q)
	r.tables = newTables(n, q, psi)
	return r
}

// N returns the degree: the number of coefficients of a row.
func (r *Ring) N() int { return r.n }

// LogN returns log2(N), the number of stages of the transform.
func (r *Ring) LogN() int { return r.logN }

// Q returns the prime modulus.
func (r *Ring) Q() uint64 { return r.q }

// Psi returns the primitive 2N-th root of unity, in [0, q).
func (r *Ring) Psi() uint64 { return r.psi }

// Bits returns the length of q in bits.
func (r *Ring) Bits() int { return bits.Len64(r.q) }

// String returns the ring as N,q,psi: the form that Parse reads.
func (r *Ring) String() string { return fmt.Sprintf("%d,%d,%d", r.n, r.q, r.psi) }
