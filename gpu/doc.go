// Package gpu is the device layer: the little that a compute kernel needs of a
// GPU, in terms that WebGPU and Metal share. It knows no algorithm.
//
// A device runs kernels over buffers. Buffers, kernels and bindings are made
// once and reused; a submission makes none of them. Work is ordered: a Write
// and a Submit take effect in the order of the calls.
package gpu
