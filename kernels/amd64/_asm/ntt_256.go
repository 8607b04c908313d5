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
	// ahead is how far before its use a row is fetched. A line past the end of the
	// rows may be named: a prefetch does not fault, and reads nothing.
	ahead = 2 * rowBytes
	// The columns' constants follow those of ifma.registers.
	biasConstant = 7
	// forwardVectors is where the forward table's vectors begin, behind the seven
	// factors of each block.
	forwardVectors = 4 * 128
)

// whole is the registers of a function for whole rows.
type whole struct {
	dst, src, columns, block, row, rows, done reg.GPPhysical

	top, bias, first, second reg.VecPhysical // the last two are indices
}

func (w *writer) beginWhole(name, doc string, first, second operand.Mem) whole {
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
	w.load(first, h.first)
	w.load(second, h.second)
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
	h := w.beginWhole(name, " transforms rows of 256 coefficients, and returns how many it did before one with a coefficient that is not below q.", w.lowHalf(), w.highHalf())
	w.VPXORQ(h.top, h.top, h.top)
	first := w.scalar(at(h.columns, 0), 2, [2]reg.VecPhysical(w.regs[16:]))
	second := w.scalar(at(h.columns, 16), 2, [2]reg.VecPhysical(w.regs[18:]))
	third := factor{scalarMem{at(h.columns, 32)}, scalarMem{at(h.columns, 40)}, true}
	for c := 0; c < 8; c += 2 { // two columns, of the registers 0 to 3 and 4 to 7
		d := w.regs[:8]
		for i, r := range d {
			w.load(at(h.src, 64*(c+i/4)+512*(i%4)), r)
			w.VPMAXUQ(r, h.top, h.top)
		}
		for _, i := range []int{0, 1, 4, 5} {
			w.VPADDQ(h.bias, d[i], d[i])
		}
		w.arith.butterflies(w, []butterfly{{d[0], d[2], first}, {d[1], d[3], first}, {d[4], d[6], first}, {d[5], d[7], first}}, w.free(d))
		w.arith.butterflies(w, []butterfly{{d[0], d[1], second}, {d[4], d[5], second}, {d[2], d[3], third}, {d[6], d[7], third}}, w.free(d))
		for i, r := range d {
			w.store(r, at(h.row, 64*(c+i/4)+512*(i%4)))
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
		w.PREFETCHT0(at(h.src, ahead+512*block+64*i))
	}
	scalars := 128 * block
	for half := 4; half > 0; half /= 2 {
		var gs []group
		for from := 0; from < 8; from += 2 * half {
			m := at(h.block, scalars)
			scalars += 16
			gs = append(gs, group{pairsFrom(from, half), func(uses int, free [2]reg.VecPhysical) factor {
				return w.scalar(m, uses, free)
			}})
		}
		w.butterflies(d, nil, gs)
	}
	vectors := forwardVectors + 4*384*block
	for s, exchange := range []exchange{w.exchangeHalves, w.exchangeQuarters, w.exchangeWords} {
		x := w.free(d)
		for p := 0; p < 8; p += 2 {
			exchange(d[p], d[p+1], x[p], x[p+1])
		}
		d = x
		var bs []butterfly
		for p := range 4 {
			bs = append(bs, butterfly{d[2*p], d[2*p+1], memFactor(at(h.block, vectors+384*p+128*s), 64)})
		}
		if s < 2 {
			w.arith.butterflies(w, bs, w.free(d))
		} else {
			ifma{}.lastButterflies(w, bs, w.free(d))
		}
	}
	for p := range 4 {
		x, y, a := d[2*p], d[2*p+1], w.free(d)[p]
		w.VMOVDQA64(x, a)
		w.VPERMT2Q(y, h.first, a)
		w.VPERMT2Q(y, h.second, x)
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
	h := w.beginWhole(name, " undoes forward256IFMA, under the same conditions.", w.evenWords(), w.oddWords())
	w.VPXORQ(h.top, h.top, h.top)
	for b := range 4 {
		w.Comment(fmt.Sprintf("Block %d.", b))
		w.inverseBlock256(h, b)
	}
	w.check(h)
	for c := 0; c < 8; c += 2 { // two columns, of the registers 0 to 3 and 4 to 7
		d := w.regs[:8]
		var first, second []butterfly
		var last []factor
		for i, r := range d {
			w.load(at(h.row, 64*(c+i/4)+512*(i%4)), r)
			if i%2 == 0 {
				w.PREFETCHT0(at(h.src, ahead+256*c+64*(i+1)))
			}
			last = append(last, memFactor(at(h.columns, 896*(c+i/4)+384+128*(i%4)), 64))
		}
		for i := range 2 {
			e, vectors := d[4*i:], 896*(c+i)
			f := w.vectorFactor(at(h.columns, vectors), 2, w.factorRegisters(i))
			first = append(first, butterfly{e[0], e[1], f}, butterfly{e[2], e[3], f})
			second = append(second, butterfly{e[0], e[2], memFactor(at(h.columns, vectors+128), 64)},
				butterfly{e[1], e[3], memFactor(at(h.columns, vectors+256), 64)})
		}
		w.arith.butterflies(w, first, w.free(d))
		for _, b := range second {
			w.lateFold(b.x)
		}
		w.arith.butterflies(w, second, w.free(d))
		w.arith.scale(w, d, last, w.free(d))
		for i, r := range d {
			w.store(r, at(h.dst, 64*(c+i/4)+512*(i%4)))
		}
	}
	w.endWhole(h)
}

// inverseBlock256 emits six stages over one block, those within a register over
// pairs of registers first. All their factors are the same in every block.
func (w *writer) inverseBlock256(h whole, block int) {
	d := w.regs[:8]
	for i, r := range d {
		w.load(at(h.src, 512*block+64*i), r)
		if i%2 == 0 { // the other half in the last two stages: spread evenly, they are faster
			w.PREFETCHT0(at(h.src, ahead+512*block+64*i))
		}
		w.VPMAXUQ(r, h.top, h.top)
	}
	x := w.free(d)
	for p := 0; p < 8; p += 2 { // x[p] gets the even coefficients, d[p] the odd ones
		w.VMOVDQA64(d[p], x[p])
		w.VPERMT2Q(d[p+1], h.first, x[p])
		w.VPERMT2Q(d[p+1], h.second, d[p])
		w.VPADDQ(h.bias, x[p], x[p])
		w.VPSUBQ(d[p], x[p], x[p+1])
		w.VPADDQ(d[p], x[p], x[p])
	}
	d = x
	for s, exchange := range []exchange{w.exchangeWords, w.exchangeHalves} {
		x := w.free(d)
		for p := 0; p < 8; p += 2 {
			exchange(d[p], d[p+1], x[p], x[p+1])
		}
		d = x
		f := w.vectorFactor(at(h.block, 128*s), 4, w.factorRegisters(s))
		var bs []butterfly
		for p := 0; p < 8; p += 2 {
			bs = append(bs, butterfly{d[p], d[p+1], f})
		}
		w.arith.butterflies(w, bs, w.free(d))
	}
	x = w.free(d)
	for p := 0; p < 8; p += 2 {
		w.exchangeQuarters(d[p], d[p+1], x[p], x[p+1])
	}
	d = x
	next := 256
	for half := 1; half < 8; half *= 2 {
		w.butterflies(d, nil, w.inverseGroups(8, half, h.block, next))
		next += 128 * half
	}
	for i, r := range d {
		w.store(r, at(h.row, 512*block+64*i))
	}
}
