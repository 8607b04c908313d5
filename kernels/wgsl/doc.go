// Package wgsl writes the WGSL programs of a ring: the negacyclic transform, its
// inverse and the pointwise operations, for WebGPU devices, which have no 64-bit
// integers.
//
// Goals, in order: equal bytes, clarity, speed on a GPU, speed on a CPU that
// poses as one.
//
// # Fields
//
// The arithmetic is written by hand in three files, and the cheapest that fits q
// is taken: narrow.wgsl for q < 2^31, sliced.wgsl for q just above 2^48 (Pulsar's
// among them), wide.wgsl for any other q < 2^61. Each has a companion with the
// products of two variables. Every function states its ranges.
//
// # Transforms
//
// Only the order of the butterflies is generated. A pass of up to four stages
// keeps 16 vectors of two or four coefficients in registers; between passes the
// values cross to other invocations. Forward is Cooley-Tukey, inverse
// Gentleman-Sande with the division by N in its last stage. The first pass of
// the forward transform, which is the last of the inverse, has the same few
// twiddle factors in every invocation: they are literals. The others come from
// a table. The emitter keeps a bound of every register and writes a reduction
// only where the next butterfly would leave the headroom of q; the tests prove
// the text again, over intervals.
//
// Values cross through the data buffer, not through workgroup memory, with one
// storageBarrier between two passes. WGSL wants workgroup memory zeroed, and the
// module that compiles these texts zeroes it from a single invocation: that took
// three quarters of the time of a kernel that did not otherwise differ on
// lavapipe, and would keep a GPU waiting for 16 KiB of single stores. The price
// is one more write and read of each value, which a GPU's caches hold: 2 KiB
// each per polynomial where the arithmetic is several times dearer than that.
//
// No branch and no address depends on a coefficient.
//
// README.md has the measurements behind these choices.
package wgsl
