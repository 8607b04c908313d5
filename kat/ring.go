package kat

import (
	"fmt"
	"math/big"
	"math/bits"
)

// Limits of what a file may ask for, so that a small file cannot ask for all
// memory. The largest rings are those of package ntt.
const (
	minN    = 8
	maxN    = 65536
	maxBits = 61
	// MaxCoefficients bounds the rows of a vector times its N.
	MaxCoefficients = 1 << 24
)

// Ring is Z_q[X]/(X^N+1) with the primitive 2N-th root of unity psi by which
// the expected values were made.
type Ring struct {
	Name   string
	N      int
	Q, Psi uint64

	// Where they are known: SHA3-256, in hexadecimal, of the tables of lattigo,
	// psi^brv(i)*2^64 mod q and psi^-brv(i)*2^64 mod q for i in [0, N), over
	// little-endian words.
	RootsSHA3, InverseRootsSHA3 string
}

// check returns an error unless there is such a ring.
func (r Ring) check() error {
	n := uint64(r.N)
	switch {
	case r.N < minN || r.N > maxN || n&(n-1) != 0:
		return fmt.Errorf("%w: N = %d is not a power of two from %d to %d", ErrRing, r.N, minN, maxN)
	case bits.Len64(r.Q) > maxBits:
		return fmt.Errorf("%w: q has more than %d bits", ErrRing, maxBits)
	case r.Q%(2*n) != 1:
		return fmt.Errorf("%w: q is not 1 modulo 2N", ErrRing)
	}
	q := new(big.Int).SetUint64(r.Q)
	if !q.ProbablyPrime(0) { // exact below 2^64
		return fmt.Errorf("%w: q is not prime", ErrRing)
	}
	// psi has order exactly 2N when psi^N = -1, since 2N is a power of two.
	psi := new(big.Int).SetUint64(r.Psi)
	if r.Psi >= r.Q || psi.Exp(psi, big.NewInt(int64(r.N)), q).Uint64() != r.Q-1 {
		return ErrPsi
	}
	return nil
}
