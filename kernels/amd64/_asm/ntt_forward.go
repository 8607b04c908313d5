package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The functions of a pass take the same first parameters: rows or parts of rows
// at dst and src, which may be the same, the pass's table of factors, the ring's
// constants, and the pass's parameters. Parameter 0 is the bias of the first
// stage of all, 0 in other passes; parameter s, from 1, is the bias of the
// pass's stage s if that folds, and otherwise 0; parameter 8 is said where used.
const leadParameter = 8

// pair is the registers of a butterfly, by their place among the data.
type pair struct{ x, y int }

// group is the pairs that have a factor in common.
type group struct {
	pairs []pair
	// factor returns the factor, read into a pair of free registers if need be;
	// nil is the factor 1 of canonical right operands.
	factor func(uses int, free [2]reg.VecPhysical) factor
}

// stage emits one stage of a pass twice, as it is and with its left operands
// folded, and chooses by the stage's parameter.
func (w *writer) stage(d []reg.VecPhysical, parameter operand.Op, groups []group) {
	folded, done := w.label("folded"), w.label("done")
	w.CMPQ(parameter, operand.Imm(0))
	w.JNE(operand.LabelRef(folded))
	w.butterflies(d, nil, groups)
	w.JMP(operand.LabelRef(done))
	w.Label(folded)
	w.butterflies(d, parameter, groups)
	w.Label(done)
}

// butterflies emits the butterflies of a stage, folding where bias is not nil.
func (w *writer) butterflies(d []reg.VecPhysical, bias operand.Op, groups []group) {
	var bs []butterfly
	flush := func() {
		if len(bs) > 0 {
			w.arith.butterflies(w, bs, w.free(d))
		}
		bs = nil
	}
	for i, g := range groups {
		var f factor
		if g.factor != nil {
			f = g.factor(len(g.pairs), w.factorRegisters(i))
		}
		for _, p := range g.pairs {
			if bias != nil {
				w.arith.fold(w, d[p.x], bias)
			}
			if g.factor == nil {
				w.arith.sum(w, d[p.x], d[p.y])
				continue
			}
			bs = append(bs, butterfly{d[p.x], d[p.y], f})
			if len(bs) == w.atOnce() {
				flush()
			}
		}
	}
	flush()
}

// enterFirst emits what the first pass does with its coefficients.
func (w *writer) enterFirst(d []reg.VecPhysical, parameters reg.Register) {
	entered := w.label("entered")
	w.CMPQ(at(parameters, 0), operand.Imm(0))
	w.JEQ(operand.LabelRef(entered))
	w.arith.enter(w, d[:len(d)/2], d[len(d)/2:], at(parameters, 0))
	w.Label(entered)
}

// forwardGroups returns the stages of a pass over n registers, each half of them
// as far apart as its butterflies' operands, in the order of their factors.
func (w *writer) forwardGroups(n int, table reg.Register) [][]group {
	var stages [][]group
	next := 0
	for half := n / 2; half > 0; half /= 2 {
		var gs []group
		for from := 0; from < n; from += 2 * half {
			m := at(table, 16*next)
			next++
			gs = append(gs, group{pairsFrom(from, half), func(uses int, free [2]reg.VecPhysical) factor {
				return w.scalar(m, uses, free)
			}})
		}
		stages = append(stages, gs)
	}
	return stages
}

// pairsFrom returns half pairs of registers, half apart, from one on.
func pairsFrom(from, half int) []pair {
	var ps []pair
	for i := range half {
		ps = append(ps, pair{from + i, from + i + half})
	}
	return ps
}

// columns are the addresses of a pass over n registers that are a distance of
// stride bytes apart.
type columns struct {
	base, far       reg.GPPhysical // far is base + 4*stride
	stride, stride3 reg.GPPhysical
}

func (c columns) at(i int) operand.Mem {
	m := operand.Mem{Base: c.base}
	if i >= 4 {
		m.Base = c.far
	}
	switch i % 4 {
	case 1:
		m.Index, m.Scale = c.stride, 1
	case 2:
		m.Index, m.Scale = c.stride, 2
	case 3:
		m.Index, m.Scale = c.stride3, 1
	}
	return m
}

