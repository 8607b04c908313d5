package ntt

import "math/bits"

// tables holds what the transform and the pointwise operations of one ring
// need. Every residue is in [0, q).
type tables struct {
	fwd, inv []twiddle // psi^brv(i) and psi^-brv(i) for i in [0, N)
	nInv     twiddle   // N^-1
	qInv     uint64    // q^-1 mod 2^64: lattigo's sign, so MRed subtracts
	r1, r2   uint64    // 2^64 mod q and 2^128 mod q
}

// twiddle is a constant factor w with its Shoup quotient floor(w*2^64/q).
type twiddle struct{ w, s uint64 }

func newTables(n int, q, psi uint64) tables {
	logN := bits.TrailingZeros(uint(n))
	psiInv := powMod(psi, uint64(2*n-1), q) // psi^2n = 1
	_, r1 := bits.Div64(1, 0, q)
	t := tables{
		fwd:  powersBitReversed(psi, q, logN),
		inv:  powersBitReversed(psiInv, q, logN),
		nInv: newTwiddle(powMod(uint64(n), q-2, q), q),
		qInv: inverse64(q),
		r1:   r1,
		r2:   mulMod(r1, r1, q),
	}
	return t
}

// powersBitReversed returns base^brv(i) for i in [0, 2^logN).
func powersBitReversed(base, q uint64, logN int) []twiddle {
	t := make([]twiddle, 1<<logN)
	x := uint64(1)
	for i := range t {
		t[bits.Reverse64(uint64(i))>>(64-logN)] = newTwiddle(x, q)
		x = mulMod(x, base, q)
	}
	return t
}

// newTwiddle returns the Shoup form of w in [0, q).
func newTwiddle(w, q uint64) twiddle {
	s, _ := bits.Div64(w, 0, q)
	return twiddle{w, s}
}

// inverse64 returns q^-1 mod 2^64 for odd q, by Newton's iteration: each step
// doubles the number of correct low bits, of which q itself has three.
func inverse64(q uint64) uint64 {
	x := q
	for range 5 {
		x *= 2 - q*x
	}
	return x
}

// Roots returns psi^brv(i) mod q for i in [0, N), brv on log2(N) bits: the
// twiddle factors of the forward transform in the order in which its stages
// use them (stage m uses entries m to 2m-1).
func (r *Ring) Roots() []uint64 { return residues(r.fwd) }

// InverseRoots returns psi^-brv(i) mod q for i in [0, N).
func (r *Ring) InverseRoots() []uint64 { return residues(r.inv) }

// InverseN returns N^-1 mod q.
func (r *Ring) InverseN() uint64 { return r.nInv.w }

func residues(ts []twiddle) []uint64 {
	ws := make([]uint64, len(ts))
	for i, t := range ts {
		ws[i] = t.w
	}
	return ws
}
