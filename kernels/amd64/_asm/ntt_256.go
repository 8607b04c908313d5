package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The transforms of degree 256 are unrolled: two stages over eight columns of
// four registers, into or from a row on the stack, and six over four blocks of
// eight registers. They take row after row, and fetch the coefficients of later
// ones into the cache.

const (
	rowBytes = 2048
	// ahead is how far before its use a row is fetched.
	ahead = 2 * rowBytes
	// The columns' constants follow those of ifma.registers.
	biasConstant = 7
	// forwardVectors is where the forward table's vectors begin, behind two of
	// indices and seven factors of each block.
	forwardVectors = 128 + 4*128
)

// whole is the registers of a function for whole rows.
type whole struct {
	dst, src, columns, block, row, rows, done reg.GPPhysical

	top, bias, lowHalf, highHalf reg.VecPhysical
}

func (w *writer) beginWhole(name, doc string) whole {
	w.function(name, "func(dst, src, columns, block, constants *uint64, rows int) (done int)", name+doc)
	h := whole{reg.RDI, reg.RSI, reg.RDX, reg.RBX, reg.R8, reg.R9, reg.R10, w.regs[22], w.regs[23], w.regs[20], w.regs[21]}
	local := w.AllocLocal(rowBytes + 64)
	w.Load(w.Param("constants"), reg.RAX)
	w.arith.constants(w, reg.RAX)
	w.broadcast(at(reg.RAX, 8*biasConstant), h.bias)
	w.Load(w.Param("dst"), h.dst)
	w.Load(w.Param("src"), h.src)
	w.Load(w.Param("columns"), h.columns)
	w.Load(w.Param("block"), h.block)
	w.Load(w.Param("rows"), h.rows)
	w.LEAQ(local.Offset(63), h.row) // the row begins at a line of the cache
	w.ANDQ(operand.I8(-64), h.row)
	w.XORQ(h.done, h.done)
	w.load(at(h.block, 0), h.lowHalf)
	w.load(at(h.block, 64), h.highHalf)
	w.Label("row")
	return h
}

// check ends the function unless every coefficient that top has seen is below q.
func (w *writer) check(h whole) {
	w.VPCMPUQ(operand.Imm(5), w.regs[25], h.top, reg.K1) // not less
	w.KMOVB(reg.K1, reg.EAX)
	w.TESTL(reg.EAX, reg.EAX)
	w.JNE(operand.LabelRef("end"))
}

func (w *writer) endWhole(h whole) {
	w.ADDQ(operand.U32(rowBytes), h.src)
	w.ADDQ(operand.U32(rowBytes), h.dst)
	w.INCQ(h.done)
	w.CMPQ(h.done, h.rows)
	w.JNE(operand.LabelRef("row"))
	w.Label("end")
	w.Store(h.done, w.ReturnIndex(0))
	w.end()
}

// forward256 emits the forward transform.
func (w *writer) forward256(name string) {
	h := w.beginWhole(name, " transforms rows of 256 coefficients, and returns how many it did before one with a coefficient that is not below q.")
	w.VPXORQ(h.top, h.top, h.top)
	fs := make([]factor, 3)
	for i := range fs {
		fs[i] = factor{w.regs[10+2*i], w.regs[11+2*i]}
		w.broadcast(at(h.columns, 16*i), w.regs[10+2*i])
		w.broadcast(at(h.columns, 16*i+8), w.regs[11+2*i])
	}
	d := w.regs[:4]
	for c := range 8 {
		for i, r := range d {
			w.load(at(h.src, 64*c+512*i), r)
			w.PREFETCHT0(at(h.src, ahead+64*c+512*i))
			w.VPMAXUQ(r, h.top, h.top)
		}
		w.VPADDQ(h.bias, d[0], d[0])
		w.VPADDQ(h.bias, d[1], d[1])
		w.arith.butterfly(w, d[0], d[2], fs[0])
		w.arith.butterfly(w, d[1], d[3], fs[0])
		w.arith.butterfly(w, d[0], d[1], fs[1])
		w.arith.butterfly(w, d[2], d[3], fs[2])
		for i, r := range d {
			w.store(r, at(h.row, 64*c+512*i))
		}
	}
	w.check(h)
	for b := range 4 {
		w.Comment(fmt.Sprintf("Block %d.", b))
		w.forwardBlock256(h, b)
	}
	w.endWhole(h)
}

