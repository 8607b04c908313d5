// Package wgsl writes the WGSL programs of a ring: the negacyclic transform and
// the pointwise operations, for WebGPU devices without 64-bit integers.
package wgsl
