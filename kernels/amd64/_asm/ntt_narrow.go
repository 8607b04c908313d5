package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// narrow computes with the multipliers of 32 by 32 bits, for moduli below 2^29.
// They read the low halves of the lanes; the high ones are 0 between butterflies.
//
// Sixteen 32-bit lanes would do no better than eight of 64: a product needs all
// 64, so that the even and the odd lanes are multiplied apart and merged, 13
// instructions for two butterflies of 7 each here, and rows are words of 64 bits.
type narrow struct{}

func (narrow) registers(w *writer) (q, mu, step, temporary reg.VecPhysical) {
	if w.lanes == 8 {
		return w.regs[25], w.regs[26], w.regs[27], w.regs[28]
	}
	return w.regs[12], w.regs[13], w.regs[14], w.regs[15]
}

func (a narrow) constants(w *writer, c reg.Register) {
	q, mu, step, _ := a.registers(w)
	for i, r := range []reg.VecPhysical{q, mu, step} {
		w.broadcast(at(c, 8*i), r)
	}
}

func (a narrow) enter(w *writer, left, _ []reg.VecPhysical, bias operand.Op) {
	_, _, _, t := a.registers(w)
	w.broadcast(bias, t)
	for _, r := range left {
		w.VPADDQ(t, r, r)
	}
}

func (a narrow) fold(w *writer, x reg.VecPhysical, bias operand.Op) {
	_, _, step, _ := a.registers(w)
	_, _, _, t := a.registers(w)
	w.VPSRAD(operand.Imm(31), x, t)
	w.and(step, t, t)
	w.VPSUBD(t, x, x)
	w.broadcast(bias, t)
	w.VPADDQ(t, x, x)
}

// times multiplies the low halves by an operand.
func times(w *writer, f operand.Op, x, to reg.Register) {
	if s, ok := f.(scalarMem); ok {
		w.VPMULUDQ_BCST(s.Mem, x, to)
	} else {
		w.VPMULUDQ(f, x, to)
	}
}

func (a narrow) butterflies(w *writer, bs []butterfly, free []reg.VecPhysical) {
	h, t := free[:len(bs)], free[len(bs):]
	for i, b := range bs {
		a.multiply(w, b.y, b.f, h[i], t[i])
	}
	for i, b := range bs {
		w.VPSUBQ(t[i], b.x, b.y)
		w.VPADDQ(t[i], b.x, b.x)
	}
}

// multiply sets to to x*f in [0, 2q).
func (a narrow) multiply(w *writer, x reg.VecPhysical, f factor, h, to reg.VecPhysical) {
	q, _, _, _ := a.registers(w)
	times(w, f.p, x, h)
	times(w, f.w, x, to)
	w.VPSRLQ(operand.Imm(32), h, h)
	w.VPMULUDQ(q, h, h)
	w.VPSUBQ(h, to, to)
}

func (a narrow) sum(w *writer, x, y reg.VecPhysical) {
	_, _, _, t := a.registers(w)
	w.VPSUBQ(y, x, t)
	w.VPADDQ(y, x, x)
	w.load(t, y)
}

func (a narrow) scale(w *writer, xs []reg.VecPhysical, fs []factor, free []reg.VecPhysical) {
	_, _, _, t := a.registers(w)
	for i, x := range xs {
		a.multiply(w, x, fs[i], free[i], t)
		a.canonical(w, t, x, free[i])
	}
}

func (a narrow) leave(w *writer, xs, free []reg.VecPhysical) {
	q, mu, _, t := a.registers(w)
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
	q, _, _, _ := a.registers(w)
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
	q, _, _, _ := a.registers(w)
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

// and is the bitwise and at either width.
func (w *writer) and(a, b, to operand.Op) {
	if w.lanes == 8 {
		w.VPANDQ(a, b, to)
	} else {
		w.VPAND(a, b, to)
	}
}
