package main

import (
	"fmt"
	"math/bits"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// scaleParameter is nonzero in the pass that multiplies by psi^-i/N, the last.
const scaleParameter = 0

// headScaleParameter is the same for the first pass, which may be the last.
const headScaleParameter = 9

// inverseHead emits the pass of the first stages of an inverse transform, over
// blocks of eight registers: those within a register, for which registers
// exchange lanes or are transposed, then three between registers. The table is the
// same for every block: withinTable bytes for the former, then pairs of registers,
// of which the last eight are psi^-i/N for a ring of one such block or less.
func (w *writer) inverseHead(name string) {
	w.function(name, "func(dst, src, table, constants, parameters *uint64, blocks int)",
		name+" does the first stages of an inverse transform. Parameter 8 is how many stages come after those within a register; where parameter 9 is not 0, the factors psi^-i/N follow them.")
	src, dst, table, parameters, blocks, lead := reg.RSI, reg.RDI, reg.RDX, reg.R11, reg.R12, reg.R14
	w.Load(w.Param("constants"), reg.RAX)
	w.arith.constants(w, reg.RAX)
	w.Load(w.Param("dst"), dst)
	w.Load(w.Param("src"), src)
	w.Load(w.Param("table"), table)
	w.Load(w.Param("parameters"), parameters)
	w.Load(w.Param("blocks"), blocks)
	w.MOVQ(at(parameters, 8*leadParameter), lead)
	w.Label("block")
	d := w.regs[:8]
	for i, r := range d {
		w.load(at(src, i*w.bytes()), r)
	}
	if w.size == 4 {
		d = w.inversePacked(d, table, parameters)
	} else {
		d = w.inverseWithin(d, table, parameters)
	}
	after := w.label("after")
	next, s := w.withinTable(), w.within()+1
	for half := 1; half < 8; half *= 2 {
		w.CMPQ(lead, operand.Imm(uint64(s-w.within())))
		w.JLT(operand.LabelRef(after))
		gs := w.inverseGroups(8, half, table, next)
		next += 2 * w.bytes() * half
		w.stage(d, at(parameters, 8*s), gs)
		s++
	}
	w.Label(after)
	w.scaleLast(d, at(parameters, 8*headScaleParameter), table, next)
	for i, r := range d {
		w.store(r, at(dst, i*w.bytes()))
	}
	w.ADDQ(operand.U32(8*w.bytes()), src)
	w.ADDQ(operand.U32(8*w.bytes()), dst)
	w.DECQ(blocks)
	w.JNE(operand.LabelRef("block"))
	w.end()
}

// within is the number of stages within a register.
func (w *writer) within() int { return bits.TrailingZeros(uint(w.lanes)) }

// withinTable is how many bytes of factors the stages within a register have in
// the inverse direction: words where registers are transposed, else registers.
func (w *writer) withinTable() int {
	switch {
	case w.size == 4:
		return 2 * (w.within() - 1) * w.bytes()
	case w.wide():
		return 4 * w.bytes()
	}
	return 128
}

// inverseWithin emits the stages within a register. The first one has no factor
// but 1, and its operands are canonical.
func (w *writer) inverseWithin(d []reg.VecPhysical, table, parameters reg.Register) []reg.VecPhysical {
	if w.wide() {
		return w.inverseExchanged(d, table, parameters)
	}
	w.transposeAll(d)
	var xs, ys []reg.VecPhysical
	for i := 0; i < 8; i += 2 {
		xs, ys = append(xs, d[i]), append(ys, d[i+1])
	}
	w.arith.enter(w, xs, ys, at(parameters, 0))
	next := 0
	for half, s := 1, 1; half < w.lanes; half, s = 2*half, s+1 {
		gs := make([]group, half)
		for j := range gs {
			for from := 0; from < 8; from += 2 * half {
				gs[j].pairs = append(gs[j].pairs, pair{from + j, from + j + half})
			}
			if half > 1 {
				m := at(table, next)
				next += 16
				gs[j].factor = func(uses int, free [2]reg.VecPhysical) factor { return w.scalar(m, uses, free) }
			}
		}
		if half == 1 {
			w.butterflies(d, nil, gs)
			continue
		}
		w.stage(d, at(parameters, 8*s), gs)
	}
	w.transposeAll(d)
	return d
}

// inverseExchanged emits the stages within registers of eight lanes, which
// exchange in pairs as those of forwardExchanged do, in the opposite order.
func (w *writer) inverseExchanged(d []reg.VecPhysical, table, parameters reg.Register) []reg.VecPhysical {
	even, odd := w.regs[20], w.regs[21]
	w.load(w.evenWords(), even)
	w.load(w.oddWords(), odd)
	x := w.free(d)
	var xs, ys []reg.VecPhysical
	var pairs []pair
	for p := 0; p < 8; p += 2 {
		w.VMOVDQA64(d[p], x[p])
		w.VMOVDQA64(d[p], x[p+1])
		w.VPERMT2Q(d[p+1], even, x[p])
		w.VPERMT2Q(d[p+1], odd, x[p+1])
		xs, ys, pairs = append(xs, x[p]), append(ys, x[p+1]), append(pairs, pair{p, p + 1})
	}
	d = x
	w.arith.enter(w, xs, ys, at(parameters, 0))
	w.butterflies(d, nil, []group{{pairs: pairs}})
	for s, exchange := range []exchange{w.exchangeWords, w.exchangeHalves} {
		d = w.exchangeAll(d, exchange)
		m := at(table, 2*w.bytes()*s)
		w.stage(d, at(parameters, 8*(s+2)), []group{{pairs, func(uses int, free [2]reg.VecPhysical) factor {
			return w.vectorFactor(m, uses, free)
		}}})
	}
	return w.exchangeAll(d, w.exchangeQuarters)
}

// inverseGroups returns the groups of a stage between n registers whose operands
// are half registers apart: each of half factors, at disp in the table, belongs
// to one register of every such block.
func (w *writer) inverseGroups(n, half int, table reg.Register, disp int) []group {
	gs := make([]group, half)
	for j := range gs {
		for from := 0; from < n; from += 2 * half {
			gs[j].pairs = append(gs[j].pairs, pair{from + j, from + j + half})
		}
		m := at(table, disp+2*w.bytes()*j)
		gs[j].factor = func(uses int, free [2]reg.VecPhysical) factor { return w.vectorFactor(m, uses, free) }
	}
	return gs
}

// scaleLast multiplies by the factors at disp in the table, to canonical values,
// where the parameter says that the pass is the last.
func (w *writer) scaleLast(d []reg.VecPhysical, parameter operand.Op, table reg.Register, disp int) {
	scaled := w.label("scaled")
	w.CMPQ(parameter, operand.Imm(0))
	w.JEQ(operand.LabelRef(scaled))
	for i := 0; i < len(d); i += 2 * w.atOnce() {
		xs := d[i:min(i+2*w.atOnce(), len(d))]
		var fs []factor
		for j := range xs {
			fs = append(fs, memFactor(at(table, disp+2*w.bytes()*(i+j)), w.bytes()))
		}
		w.arith.scale(w, xs, fs, w.free(d))
	}
	w.Label(scaled)
}

// inverseColumns emits the pass of log2(n) stages whose butterflies' operands are
// at least a register apart, as forwardColumns does; but here a column has
// factors of its own, n-1 pairs of registers, which are the same for every block.
// In the last pass n pairs more follow each of them.
func (w *writer) inverseColumns(name string, n int) {
	w.function(name, "func(dst, src, table, constants, parameters *uint64, blocks, stride int)",
		fmt.Sprintf("%s does the stages of an inverse pass whose blocks are %d columns, stride bytes apart. Where parameter 0 is not 0, the factors psi^-i/N follow those of a column.", name, n))
	src := columns{reg.RSI, reg.R8, reg.RBX, reg.R9}
	dst := columns{reg.RDI, reg.R10, reg.RBX, reg.R9}
	table, parameters, blocks, left := reg.RDX, reg.R11, reg.R12, reg.R13
	step := reg.R14
	w.Load(w.Param("constants"), reg.RAX)
	w.arith.constants(w, reg.RAX)
	w.Load(w.Param("dst"), dst.base)
	w.Load(w.Param("src"), src.base)
	w.Load(w.Param("parameters"), parameters)
	w.Load(w.Param("blocks"), blocks)
	w.Load(w.Param("stride"), src.stride)
	w.LEAQ(operand.Mem{Base: src.stride, Index: src.stride, Scale: 2}, src.stride3)
	w.MOVQ(operand.U32(2*(n-1)*w.bytes()), step)
	w.CMPQ(at(parameters, scaleParameter), operand.Imm(0))
	w.JEQ(operand.LabelRef("block"))
	w.ADDQ(operand.U32(2*n*w.bytes()), step)
	w.Label("block")
	w.Load(w.Param("table"), table)
	w.MOVQ(src.stride, left)
	w.LEAQ(operand.Mem{Base: src.base, Index: src.stride, Scale: 4}, src.far)
	w.LEAQ(operand.Mem{Base: dst.base, Index: src.stride, Scale: 4}, dst.far)
	w.Label("column")
	d := w.regs[:n]
	for i, r := range d {
		w.load(src.at(i), r)
	}
	next := 0
	for half, s := 1, 1; half < n; half, s = 2*half, s+1 {
		w.stage(d, at(parameters, 8*s), w.inverseGroups(n, half, table, next))
		next += 2 * w.bytes() * half
	}
	w.scaleLast(d, at(parameters, 8*scaleParameter), table, next)
	for i, r := range d {
		w.store(r, dst.at(i))
	}
	for _, p := range []reg.GPPhysical{src.base, src.far, dst.base, dst.far} {
		w.ADDQ(operand.U32(w.bytes()), p)
	}
	w.ADDQ(step, table)
	w.SUBQ(operand.U32(w.bytes()), left)
	w.JNE(operand.LabelRef("column"))
	w.nextBlock(src.base, src.stride, n)
	w.nextBlock(dst.base, src.stride, n)
	w.DECQ(blocks)
	w.JNE(operand.LabelRef("block"))
	w.end()
}
