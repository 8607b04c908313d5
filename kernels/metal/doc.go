// Package metal holds the Metal programs of rings and of Keccak-256: the
// negacyclic transform, its inverse, the pointwise operations, and hashing.
//
// Goals, in order: equal bytes, clarity, speed.
//
// The texts are written by hand, in the .metal and .h files beside this one:
// field.h is the arithmetic, butterflies.h the stages of a transform on one
// thread's registers, ntt.metal the passes, pointwise.metal, keccak.metal. They
// know the degree, by which they have an entry each, but not the modulus: that
// comes with the constants of a kernel, and the twiddle factors with its table.
// So there is one source, which is compiled once.
//
// No branch and no address depends on a coefficient or on the bytes of a message.
//
// README.md counts the instructions.
package metal
