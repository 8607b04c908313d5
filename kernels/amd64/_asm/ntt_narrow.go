package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// narrow computes the pointwise operations for moduli below 2^29 with the
// multipliers of 32 by 32 bits, in lanes of 64, as rows are: packing them would
// cost more than it saves. The multipliers read the low halves of the lanes; the
// high ones are 0 between operations.
type narrow struct{}

func (narrow) registers(w *writer) (q, mu, temporary reg.VecPhysical) {
	if w.wide() {
		return w.regs[25], w.regs[26], w.regs[27]
	}
	return w.regs[12], w.regs[13], w.regs[14]
}

func (a narrow) constants(w *writer, c reg.Register) {
	q, mu, _ := a.registers(w)
	w.broadcast(at(c, 0), q)
	w.broadcast(at(c, 8), mu)
}

// scale multiplies with the floor of the quotient, to [0, 2q).
func (a narrow) scale(w *writer, xs []reg.VecPhysical, fs []factor, free []reg.VecPhysical) {
	q, _, t := a.registers(w)
	for i, x := range xs {
		w.VPMULUDQ(fs[i].p, x, free[i])
		w.VPMULUDQ(fs[i].w, x, t)
		w.VPSRLQ(operand.Imm(32), free[i], free[i])
		w.VPMULUDQ(q, free[i], free[i])
		w.VPSUBQ(free[i], t, t)
		a.canonical(w, t, x, free[i])
	}
}

func (a narrow) leave(w *writer, xs, free []reg.VecPhysical) {
	q, mu, t := a.registers(w)
	for i, x := range xs {
		w.VPMULUDQ(mu, x, free[i])
		w.VPSRLQ(operand.Imm(32), free[i], free[i])
		w.VPMULUDQ(q, free[i], free[i])
		w.VPSUBQ(free[i], x, t)
		a.canonical(w, t, x, free[i])
	}
}

// canonical takes from, in [0, 2q), to [0, q).
func (a narrow) canonical(w *writer, from, to, free reg.VecPhysical) {
	q, _, _ := a.registers(w)
	w.VPSUBD(q, from, free)
	w.VPMINUD(free, from, to)
}

// The constants of product follow the factor 2^-64: n-1 and n+1, for the n bits
// of q, and floor(2^2n/q).
func (narrow) productConstants(w *writer, c reg.Register) {
	w.VMOVQ(at(c, 80), reg.X2)
	w.VMOVQ(at(c, 88), reg.X3)
	w.broadcast(at(c, 96), w.regs[4])
}

func (narrow) convert(*writer, reg.VecPhysical) {}

// product is Barrett's reduction: the quotient is too small by at most 2.
func (a narrow) product(w *writer, x, y reg.VecPhysical, free []reg.VecPhysical) {
	q, _, _ := a.registers(w)
	h := free[0]
	w.VPMULUDQ(y, x, x)
	w.VPSRLQ(reg.X2, x, h)
	w.VPMULUDQ(w.regs[4], h, h)
	w.VPSRLQ(reg.X3, h, h)
	w.VPMULUDQ(q, h, h)
	w.VPSUBQ(h, x, x)
}

func (a narrow) add(w *writer, x, y, free reg.VecPhysical) {
	w.VPADDQ(y, x, x)
	a.canonical(w, x, x, free)
}
