package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// arithmetic is a way to compute a transform modulo q in the lanes of a register.
// Package amd64's file ntt_bounds.go says within which bounds the values stay.
type arithmetic interface {
	// constants reads what a function keeps in registers from the table at c.
	constants(w *writer, c reg.Register)
	// enter takes canonical coefficients, the left and the right operands of the
	// first stage, into lanes, and adds bias to the left ones.
	enter(w *writer, left, right []reg.VecPhysical, bias operand.Op)
	// fold brings x, a left operand, closer to zero, and adds bias.
	fold(w *writer, x reg.VecPhysical, bias operand.Op)
	// butterflies takes each x and y to x + y*f and x - y*f, with the registers in
	// free, two for each, for what is between.
	butterflies(w *writer, bs []butterfly, free []reg.VecPhysical)
	// sum takes x and y to x + y and x - y.
	sum(w *writer, x, y reg.VecPhysical)
	// scale takes each x to x*f, canonical, with as many free registers.
	scale(w *writer, xs []reg.VecPhysical, fs []factor, free []reg.VecPhysical)
	// leave takes each x to its canonical value, with as many free registers.
	leave(w *writer, xs, free []reg.VecPhysical)
}

// products is a way to compute the pointwise operations.
type products interface {
	constants(w *writer, c reg.Register)
	// productConstants reads what product needs besides.
	productConstants(w *writer, c reg.Register)
	// convert takes canonical coefficients into lanes.
	convert(w *writer, x reg.VecPhysical)
	// product takes x to x*y, which scale and leave accept, from converted ones.
	product(w *writer, x, y reg.VecPhysical, free []reg.VecPhysical)
	scale(w *writer, xs []reg.VecPhysical, fs []factor, free []reg.VecPhysical)
	leave(w *writer, xs, free []reg.VecPhysical)
	// add takes x to x + y, for canonical ones.
	add(w *writer, x, y, free reg.VecPhysical)
}

// factor is a twiddle factor w with its quotient p: two operands of an
// instruction that multiplies.
type factor struct {
	w, p operand.Op
	same bool // for every lane
}

// butterfly is the operands of one.
type butterfly struct {
	x, y reg.VecPhysical
	f    factor
}

// hi and lo multiply by an operand, which may be a word for every lane.
func hi(w *writer, f operand.Op, x, to reg.Register) {
	if s, ok := f.(scalarMem); ok {
		w.VPMADD52HUQ_BCST(s.Mem, x, to)
	} else {
		w.VPMADD52HUQ(f, x, to)
	}
}

func lo(w *writer, f operand.Op, x, to reg.Register) {
	if s, ok := f.(scalarMem); ok {
		w.VPMADD52LUQ_BCST(s.Mem, x, to)
	} else {
		w.VPMADD52LUQ(f, x, to)
	}
}

// scalarMem is a word of memory that stands for a register full of it.
type scalarMem struct{ operand.Mem }

// Of the registers, 0 to 7 hold data. With AVX-512, 8 to 15 are free, and change
// places with the data where lanes are exchanged, 16 to 19 hold factors, 20 and 21
// indices, or factors too where those are done with, and those from 24 on
// constants. With AVX2, 8 and 9 are free, 10 and 11 hold factors, and those from
// 12 on constants.

// free returns the registers that are free while d are the data's.
func (w *writer) free(d []reg.VecPhysical) []reg.VecPhysical {
	switch {
	case !w.wide():
		return w.regs[8:10]
	case d[0] == w.regs[8]:
		return w.regs[:8]
	}
	return w.regs[8:16]
}

// atOnce is the number of butterflies for which there are free registers.
func (w *writer) atOnce() int {
	if !w.wide() {
		return 1
	}
	return 4
}

