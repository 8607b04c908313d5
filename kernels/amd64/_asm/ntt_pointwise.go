package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// operation is a pointwise operation: x is the register of the first operand,
// which gets the result.
type operation struct {
	name, doc  string
	binary     bool // reads b, a slice; else b is a factor
	accumulate bool
	montgomery bool
}

var operations = []operation{
	{"mul", "sets dst = a*b mod q", true, false, false},
	{"mulAdd", "sets dst = dst + a*b mod q", true, true, false},
	{"mulMont", "sets dst = a*b*f mod q, f the factor behind the constants", true, false, true},
	{"mulAddMont", "sets dst = dst + a*b*f mod q, f the factor behind the constants", true, true, true},
	{"mulFactor", "sets dst = a*f mod q, f the factor of two words at b", false, false, false},
}

// montgomeryConstant is the factor 2^-64 in the table of constants.
const montgomeryConstant = 8

// pointwise emits the operations over n coefficients, a multiple of eight.
func (w *writer) pointwise(suffix string) {
	for _, o := range operations {
		w.pointwiseFunction(o, suffix)
	}
}

func (w *writer) pointwiseFunction(o operation, suffix string) {
	name := o.name + suffix
	w.function(name, "func(dst, a, b, constants *uint64, n int)", name+" "+o.doc+", for n coefficients, a multiple of 8.")
	dst, a, b, n := reg.RDI, reg.RSI, reg.RDX, reg.RCX
	w.Load(w.Param("constants"), reg.RAX)
	w.arith.constants(w, reg.RAX)
	if o.binary {
		w.arith.productConstants(w, reg.RAX)
	}
	w.Load(w.Param("dst"), dst)
	w.Load(w.Param("a"), a)
	w.Load(w.Param("b"), b)
	w.Load(w.Param("n"), n)
	f := w.factorRegisters(0)
	var factors []factor
	switch {
	case o.montgomery:
		w.broadcast(at(reg.RAX, 8*montgomeryConstant), f[0])
		w.broadcast(at(reg.RAX, 8*montgomeryConstant+8), f[1])
	case !o.binary:
		w.broadcast(at(b, 0), f[0])
		w.broadcast(at(b, 8), f[1])
	}
	factors = []factor{{f[0], f[1]}}
	w.Label("eight")
	for at8 := 0; at8 < 64; at8 += w.bytes() {
		x, y, free := w.regs[:1], w.regs[1], w.free(w.regs[:8])
		w.load(at(a, at8), x[0])
		w.arith.convert(w, x[0])
		if o.binary {
			w.load(at(b, at8), y)
			w.arith.convert(w, y)
			w.arith.product(w, x[0], y, free)
		}
		if o.montgomery || !o.binary {
			w.arith.scale(w, x, factors, free)
		} else {
			w.arith.leave(w, x, free)
		}
		if o.accumulate {
			w.load(at(dst, at8), y)
			w.arith.add(w, x[0], y, free[0])
		}
		w.store(x[0], at(dst, at8))
	}
	for _, p := range []reg.GPPhysical{dst, a, b} {
		if p != b || o.binary {
			w.ADDQ(operand.U32(64), p)
		}
	}
	w.SUBQ(operand.U32(8), n)
	w.JNE(operand.LabelRef("eight"))
	w.end()
}
