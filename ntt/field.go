package ntt

import "math/bits"

// reduceOnce takes x in [0, 2q) to [0, q), without a branch.
func reduceOnce(x, q uint64) uint64 {
	d := x - q
	return d + q&-(d>>63) // q < 2^61, so the top bit of d says whether it borrowed
}

// mulShoupLazy returns x*w mod q in [0, 2q) for any x < 2^64 and a twiddle w.
// Shoup's quotient is at most one too small (Harvey, arXiv:1205.2926).
func mulShoupLazy(x uint64, t twiddle, q uint64) uint64 {
	h, _ := bits.Mul64(x, t.s)
	return x*t.w - h*q
}

// mredLazy returns a value congruent to a*b*2^-64 mod q in (0, 2q), for a*b < q*2^64:
// Montgomery reduction with qInv = q^-1 mod 2^64.
func mredLazy(a, b, q, qInv uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	h, _ := bits.Mul64(lo*qInv, q)
	return hi - h + q
}

// mred returns a*b*2^-64 mod q in [0, q), for a*b < q*2^64: lattigo's MRed.
func mred(a, b, q, qInv uint64) uint64 { return reduceOnce(mredLazy(a, b, q, qInv), q) }
