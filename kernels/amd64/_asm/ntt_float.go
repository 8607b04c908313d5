package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// float computes with fused multiplications of 64-bit floating-point numbers, for
// moduli below 2^50: values are signed integers of at most 52 bits. A factor's
// quotient is w/q, with w the residue closest to zero.
type float struct{}

func (float) registers(w *writer) (q, inverseQ, s, t reg.VecPhysical) {
	if w.wide() {
		return w.regs[25], w.regs[26], w.regs[27], w.regs[28]
	}
	return w.regs[12], w.regs[13], w.regs[14], w.regs[15]
}

// The constants that are read where they are needed, by their place in the table.
const (
	floatMagic    = 8 * 2 // the bits of 2^52
	floatRounding = 8 * 3 // the bits of 1.5*2^52
	floatInteger  = 8 * 4 // q as an integer
)

func (a float) constants(w *writer, c reg.Register) {
	q, inverseQ, _, _ := a.registers(w)
	w.broadcast(at(c, 0), q)
	w.broadcast(at(c, 8), inverseQ)
}

func (a float) enter(w *writer, left, right []reg.VecPhysical, _ operand.Op) {
	for _, r := range left {
		a.convert(w, r)
	}
	for _, r := range right {
		a.convert(w, r)
	}
}

// convert puts the integer into the mantissa of 2^52 and takes that away.
func (a float) convert(w *writer, x reg.VecPhysical) {
	_, _, s, _ := a.registers(w)
	w.broadcast(at(reg.RAX, floatMagic), s)
	if w.wide() {
		w.VPORQ(s, x, x)
	} else {
		w.VPOR(s, x, x)
	}
	w.VSUBPD(s, x, x)
}

func (w *writer) round(x, to reg.VecPhysical) {
	if w.wide() {
		w.VRNDSCALEPD(operand.Imm(8), x, to)
	} else {
		w.VROUNDPD(operand.Imm(8), x, to)
	}
}

func (a float) fold(w *writer, x reg.VecPhysical, _ operand.Op) {
	_, _, s, _ := a.registers(w)
	a.reduce(w, x, s)
}

// reduce takes x to at most q/2 from zero.
func (a float) reduce(w *writer, x, free reg.VecPhysical) {
	q, inverseQ, _, _ := a.registers(w)
	w.VMULPD(inverseQ, x, free)
	w.round(free, free)
	w.VFNMADD231PD(q, free, x)
}

func (a float) butterflies(w *writer, bs []butterfly, free []reg.VecPhysical) {
	h, k := free[:len(bs)], free[len(bs):]
	for i, b := range bs {
		a.multiply(w, b.y, b.f, h[i], k[i])
	}
	for i, b := range bs {
		w.VSUBPD(h[i], b.x, b.y)
		w.VADDPD(h[i], b.x, b.x)
	}
}

// multiply sets h to x*f, less than q from zero, and uses up x and k. The product
// is h and what rounding took from it, and both sums are exact.
func (a float) multiply(w *writer, x reg.VecPhysical, f factor, h, k reg.VecPhysical) {
	q, _, _, _ := a.registers(w)
	m, p := f.w, f.p
	if s, ok := m.(scalarMem); ok {
		w.VMULPD_BCST(p.(scalarMem).Mem, x, k)
		w.VMULPD_BCST(s.Mem, x, h)
		w.round(k, k)
		w.VFMSUB132PD_BCST(s.Mem, h, x)
	} else {
		w.VMULPD(p, x, k)
		w.VMULPD(m, x, h)
		w.round(k, k)
		w.VFMSUB132PD(m, h, x)
	}
	w.VFNMADD231PD(q, k, h)
	w.VADDPD(x, h, h)
}

func (a float) sum(w *writer, x, y reg.VecPhysical) {
	_, _, s, _ := a.registers(w)
	w.VSUBPD(y, x, s)
	w.VADDPD(y, x, x)
	w.load(s, y)
}

func (a float) scale(w *writer, xs []reg.VecPhysical, fs []factor, free []reg.VecPhysical) {
	_, _, s, _ := a.registers(w)
	for i, x := range xs {
		a.multiply(w, x, fs[i], free[i], s)
		w.load(free[i], x)
		a.integer(w, x, free[i])
	}
}

func (a float) leave(w *writer, xs, free []reg.VecPhysical) {
	for i, x := range xs {
		a.reduce(w, x, free[i])
		a.integer(w, x, free[i])
	}
}

// integer takes x, less than q from zero, to an integer in [0, q): the mantissa
// of its sum with 1.5*2^52 has it in two's complement.
func (a float) integer(w *writer, x, free reg.VecPhysical) {
	_, _, s, _ := a.registers(w)
	w.broadcast(at(reg.RAX, floatRounding), s)
	w.VADDPD(s, x, x)
	w.VPSUBQ(s, x, x)
	w.broadcast(at(reg.RAX, floatInteger), s)
	a.positive(w, x, s, free)
}

// positive adds q to x where it is negative.
func (a float) positive(w *writer, x, q, free reg.VecPhysical) {
	if w.wide() {
		w.VPADDQ(q, x, free)
		w.VPMINUQ(free, x, x)
		return
	}
	w.VPXOR(free, free, free)
	w.VPCMPGTQ(x, free, free) // 0 > x
	w.VPAND(q, free, free)
	w.VPADDQ(free, x, x)
}

func (float) productConstants(*writer, reg.Register) {}

func (a float) product(w *writer, x, y reg.VecPhysical, free []reg.VecPhysical) {
	q, inverseQ, s, _ := a.registers(w)
	h := free[0]
	w.VMULPD(y, x, h)
	w.VMULPD(inverseQ, h, s)
	w.round(s, s)
	w.VFMSUB132PD(y, h, x)
	w.VFNMADD231PD(q, s, h)
	w.VADDPD(h, x, x)
}

func (a float) add(w *writer, x, y, free reg.VecPhysical) {
	_, _, s, _ := a.registers(w)
	w.broadcast(at(reg.RAX, floatInteger), s)
	w.VPADDQ(y, x, x)
	w.VPSUBQ(s, x, x)
	a.positive(w, x, s, free)
}
