// Package metal is the backend of Apple's GPUs: the programs of kernels/metal on
// whatever gpu/mtl finds.
//
// It takes rings of degree 8 to 4,096; a row stays within one threadgroup, whose
// memory is 32 KiB. Its Hasher takes messages of any length and is a
// keccak.TreeHasher; but it hashes a message in one thread, so that few long
// messages are better left to a CPU.
//
// The backend is there on macOS with cgo. On macOS without cgo its driver says
// so, and elsewhere there is none. With the tag metalsim it runs on a simulator
// of Metal instead, which is software and opened only where
// Options.AllowSoftware is set.
//
// Kernels come from the metallib of Options.Metallib, else from one embedded with
// the tag metallib, else Metal compiles them from source when the backend opens.
package metal

// Name is the name under which the backend is registered.
const Name = "metal"

// rank is that of the driver: it is preferred to wgsl, which also leads to Metal.
const rank = 20
