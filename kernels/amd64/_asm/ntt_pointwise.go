package main

import (
	"github.com/mmcloughlin/avo/build"
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
func pointwise(c *build.Context, suffix string, v vector, p products) {
	w := newWriter(c, v)
	for _, o := range operations {
		w.pointwise(o, suffix, p)
	}
}

func (w *writer) pointwise(o operation, suffix string, p products) {
	name := o.name + suffix
	w.function(name, "func(dst, a, b, constants *uint64, n int)", name+" "+o.doc+", for n coefficients, a multiple of 8.")
	dst, a, b, n := reg.RDI, reg.RSI, reg.RDX, reg.RCX
	w.Load(w.Param("constants"), reg.RAX)
	p.constants(w, reg.RAX)
	if o.binary {
		p.productConstants(w, reg.RAX)
	}
	w.Load(w.Param("dst"), dst)
	w.Load(w.Param("a"), a)
	w.Load(w.Param("b"), b)
	w.Load(w.Param("n"), n)
	f := w.factorRegisters(0)
	switch {
	case o.montgomery:
		w.broadcast(at(reg.RAX, 8*montgomeryConstant), f[0])
		w.broadcast(at(reg.RAX, 8*montgomeryConstant+8), f[1])
	case !o.binary:
		w.broadcast(at(b, 0), f[0])
		w.broadcast(at(b, 8), f[1])
	}
	factors := []factor{{f[0], f[1], true}}
	w.Label("eight")
	for at8 := 0; at8 < 64; at8 += w.bytes() {
		x, y, free := w.regs[:1], w.regs[1], w.free(w.regs[:8])
		w.load(at(a, at8), x[0])
		p.convert(w, x[0])
		if o.binary {
			w.load(at(b, at8), y)
			p.convert(w, y)
			p.product(w, x[0], y, free)
		}
		if o.montgomery || !o.binary {
			p.scale(w, x, factors, free)
		} else {
			p.leave(w, x, free)
		}
		if o.accumulate {
			w.load(at(dst, at8), y)
			p.add(w, x[0], y, free[0])
		}
		w.store(x[0], at(dst, at8))
	}
	for _, r := range []reg.GPPhysical{dst, a, b} {
		if r != b || o.binary {
			w.ADDQ(operand.U32(64), r)
		}
	}
	w.SUBQ(operand.U32(8), n)
	w.JNE(operand.LabelRef("eight"))
	w.end()
}
