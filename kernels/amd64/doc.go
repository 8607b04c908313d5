// Package amd64 holds the vector kernels of the CPU backend for x86-64: number-
// theoretic transforms in 52-bit, 32-bit and floating-point lanes, and Keccak
// over eight states at once. Nothing in it chooses: a caller asks for a width
// that the machine has, and gets the bytes of packages ntt and keccak or a typed
// refusal. Under the purego tag, and on other machines, every width is refused.
//
// The assembly is written by the generator in _asm, a module of its own:
//
//	cd _asm && go run .          writes it
//	cd _asm && go run . -check   only compares, and fails on a difference
//
// No branch and no address depends on a coefficient or on a message.
package amd64