// forwardColumns emits the pass of log2(n) stages whose butterflies' operands are
// at least a register apart: for every block, columns of n registers that are
// stride bytes apart. The block's n-1 factors are the same for all its columns.
func (w *writer) forwardColumns(name string, n int) {
	w.function(name, "func(dst, src, table, constants, parameters *uint64, blocks, stride int)",
		fmt.Sprintf("%s does the stages of a forward pass whose blocks are %d columns, stride bytes apart.", name, n))
	src := columns{reg.RSI, reg.R8, reg.RBX, reg.R9}
	dst := columns{reg.RDI, reg.R10, reg.RBX, reg.R9}
	table, parameters, blocks, left := reg.RDX, reg.R11, reg.R12, reg.R13
	w.Load(w.Param("constants"), reg.RAX)
	w.arith.constants(w, reg.RAX)
	w.Load(w.Param("dst"), dst.base)
	w.Load(w.Param("src"), src.base)
	w.Load(w.Param("table"), table)
	w.Load(w.Param("parameters"), parameters)
	w.Load(w.Param("blocks"), blocks)
	w.Load(w.Param("stride"), src.stride)
	w.LEAQ(operand.Mem{Base: src.stride, Index: src.stride, Scale: 2}, src.stride3)
	w.Label("block")
	w.MOVQ(src.stride, left)
	w.LEAQ(operand.Mem{Base: src.base, Index: src.stride, Scale: 4}, src.far)
	w.LEAQ(operand.Mem{Base: dst.base, Index: src.stride, Scale: 4}, dst.far)
	w.Label("column")
	d := w.regs[:n]
	for i, r := range d {
		w.load(src.at(i), r)
	}
	w.enterFirst(d, parameters)
	for s, gs := range w.forwardGroups(n, table) {
		w.stage(d, at(parameters, 8*(s+1)), gs)
	}
	for i, r := range d {
		w.store(r, dst.at(i))
	}
	for _, p := range []reg.GPPhysical{src.base, src.far, dst.base, dst.far} {
		w.ADDQ(operand.U32(w.bytes()), p)
	}
	w.SUBQ(operand.U32(w.bytes()), left)
	w.JNE(operand.LabelRef("column"))
	w.nextBlock(src.base, src.stride, n)
	w.nextBlock(dst.base, src.stride, n)
	w.ADDQ(operand.U32(16*(n-1)), table)
	w.DECQ(blocks)
	w.JNE(operand.LabelRef("block"))
	w.end()
}

// nextBlock moves p from the end of a block's first column to the next block.
func (w *writer) nextBlock(p, stride reg.GPPhysical, n int) {
	for range n - 1 {
		w.ADDQ(stride, p)
	}
}

// forwardTail emits the pass of the last stages, over blocks of eight registers:
// three stages between registers, then those within a register, for which
// registers exchange lanes or are transposed, and the canonical values at the end.
// A block's factors are seven of the first kind in 16 words, then pairs of
// registers.
func (w *writer) forwardTail(name string) {
	w.function(name, "func(dst, src, table, constants, parameters *uint64, blocks, step int)",
		name+" does the last stages of a forward transform. The table of a block is step bytes behind that of the block before; parameter 8 is how many stages come before those within a register.")
	src, dst, table, parameters, blocks, step := reg.RSI, reg.RDI, reg.RDX, reg.R11, reg.R12, reg.R13
	lead := reg.R14
	w.Load(w.Param("constants"), reg.RAX)
	w.arith.constants(w, reg.RAX)
	w.Load(w.Param("dst"), dst)
	w.Load(w.Param("src"), src)
	w.Load(w.Param("table"), table)
	w.Load(w.Param("parameters"), parameters)
	w.Load(w.Param("blocks"), blocks)
	w.Load(w.Param("step"), step)
	w.MOVQ(at(parameters, 8*leadParameter), lead)
	w.Label("block")
	d := w.regs[:8]
	for i, r := range d {
		w.load(at(src, i*w.bytes()), r)
	}
	w.tailEnter(d, parameters, lead)
	for s, gs := range w.forwardGroups(8, table) {
		w.CMPQ(lead, operand.Imm(uint64(3-s)))
		skip := w.label("skip")
		w.JLT(operand.LabelRef(skip))
		w.stage(d, at(parameters, 8*(s+1)), gs)
		w.Label(skip)
	}
	if w.size == 4 {
		w.forwardPacked(d, dst, table, parameters)
	} else {
		for i, r := range w.forwardWithin(d, table, parameters) {
			w.store(r, at(dst, i*w.bytes()))
		}
	}
	w.ADDQ(operand.U32(8*w.bytes()), src)
	w.ADDQ(operand.U32(8*8*w.lanes), dst)
	w.ADDQ(step, table)
	w.DECQ(blocks)
	w.JNE(operand.LabelRef("block"))
	w.end()
}

