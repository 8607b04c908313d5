// Package keccak is the mathematics of the Keccak sponge and the interface of
// batched Keccak-256: the permutation Keccak-f[1600], Keccak-256 as Ethereum
// has it, SHA3-256, SHAKE128 and SHAKE256, and a Hasher that every backend
// implements and is checked against.
//
// The goals of the package are, in order: equal bytes, clarity, speed.
//
// The functions differ in two numbers only. The rate is how many bytes of the
// state of 200 a block fills, and the domain byte is the first byte of the
// padding, which ends with 0x80 in the last byte of the block; where both fall
// on one byte they are added.
//
//	             rate  domain  output bytes
//	Keccak-256    136    0x01            32   Keccak submission, Ethereum
//	SHA3-256      136    0x06            32   FIPS 202
//	SHAKE128      168    0x1f           any   FIPS 202
//	SHAKE256      136    0x1f           any   FIPS 202
//
// Messages can be secrets: no branch and no address depends on a byte of one,
// only on lengths and on how calls are cut.
package keccak
