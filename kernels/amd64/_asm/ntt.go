package main

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
)

// nttOutputs are the functions of the transforms.
var nttOutputs = []output{
	{"ntt_check", func(c *build.Context) { reduced(c, "reducedAVX512", zmmVector); reduced(c, "reducedAVX2", ymmVector) }},
	{"ntt_ifma", func(c *build.Context) { passes(c, "IFMA", zmmVector, ifma{}) }},
	{"ntt_narrow512", func(c *build.Context) { passes(c, "Narrow512", zmmVector, narrow{}) }},
	{"ntt_narrow256", func(c *build.Context) { passes(c, "Narrow256", ymmVector, narrow{}) }},
	{"ntt_float512", func(c *build.Context) { passes(c, "Float512", zmmVector, float{}) }},
	{"ntt_float256", func(c *build.Context) { passes(c, "Float256", ymmVector, float{}) }},
	{"ntt_256", func(c *build.Context) {
		w := &writer{Context: c, vector: zmmVector, arith: ifma{}}
		w.forward256("forward256IFMA")
		w.inverse256("inverse256IFMA")
	}},
}

// passes emits the passes that make up a transform in one arithmetic.
func passes(c *build.Context, suffix string, v vector, a arithmetic) {
	w := &writer{Context: c, vector: v, arith: a, constant: map[string]operand.Mem{}}
	w.forwardColumns("forwardColumns2"+suffix, 2)
	w.forwardColumns("forwardColumns4"+suffix, 4)
	w.forwardColumns("forwardColumns8"+suffix, 8)
	w.forwardTail("forwardTail" + suffix)
	w.inverseColumns("inverseColumns2"+suffix, 2)
	w.inverseColumns("inverseColumns4"+suffix, 4)
	w.inverseColumns("inverseColumns8"+suffix, 8)
	w.inverseHead("inverseHead" + suffix)
	w.pointwise(suffix)
}