// factorRegisters returns registers for the i-th factor of a stage.
func (w *writer) factorRegisters(i int) [2]reg.VecPhysical {
	if !w.wide() {
		return [2]reg.VecPhysical(w.regs[10:12])
	}
	if w.size == 4 { // whose scalars are always read into registers
		return [2]reg.VecPhysical(w.regs[16+2*(i%4):])
	}
	return [2]reg.VecPhysical(w.regs[16+2*(i%2):])
}

// scalar returns the factor of two words at m, the same for every lane, which it
// reads into the registers in free if it is used more than once.
func (w *writer) scalar(m operand.Mem, uses int, free [2]reg.VecPhysical) factor {
	if uses == 1 && w.wide() && w.size == 8 {
		return factor{scalarMem{m}, scalarMem{m.Offset(8)}, true}
	}
	w.broadcast(m, free[0])
	w.broadcast(m.Offset(8), free[1])
	return factor{free[0], free[1], true}
}

// vectorFactor is scalar for a factor of two registers at m.
func (w *writer) vectorFactor(m operand.Mem, uses int, free [2]reg.VecPhysical) factor {
	if uses == 1 {
		return memFactor(m, w.bytes())
	}
	w.load(m, free[0])
	w.load(m.Offset(w.bytes()), free[1])
	return factor{free[0], free[1], false}
}

func memFactor(m operand.Mem, size int) factor { return factor{m, m.Offset(size), false} }

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

func (ifma) enter(w *writer, left, _ []reg.VecPhysical, bias operand.Op) {
	t := w.regs[24]
	w.broadcast(bias, t)
	for _, r := range left {
		w.VPADDQ(t, r, r)
	}
}

func (a ifma) fold(w *writer, x reg.VecPhysical, bias operand.Op) {
	_, _, _, _, _, half, step := a.registers(w)
	w.VPTESTMQ(half, x, reg.K1)
	w.VPADDQ_BCST(bias, x, x)
	w.VPSUBQ(step, x, reg.K1, x)
}

// butterflies emits each step of all of them before the next step: the processor
// looks ahead no further than some tens of instructions of this kind.
func (a ifma) butterflies(w *writer, bs []butterfly, free []reg.VecPhysical) {
	_, negQ, minusQ, _, _, _, _ := a.registers(w)
	h, t := free[:len(bs)], free[len(bs):]
	for i, b := range bs {
		w.VPXORQ(h[i], h[i], h[i])
		hi(w, b.f.p, b.y, h[i])
	}
	for i, b := range bs {
		w.VMOVDQA64(minusQ, t[i])
		lo(w, b.f.w, b.y, t[i])
	}
	for i := range bs {
		w.VPMADD52LUQ(negQ, h[i], t[i])
	}
	for i, b := range bs {
		w.VPSUBQ(t[i], b.x, b.y)
		w.VPADDQ(t[i], b.x, b.x)
	}
}

// lastButterflies is butterflies with canonical results: what is added and
// subtracted is canonical, so that a comparison takes the place of a fold and of
// one multiplication for either result.
func (a ifma) lastButterflies(w *writer, bs []butterfly, free []reg.VecPhysical) {
	q, negQ, _, mu, mask, _, _ := a.registers(w)
	h, t := free[:len(bs)], free[len(bs):]
	for i, b := range bs {
		w.VPXORQ(h[i], h[i], h[i])
		hi(w, b.f.p, b.y, h[i])
	}
	for i, b := range bs {
		w.VPXORQ(t[i], t[i], t[i])
		lo(w, b.f.w, b.y, t[i])
	}
	for _, b := range bs {
		w.VPXORQ(b.y, b.y, b.y)
		w.VPMADD52HUQ(mu, b.x, b.y)
	}
	for i := range bs {
		w.VPMADD52LUQ(negQ, h[i], t[i])
	}
	for _, b := range bs {
		w.VPMADD52LUQ(negQ, b.y, b.x)
	}
	for i, b := range bs {
		for _, r := range []reg.VecPhysical{t[i], b.x} {
			w.VPANDQ(mask, r, r)
			w.VPSUBQ(q, r, h[i])
			w.VPMINUQ(h[i], r, r)
		}
	}
	for i, b := range bs {
		w.VPSUBQ(t[i], b.x, b.y)
		w.VPADDQ(t[i], b.x, b.x)
		w.VPSUBQ(q, b.x, h[i])
		w.VPADDQ(q, b.y, t[i])
		w.VPMINUQ(h[i], b.x, b.x)
		w.VPMINUQ(t[i], b.y, b.y)
	}
}

