package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// arithmetic is a way to compute modulo q in the lanes of a register. Package
// amd64's file ntt_bounds.go says within which bounds the values stay.
type arithmetic interface {
	// constants reads what a function keeps in registers from the table at c.
	constants(w *writer, c reg.Register)
	// enter takes canonical coefficients d, of which the first half of the
	// registers are the left operands of the first stage, into lanes; bias is the
	// word that is nonzero where that is to be done.
	enter(w *writer, d []reg.VecPhysical, bias operand.Op)
	// fold brings x, a left operand, closer to zero, and adds bias.
	fold(w *writer, x reg.Register, bias operand.Op)
	// butterfly takes x and y to x + y*f and x - y*f.
	butterfly(w *writer, x, y reg.Register, f factor)
	// sum takes x and y to x + y and x - y.
	sum(w *writer, x, y reg.Register)
	// scale takes x to x*f, canonical.
	scale(w *writer, x reg.Register, f factor)
	// leave takes x to its canonical value.
	leave(w *writer, x reg.Register)
}

// factor is a twiddle factor w with its quotient p: two operands of an
// instruction that multiplies.
type factor struct{ w, p operand.Op }

// temporary registers and those of a factor that is used more than once, which
// the data's eight and their transposition's eight leave free.
func (w *writer) temporaries() (t0, t1 reg.VecPhysical) {
	if w.lanes == 8 {
		return w.regs[16], w.regs[17]
	}
	return w.regs[8], w.regs[9]
}

func (w *writer) factorRegisters() (reg.VecPhysical, reg.VecPhysical) {
	if w.lanes == 8 {
		return w.regs[18], w.regs[19]
	}
	return w.regs[10], w.regs[11]
}

// spares are the registers that a transposition may use besides the data's.
func (w *writer) spares() []reg.VecPhysical { return w.regs[8 : 8+w.lanes] }

// scalar reads a factor, the same for every lane, of two words at m.
func (w *writer) scalar(m operand.Mem) factor {
	f, p := w.factorRegisters()
	w.broadcast(m, f)
	w.broadcast(m.Offset(8), p)
	return factor{f, p}
}

// vectorFactor returns the factor of two registers at m, which it reads if it is
// used more than once.
func (w *writer) vectorFactor(m operand.Mem, uses int) factor {
	if uses == 1 {
		return factor{m, m.Offset(w.bytes())}
	}
	f, p := w.factorRegisters()
	w.load(m, f)
	w.load(m.Offset(w.bytes()), p)
	return factor{f, p}
}

// ifma computes with the 52-bit multipliers of AVX-512 IFMA. They read the low
// 52 bits of a lane alone, so that values are taken modulo 2^52 and what is
// above is never cleared before the end.
type ifma struct{}

// The constants of a function, by their place in the table and in registers.
func (ifma) registers(w *writer) (q, negQ, minusQ, mu, mask, half, step reg.VecPhysical) {
	r := w.regs
	return r[25], r[26], r[27], r[28], r[29], r[30], r[31]
}

func (a ifma) constants(w *writer, c reg.Register) {
	q, negQ, minusQ, mu, mask, half, step := a.registers(w)
	for i, r := range []reg.VecPhysical{q, negQ, minusQ, mu, mask, half, step} {
		w.broadcast(at(c, 8*i), r)
	}
}

func (ifma) enter(w *writer, d []reg.VecPhysical, bias operand.Op) {
	t, _ := w.temporaries()
	w.broadcast(bias, t)
	for _, r := range d[:len(d)/2] {
		w.VPADDQ(t, r, r)
	}
}

func (a ifma) fold(w *writer, x reg.Register, bias operand.Op) {
	_, _, _, _, _, half, step := a.registers(w)
	w.VPTESTMQ(half, x, reg.K1)
	w.VPADDQ_BCST(bias, x, x)
	w.VPSUBQ(step, x, reg.K1, x)
}

func (a ifma) butterfly(w *writer, x, y reg.Register, f factor) {
	_, negQ, minusQ, _, _, _, _ := a.registers(w)
	h, t := w.temporaries()
	w.VPXORQ(h, h, h)
	w.VPMADD52HUQ(f.p, y, h)
	w.VMOVDQA64(minusQ, t)
	w.VPMADD52LUQ(f.w, y, t)
	w.VPMADD52LUQ(negQ, h, t)
	w.VPSUBQ(t, x, y)
	w.VPADDQ(t, x, x)
}

func (ifma) sum(w *writer, x, y reg.Register) {
	t, _ := w.temporaries()
	w.VPSUBQ(y, x, t)
	w.VPADDQ(y, x, x)
	w.VMOVDQA64(t, y)
}

func (a ifma) scale(w *writer, x reg.Register, f factor) {
	_, negQ, _, _, _, _, _ := a.registers(w)
	h, t := w.temporaries()
	w.VPXORQ(h, h, h)
	w.VPMADD52HUQ(f.p, x, h)
	w.VPXORQ(t, t, t)
	w.VPMADD52LUQ(f.w, x, t)
	w.VPMADD52LUQ(negQ, h, t)
	a.canonical(w, t, x)
}

func (a ifma) leave(w *writer, x reg.Register) {
	_, negQ, _, mu, _, _, _ := a.registers(w)
	h, _ := w.temporaries()
	w.VPXORQ(h, h, h)
	w.VPMADD52HUQ(mu, x, h)
	w.VPMADD52LUQ(negQ, h, x)
	a.canonical(w, x, x)
}

// canonical takes from, in [0, 2q) modulo 2^52, to its canonical value in to.
func (a ifma) canonical(w *writer, from, to reg.Register) {
	q, _, _, _, mask, _, _ := a.registers(w)
	_, t := w.temporaries()
	w.VPANDQ(mask, from, to)
	w.VPSUBQ(q, to, t)
	w.VPMINUQ(t, to, to)
}
