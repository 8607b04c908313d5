package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// packed computes in lanes of 32 bits, with the multipliers of 32 by 32 bits for
// the upper halves of products, the even and the odd lanes apart, and those of
// packed words for the lower ones. Lazy values stay within bounds for moduli
// below 2^29; strict ones are canonical between stages, for moduli below 2^31.
type packed struct{ strict bool }

// registers returns those of the constants, and two that are free within a step.
func (packed) registers(w *writer) (q, step, s, t reg.VecPhysical) {
	if w.wide() {
		return w.regs[25], w.regs[26], w.regs[27], w.regs[28]
	}
	return w.regs[12], w.regs[13], w.regs[14], w.regs[15]
}

// evenLanes is the mask of the even lanes, where there are masks.
var evenLanes = reg.K2

// packedMu is floor(2^32/q), by its place in the table of constants.
const packedMu = 8

func (a packed) constants(w *writer, c reg.Register) {
	q, step, _, _ := a.registers(w)
	w.broadcast(at(c, 0), q)
	w.broadcast(at(c, 16), step)
	if w.wide() {
		w.MOVL(operand.U32(0x5555), reg.ECX)
		w.KMOVW(reg.ECX, evenLanes)
	}
}

func (a packed) enter(w *writer, left, _ []reg.VecPhysical, bias operand.Op) {
	_, _, s, _ := a.registers(w)
	w.broadcast(bias, s)
	for _, r := range left {
		w.VPADDD(s, r, r)
	}
}

func (a packed) fold(w *writer, x reg.VecPhysical, bias operand.Op) {
	_, step, s, _ := a.registers(w)
	w.VPSUBD(step, x, s)
	w.VPMINUD(s, x, x)
	w.broadcast(bias, s)
	w.VPADDD(s, x, x)
}

// upper sets to to the upper halves of x*p, with free. The even lanes' products
// are moved into the even lanes of the odd ones'.
func (a packed) upper(w *writer, x reg.VecPhysical, p, odd operand.Op, to, free reg.VecPhysical) {
	w.VMOVSHDUP(x, to)
	w.VPMULUDQ(odd, to, to)
	w.VPMULUDQ(p, x, free)
	if w.wide() {
		w.VMOVSHDUP(free, evenLanes, to)
		return
	}
	w.VMOVSHDUP(free, free)
	w.VPBLENDD(operand.Imm(0xaa), to, free, to)
}

// oddLanes returns the factor's quotients of the odd lanes in the even ones, which
// it moves to the register free unless they are all the same.
func (f factor) oddLanes(w *writer, free reg.VecPhysical) operand.Op {
	if f.same {
		return f.p
	}
	w.VMOVSHDUP(f.p, free)
	return free
}

// multiply sets each to[i] to xs[i]*fs[i], in [0, 2q) or canonical if strict, with
// as many free registers.
func (a packed) multiply(w *writer, xs []reg.VecPhysical, fs []factor, to, free []reg.VecPhysical) {
	q, _, _, t := a.registers(w)
	var odd operand.Op
	for i, x := range xs {
		if i == 0 || fs[i].p != fs[i-1].p {
			odd = fs[i].oddLanes(w, t)
		}
		a.upper(w, x, fs[i].p, odd, to[i], free[i])
	}
	for i, x := range xs {
		w.VPMULLD(q, to[i], free[i])
		w.VPMULLD(fs[i].w, x, to[i])
	}
	for i := range xs {
		w.VPSUBD(free[i], to[i], to[i])
		if a.strict {
			a.canonical(w, to[i], free[i])
		}
	}
}

func (a packed) butterflies(w *writer, bs []butterfly, free []reg.VecPhysical) {
	var ys []reg.VecPhysical
	var fs []factor
	for _, b := range bs {
		ys, fs = append(ys, b.y), append(fs, b.f)
	}
	t, s := free[:len(bs)], free[len(bs):]
	a.multiply(w, ys, fs, t, s)
	for i, b := range bs {
		a.addSub(w, b.x, t[i], b.y, s[i])
	}
}

// addSub sets difference to x - t and x to x + t.
func (a packed) addSub(w *writer, x, t, difference, free reg.VecPhysical) {
	q, _, _, _ := a.registers(w)
	w.VPSUBD(t, x, difference)
	w.VPADDD(t, x, x)
	if a.strict {
		a.canonical(w, x, free)
		w.VPADDD(q, difference, free)
		w.VPMINUD(free, difference, difference)
	}
}

func (a packed) sum(w *writer, x, y reg.VecPhysical) {
	_, _, s, t := a.registers(w)
	a.addSub(w, x, y, s, t)
	w.load(s, y)
}

// canonical takes x from [0, 2q) to [0, q).
func (a packed) canonical(w *writer, x, free reg.VecPhysical) {
	q, _, _, _ := a.registers(w)
	w.VPSUBD(q, x, free)
	w.VPMINUD(free, x, x)
}

func (a packed) scale(w *writer, xs []reg.VecPhysical, fs []factor, free []reg.VecPhysical) {
	_, _, s, _ := a.registers(w)
	for i, x := range xs {
		a.multiply(w, xs[i:i+1], fs[i:i+1], []reg.VecPhysical{s}, free[i:i+1])
		w.load(s, x)
		if !a.strict {
			a.canonical(w, x, s)
		}
	}
}

func (a packed) leave(w *writer, xs, free []reg.VecPhysical) {
	if a.strict {
		return
	}
	q, _, s, t := a.registers(w)
	w.broadcast(at(reg.RAX, packedMu), t)
	for i, x := range xs {
		a.upper(w, x, t, t, free[i], s)
		w.VPMULLD(q, free[i], free[i])
		w.VPSUBD(free[i], x, x)
		a.canonical(w, x, free[i])
	}
}