func (ifma) sum(w *writer, x, y reg.VecPhysical) {
	t := w.regs[24]
	w.VPSUBQ(y, x, t)
	w.VPADDQ(y, x, x)
	w.VMOVDQA64(t, y)
}

func (a ifma) scale(w *writer, xs []reg.VecPhysical, fs []factor, free []reg.VecPhysical) {
	_, negQ, _, _, _, _, _ := a.registers(w)
	t := w.regs[24]
	for i, x := range xs {
		w.VPXORQ(free[i], free[i], free[i])
		hi(w, fs[i].p, x, free[i])
	}
	for i, x := range xs {
		w.VPXORQ(t, t, t)
		lo(w, fs[i].w, x, t)
		w.VMOVDQA64(t, x)
	}
	for i, x := range xs {
		w.VPMADD52LUQ(negQ, free[i], x)
	}
	a.canonical(w, xs, free)
}

func (a ifma) leave(w *writer, xs, free []reg.VecPhysical) {
	_, negQ, _, mu, _, _, _ := a.registers(w)
	for i, x := range xs {
		w.VPXORQ(free[i], free[i], free[i])
		w.VPMADD52HUQ(mu, x, free[i])
	}
	for i, x := range xs {
		w.VPMADD52LUQ(negQ, free[i], x)
	}
	a.canonical(w, xs, free)
}

// canonical takes each x from [0, 2q), modulo 2^52, to [0, q).
func (a ifma) canonical(w *writer, xs, free []reg.VecPhysical) {
	q, _, _, _, mask, _, _ := a.registers(w)
	for i, x := range xs {
		w.VPANDQ(mask, x, x)
		w.VPSUBQ(q, x, free[i])
	}
	for i, x := range xs {
		w.VPMINUQ(free[i], x, x)
	}
}

// The constants of product follow the factor 2^-64: how far a right operand is
// shifted to the left, 52 less the bits n of q, and floor(2^(51+n)/q).
func (ifma) productConstants(w *writer, c reg.Register) {
	w.VMOVQ(at(c, 80), reg.X2)
	w.broadcast(at(c, 88), w.regs[3])
}

func (ifma) convert(*writer, reg.VecPhysical) {}

// product estimates the quotient of x*y by q from floor(2xy/2^n), which is below
// 2^51. It is too small by less than 2^n/2q from the rounding of that, 1/2 from
// that of the constant, and 1 from its own: what is left is below 2.5q.
func (a ifma) product(w *writer, x, y reg.VecPhysical, free []reg.VecPhysical) {
	_, negQ, _, _, _, _, _ := a.registers(w)
	low, high, quotient, twice := free[0], free[1], free[2], free[3]
	w.VPXORQ(low, low, low)
	w.VPMADD52LUQ(y, x, low)
	w.VPADDQ(x, x, twice)
	w.VPSLLQ(reg.X2, y, y)
	w.VPXORQ(high, high, high)
	w.VPMADD52HUQ(y, twice, high)
	w.VPXORQ(quotient, quotient, quotient)
	w.VPMADD52HUQ(w.regs[3], high, quotient)
	w.VPMADD52LUQ(negQ, quotient, low)
	w.VMOVDQA64(low, x)
}

func (a ifma) add(w *writer, x, y, free reg.VecPhysical) {
	q, _, _, _, _, _, _ := a.registers(w)
	w.VPADDQ(y, x, x)
	w.VPSUBQ(q, x, free)
	w.VPMINUQ(free, x, x)
}
