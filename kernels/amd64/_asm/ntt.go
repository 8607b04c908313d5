package main

import (
	"github.com/mmcloughlin/avo/build"
)

// nttOutputs are the functions of the transforms.
var nttOutputs = []output{
	{"ntt_check", func(c *build.Context) { reduced(c, "reducedAVX512", zmmVector); reduced(c, "reducedAVX2", ymmVector) }},
	{"ntt_pack", func(c *build.Context) { packing(c, "AVX512", zmmVector); packing(c, "AVX2", ymmVector) }},
	{"ntt_ifma", func(c *build.Context) { ring(c, "IFMA", zmmVector, ifma{}) }},
	{"ntt_float512", func(c *build.Context) { ring(c, "Float512", zmmVector, float{}) }},
	{"ntt_float256", func(c *build.Context) { ring(c, "Float256", ymmVector, float{}) }},
	{"ntt_lazy512", func(c *build.Context) { transforms(c, "Lazy512", zmmVector.packed(), packed{}) }},
	{"ntt_lazy256", func(c *build.Context) { transforms(c, "Lazy256", ymmVector.packed(), packed{}) }},
	{"ntt_strict512", func(c *build.Context) { transforms(c, "Strict512", zmmVector.packed(), packed{strict: true}) }},
	{"ntt_strict256", func(c *build.Context) { transforms(c, "Strict256", ymmVector.packed(), packed{strict: true}) }},
	{"ntt_narrow", func(c *build.Context) {
		pointwise(c, "Narrow512", zmmVector, narrow{})
		pointwise(c, "Narrow256", ymmVector, narrow{})
	}},
	{"ntt_256", func(c *build.Context) {
		w := newWriter(c, zmmVector)
		w.arith = ifma{}
		w.forward256("forward256IFMA")
		w.inverse256("inverse256IFMA")
	}},
}

// ring emits the transforms and the pointwise operations in one arithmetic.
func ring(c *build.Context, suffix string, v vector, a interface {
	arithmetic
	products
}) {
	transforms(c, suffix, v, a)
	pointwise(c, suffix, v, a)
}

// transforms emits the passes that make up a transform in one arithmetic.
func transforms(c *build.Context, suffix string, v vector, a arithmetic) {
	w := newWriter(c, v)
	w.arith = a
	w.forwardColumns("forwardColumns2"+suffix, 2)
	w.forwardColumns("forwardColumns4"+suffix, 4)
	w.forwardColumns("forwardColumns8"+suffix, 8)
	w.forwardTail("forwardTail" + suffix)
	w.inverseColumns("inverseColumns2"+suffix, 2)
	w.inverseColumns("inverseColumns4"+suffix, 4)
	w.inverseColumns("inverseColumns8"+suffix, 8)
	w.inverseHead("inverseHead" + suffix)
}
