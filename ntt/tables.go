package ntt

import (
	"math/bits"
	"slices"
)

// tables holds what the transform and the pointwise operations of one ring
// need. Every residue is in [0, q).
type tables struct {
	fwd, inv []twiddle // psi^brv(i) and psi^-brv(i) for i in [0, N): stage m uses entries m to 2m-1
	nInv     twiddle   // N^-1

	// The factors of the four stages that work within 16 neighbours, in the
	// order in which their kernels read them: stage after stage, for each 16
	// coefficients of a row.
	fwdTail, invHead [][15]twiddle
	invLast          twiddle // N^-1 times the factor of the last inverse stage

	div     divisor // by q, of 64-bit values
	divN    shifter // by N mod q
	barrett barrett // by q, of products
	qInv    uint64  // q^-1 mod 2^64: lattigo's sign, so that its MRed subtracts
	r1      twiddle // 2^64 mod q
}

// twiddle is a constant factor w with its Shoup quotient s = floor(w*2^64/q).
type twiddle struct{ w, s uint64 }

func newTables(n int, q, psi uint64) tables {
	logN := bits.TrailingZeros(uint(n))
	psiInv := powMod(psi, uint64(2*n-1), q) // psi^2n = 1
	nInv := powMod(uint64(n), q-2, q)       // n < 2n < q
	_, r1 := bits.Div64(1, 0, q)
	t := tables{
		fwd:     powersBitReversed(psi, q, logN),
		inv:     powersBitReversed(psiInv, q, logN),
		nInv:    newTwiddle(nInv, q),
		div:     newDivisor(q),
		divN:    newShifter(n, q),
		barrett: newBarrett(q),
		qInv:    inverse64(q),
		r1:      newTwiddle(r1, q),
	}
	t.invLast = newTwiddle(mulMod(nInv, t.inv[1].w, q), q)
	for i := range n / 16 {
		var f, g []twiddle
		for m := 1; m <= 8; m *= 2 { // m factors for this group in the stage of 8/m butterflies each
			at := (n/16 + i) * m
			f = append(f, t.fwd[at:at+m]...)
			g = append(slices.Clone(t.inv[at:at+m]), g...)
		}
		t.fwdTail = append(t.fwdTail, [15]twiddle(f))
		t.invHead = append(t.invHead, [15]twiddle(g))
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
// use them (the stage of m blocks uses entries m to 2m-1).
func (r *Ring) Roots() []uint64 { return residues(r.fwd) }

// InverseRoots returns psi^-brv(i) mod q for i in [0, N), in the order of Roots.
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
