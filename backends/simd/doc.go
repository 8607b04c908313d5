// Package simd is the fast CPU backend: vector kernels on all cores, or all cores on the scalar kernel where no vector one applies. It opens
// everywhere, and Info.Driver says what it computes with:
//
//	width         transforms and pointwise operations           Keccak-256
//	avx512-ifma   AVX-512: q < 2^29 in 32-bit lanes, and with
//	              52-bit multipliers q < 2^50                   8 states
//	avx512        AVX-512: q < 2^31 in 32-bit lanes, q < 2^50   8 states
//	avx2          AVX2: q < 2^31 in 32-bit lanes, q < 2^50      4 states
//	arm64x2       package ntt                                   2 states
//	scalar        package ntt                                   package keccak
//
// Rings with a larger q have package ntt's kernels at every width; see PlanWidth. The
// width is chosen once, on opening, from what the processor has. Options.Width forces
// one, so that all of them are tested on one machine. Under the purego tag there is
// scalar alone.
//
// A call is spread over a fixed number of goroutines and allocates nothing; one too
// short to share runs on its caller's. Operands are checked as the kernel loads them,
// and the rows before the first one that is out of range are final: see
// backends.Plan. No branch and no address depends on a coefficient or a message.
package simd
