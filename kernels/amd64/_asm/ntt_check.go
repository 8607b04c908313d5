package main

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// reduced emits the function that compares n words, a multiple of 8, with q: it
// looks at all of them before it says whether every one is below.
func reduced(c *build.Context, name string, v vector) {
	w := newWriter(c, v)
	w.function(name, "func(s *uint64, q uint64, n int) bool",
		name+" reports whether n words, a multiple of 8, are all below q.")
	s, n := reg.RSI, reg.RCX
	w.Load(w.Param("s"), s)
	w.Load(w.Param("n"), n)
	top, limit, x := w.regs[0], w.regs[1], w.regs[2]
	w.VPBROADCASTQ(w.paramAddress("q"), limit)
	if v.wide() {
		w.VPXORQ(top, top, top)
		w.Label("eight")
		w.VPMAXUQ(at(s, 0), top, top)
	} else {
		// A word is too large if it or q-1 less it is negative.
		one := w.regs[3]
		w.VPCMPEQQ(one, one, one)
		w.VPADDQ(one, limit, limit)
		w.VPXOR(top, top, top)
		w.Label("eight")
		for i := range 2 {
			m := at(s, 32*i)
			w.VPSUBQ(m, limit, x)
			w.VPOR(m, x, x)
			w.VPOR(x, top, top)
		}
	}
	w.ADDQ(operand.U32(64), s)
	w.SUBQ(operand.U32(8), n)
	w.JNE(operand.LabelRef("eight"))
	w.allBelow(top, limit)
}

// allBelow returns whether every lane of top, the greatest words, is below limit;
// with AVX2, whether none of top is negative.
func (w *writer) allBelow(top, limit reg.VecPhysical) {
	if w.wide() {
		w.VPCMPUQ(operand.Imm(5), limit, top, reg.K1) // not less
		w.KMOVB(reg.K1, reg.EAX)
	} else {
		w.VMOVMSKPD(top, reg.EAX)
	}
	w.TESTL(reg.EAX, reg.EAX)
	w.SETEQ(reg.AL)
	w.Store(reg.AL, w.ReturnIndex(0))
	w.end()
}

// paramAddress returns the place of a parameter in the caller's frame.
func (w *writer) paramAddress(name string) operand.Op {
	p, err := w.Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return p.Addr
}