// tailEnter is enterFirst for a tail that may be the first pass too, of however
// many stages: every register is a left operand there, since a bias does no harm
// to a right one.
func (w *writer) tailEnter(d []reg.VecPhysical, parameters, lead reg.Register) {
	entered := w.label("entered")
	w.CMPQ(at(parameters, 0), operand.Imm(0))
	w.JEQ(operand.LabelRef(entered))
	w.arith.enter(w, d, nil, at(parameters, 0))
	w.Label(entered)
}

// forwardWithin emits the stages within a register, and returns where the
// canonical values are.
func (w *writer) forwardWithin(d []reg.VecPhysical, table, parameters reg.Register) []reg.VecPhysical {
	if w.wide() {
		return w.forwardExchanged(d, table, parameters)
	}
	w.transposeAll(d)
	stages, next := make([][]group, 2), 128
	for g := 0; g < 8; g += w.lanes {
		s := 0
		for half := w.lanes / 2; half > 0; half /= 2 {
			for from := g; from < g+w.lanes; from += 2 * half {
				m := at(table, next)
				next += 2 * w.bytes()
				stages[s] = append(stages[s], group{pairsFrom(from, half), func(uses int, free [2]reg.VecPhysical) factor {
					return w.vectorFactor(m, uses, free)
				}})
			}
			s++
		}
	}
	for s, gs := range stages {
		w.stage(d, at(parameters, 8*(s+4)), gs)
	}
	for i := 0; i < 8; i += 2 * w.atOnce() {
		w.arith.leave(w, d[i:i+2*w.atOnce()], w.free(d))
	}
	w.transposeAll(d)
	return d
}

// forwardExchanged emits the stages within registers of eight lanes. They work
// on pairs of registers a, b, which before each stage exchange what makes its
// operands two whole registers; the last one leaves the even and the odd
// coefficients, which come in order again at the end.
func (w *writer) forwardExchanged(d []reg.VecPhysical, table, parameters reg.Register) []reg.VecPhysical {
	low, high := w.regs[20], w.regs[21]
	w.load(w.lowHalf(), low)
	w.load(w.highHalf(), high)
	for s, exchange := range []exchange{w.exchangeHalves, w.exchangeQuarters, w.exchangeWords} {
		d = w.exchangeAll(d, exchange)
		var gs []group
		var bs []butterfly
		for p := range 4 {
			m := at(table, 128+2*w.bytes()*(3*p+s))
			gs = append(gs, group{pairsFrom(2*p, 1), func(int, [2]reg.VecPhysical) factor { return memFactor(m, w.bytes()) }})
			bs = append(bs, butterfly{d[2*p], d[2*p+1], memFactor(m, w.bytes())})
		}
		if a, ok := w.arith.(ifma); ok && s == 2 { // never folds and leaves canonical values
			a.lastButterflies(w, bs, w.free(d))
			continue
		}
		w.stage(d, at(parameters, 8*(s+4)), gs)
	}
	if _, ok := w.arith.(ifma); !ok {
		w.arith.leave(w, d, w.free(d))
	}
	x := w.free(d)
	for p := 0; p < 8; p += 2 {
		w.VMOVDQA64(d[p], x[p])
		w.VMOVDQA64(d[p], x[p+1])
		w.VPERMT2Q(d[p+1], low, x[p])
		w.VPERMT2Q(d[p+1], high, x[p+1])
	}
	return x
}

// transposeAll transposes the squares of four registers of which the eight
// consist.
func (w *writer) transposeAll(d []reg.VecPhysical) {
	for g := 0; g < 8; g += 4 {
		w.transpose4(d[g:g+4], w.regs[8:12])
	}
}