// forwardBlock256 emits six stages over one block. The stages within a register
// work on pairs of registers a, b: each exchanges halves so that the operands are
// in two registers, and the last leaves the even and the odd coefficients.
func (w *writer) forwardBlock256(h whole, block int) {
	d := w.regs[:8]
	for i, r := range d {
		w.load(at(h.row, 512*block+64*i), r)
	}
	scalars := 128 + 128*block
	for half := 4; half > 0; half /= 2 {
		for from := 0; from < 8; from += 2 * half {
			f := w.scalar(at(h.block, scalars))
			scalars += 16
			for _, p := range pairsFrom(from, half) {
				w.arith.butterfly(w, d[p.x], d[p.y], f)
			}
		}
	}
	for p := range 4 {
		a, b, x, y := d[2*p], d[2*p+1], w.regs[8], w.regs[9]
		vectors := forwardVectors + 384*(4*block+p)
		w.VSHUFI64X2(operand.Imm(0x44), b, a, x)
		w.VSHUFI64X2(operand.Imm(0xee), b, a, y)
		w.arith.butterfly(w, x, y, w.vectorFactor(at(h.block, vectors), 1))
		w.VSHUFI64X2(operand.Imm(0x88), y, x, a)
		w.VSHUFI64X2(operand.Imm(0xdd), y, x, b)
		w.arith.butterfly(w, a, b, w.vectorFactor(at(h.block, vectors+128), 1))
		w.VPUNPCKLQDQ(b, a, x)
		w.VPUNPCKHQDQ(b, a, y)
		w.lateFold(x)
		w.arith.butterfly(w, x, y, w.vectorFactor(at(h.block, vectors+256), 1))
		w.arith.leave(w, x)
		w.arith.leave(w, y)
		w.VMOVDQA64(x, a)
		w.VPERMT2Q(y, h.lowHalf, a)
		w.VPERMT2Q(y, h.highHalf, x)
		w.store(a, at(h.dst, 512*block+128*p))
		w.store(x, at(h.dst, 512*block+128*p+64))
	}
}

// lateFold is the fold of the last stage, whose bias is q.
func (w *writer) lateFold(x reg.VecPhysical) {
	q, half, step := w.regs[25], w.regs[30], w.regs[31]
	w.VPTESTMQ(half, x, reg.K1)
	w.VPADDQ(q, x, x)
	w.VPSUBQ(step, x, reg.K1, x)
}

// inverse256 emits the inverse transform.
func (w *writer) inverse256(name string) {
	h := w.beginWhole(name, " undoes forward256IFMA, under the same conditions.")
	w.VPXORQ(h.top, h.top, h.top)
	for b := range 4 {
		w.Comment(fmt.Sprintf("Block %d.", b))
		w.inverseBlock256(h, b)
	}
	w.check(h)
	d := w.regs[:4]
	for c := range 8 {
		for i, r := range d {
			w.load(at(h.row, 64*c+512*i), r)
		}
		vectors := 896 * c
		f := w.vectorFactor(at(h.columns, vectors), 2)
		w.arith.butterfly(w, d[0], d[1], f)
		w.arith.butterfly(w, d[2], d[3], f)
		w.lateFold(d[0])
		w.lateFold(d[1])
		w.arith.butterfly(w, d[0], d[2], w.vectorFactor(at(h.columns, vectors+128), 1))
		w.arith.butterfly(w, d[1], d[3], w.vectorFactor(at(h.columns, vectors+256), 1))
		for i, r := range d {
			w.arith.scale(w, r, w.vectorFactor(at(h.columns, vectors+384+128*i), 1))
			w.store(r, at(h.dst, 64*c+512*i))
		}
	}
	w.endWhole(h)
}

// inverseBlock256 emits six stages over one block, those within a register over
// pairs of registers first. All their factors are the same in every block.
func (w *writer) inverseBlock256(h whole, block int) {
	d := w.regs[:8]
	for p := range 4 {
		a, b, x, y := d[2*p], d[2*p+1], w.regs[8], w.regs[9]
		for i, r := range []reg.VecPhysical{a, b} {
			w.load(at(h.src, 512*block+128*p+64*i), r)
			w.PREFETCHT0(at(h.src, ahead+512*block+128*p+64*i))
			w.VPMAXUQ(r, h.top, h.top)
		}
		w.VMOVDQA64(a, x)
		w.VPERMT2Q(b, h.lowHalf, x) // the even coefficients
		w.VPERMT2Q(b, h.highHalf, a)
		w.VPADDQ(h.bias, x, x)
		w.VPSUBQ(a, x, y)
		w.VPADDQ(a, x, x)
		w.VPUNPCKLQDQ(y, x, a)
		w.VPUNPCKHQDQ(y, x, b)
		w.arith.butterfly(w, a, b, w.vectorFactor(at(h.block, 128), 1))
		w.VSHUFI64X2(operand.Imm(0x44), b, a, x)
		w.VSHUFI64X2(operand.Imm(0xee), b, a, y)
		w.arith.butterfly(w, x, y, w.vectorFactor(at(h.block, 256), 1))
		w.VSHUFI64X2(operand.Imm(0x88), y, x, a)
		w.VSHUFI64X2(operand.Imm(0xdd), y, x, b)
	}
	next := 384
	for half := 1; half < 8; half *= 2 {
		for _, g := range w.inverseGroups(8, half, h.block, next) {
			f := g.factor(len(g.pairs))
			for _, p := range g.pairs {
				w.arith.butterfly(w, d[p.x], d[p.y], f)
			}
		}
		next += 128 * half
	}
	for i, r := range d {
		w.store(r, at(h.row, 512*block+64*i))
	}
}
