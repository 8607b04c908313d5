// Package ntt is the mathematics of the negacyclic number-theoretic transform
// over Z_q[X]/(X^N+1): rings, their tables, and the scalar transform that every
// backend is checked against.
//
// The goals of the package are, in order: equal bytes, clarity, speed.
//
// A polynomial is a row of N coefficients in [0, q). A batch is a flat slice of
// rows, one after another. The forward transform takes natural order to
// bit-reversed order:
//
//	out[j] = a(psi^(2*brv(j)+1)) mod q,  brv on log2(N) bits
//
// and the inverse undoes it. Outputs are canonical, and equal to those of
// lattigo's ring.NTT and ring.INTT for the same N, q and psi.
//
// Coefficients can be secrets: no branch and no address depends on one, beyond
// the fact that an input was refused for being out of range.
package ntt
