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
// The textbook transform (generic.go) is part of every build, as the reference
// for the kernels that do the work: lazy ones (forward.go, inverse.go) for rings
// with room to let values grow, strict ones (strict.go) for moduli close to
// 2^61. A ring chooses when it is made. Nothing allocates but making a ring and
// copying its tables.
//
// Coefficients can be secrets: no branch and no address depends on one, beyond
// the fact that an input was refused for being out of range, and an error names
// its place, never its value. This relies on the compiler turning the built-in
// min and max into conditional moves, which it does on the 64-bit architectures
// amd64, arm64, loong64, ppc64, ppc64le and s390x, and on 64-bit products taking
// constant time.
package ntt
