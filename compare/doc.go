// Command compare does the same work with our kernels and with other people's
// libraries, side by side in one process, and prints how the times relate.
//
//	make compare
//
// Each row names a piece of work, our time and the rival's per unit of it, and
// their ratio (below 1: we are faster) with its 95 % interval. Before a pair is
// timed its outputs are compared, byte for byte. The two are interleaved sample
// by sample, warm-up and compilation are outside the timing, and the figures
// are medians. The rows also go to a JSON file.
//
// It is a module of its own, so that the rivals are no dependency of the
// toolkit. It is built without cgo, which go-ethereum can use for curves that
// are not measured here, because gogpu's way to a driver does not link beside
// cgo on Linux.
package main
