package main

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// exchangePairs exchanges between the registers of every pair, in place where
// there are none to spare.
func (w *writer) exchangePairs(d []reg.VecPhysical, exchange exchange) []reg.VecPhysical {
	if w.wide() {
		return w.exchangeAll(d, exchange)
	}
	for p := 0; p < len(d); p += 2 {
		exchange(d[p], d[p+1], w.regs[8], w.regs[9])
		w.VMOVDQA(w.regs[8], d[p])
		w.VMOVDQA(w.regs[9], d[p+1])
	}
	return d
}

// exchangeEvens gives x the even lanes of each quarter of a and b, y the odd ones.
func (w *writer) exchangeEvens(a, b, x, y reg.VecPhysical) {
	w.VSHUFPS(operand.Imm(0x88), b, a, x)
	w.VSHUFPS(operand.Imm(0xdd), b, a, y)
}

// exchangeSides gives x the lower halves of two registers of AVX2, y the upper.
func (w *writer) exchangeSides(a, b, x, y reg.VecPhysical) {
	w.VPERM2I128(operand.Imm(0x20), b, a, x)
	w.VPERM2I128(operand.Imm(0x31), b, a, y)
}

// forwardPacked emits the stages within a register of 32-bit lanes, and stores the
// canonical values as words of 64 bits.
func (w *writer) forwardPacked(d []reg.VecPhysical, dst, table, parameters reg.Register) {
	exchanges := []exchange{w.exchangeHalves, w.exchangeQuarters, w.exchangeWords, w.exchangeEvens}
	if !w.wide() {
		exchanges = []exchange{w.exchangeSides, w.exchangeWords, w.exchangeEvens}
	}
	for s, exchange := range exchanges {
		d = w.exchangePairs(d, exchange)
		var gs []group
		for p := range 4 {
			m := at(table, 128+2*w.bytes()*(len(exchanges)*p+s))
			gs = append(gs, group{pairsFrom(2*p, 1), func(int, [2]reg.VecPhysical) factor { return memFactor(m, w.bytes()) }})
		}
		w.stage(d, at(parameters, 8*(s+4)), gs)
	}
	for i := 0; i < 8; i += 2 * w.atOnce() {
		w.arith.leave(w, d[i:i+2*w.atOnce()], w.free(d))
	}
	for p := 0; p < 8; p += 2 {
		w.storeWords(d[p], d[p+1], dst, 8*w.lanes*p)
	}
}

// storeWords stores the coefficients of a pair of registers after the last stage,
// which holds them as exchangeEvens leaves them.
func (w *writer) storeWords(even, odd reg.VecPhysical, dst reg.Register, disp int) {
	if w.wide() {
		x, index := w.regs[27], w.regs[28]
		for i, first := range []uint64{0, 8, 4, 12} { // of a quarter of even: 0, 4, 2, 6 of eight
			var words []uint64
			for _, l := range []uint64{0, 2, 1, 3} {
				words = append(words, first+l, 16+first+l)
			}
			w.load(w.indices([]string{"words0", "words1", "words2", "words3"}[i], words...), index)
			w.VMOVDQA64(even, x)
			w.VPERMT2D_Z(odd, index, evenLanes, x)
			w.store(x, at(dst, disp+64*i))
		}
		return
	}
	x, y := w.regs[8], w.regs[9]
	w.VPUNPCKLDQ(odd, even, x)
	w.VPUNPCKHDQ(odd, even, y)
	w.VPUNPCKLQDQ(y, x, even) // 0 to 3 of either register
	w.VPUNPCKHQDQ(y, x, odd)  // 4 to 7
	for i, r := range []reg.VecPhysical{even, odd} {
		w.VPMOVZXDQ(r.AsX(), x)
		w.store(x, at(dst, disp+32*i))
		w.VEXTRACTI128(operand.Imm(1), r, x.AsX())
		w.VPMOVZXDQ(x.AsX(), x)
		w.store(x, at(dst, disp+64+32*i))
	}
}

// inversePacked emits the stages within a register of 32-bit lanes.
func (w *writer) inversePacked(d []reg.VecPhysical, table, parameters reg.Register) []reg.VecPhysical {
	exchanges := []exchange{w.exchangeEvens, w.exchangeQuarters, w.exchangeQuarters}
	if !w.wide() {
		exchanges = []exchange{w.exchangeEvens, w.exchangeSides}
	}
	d = w.exchangePairs(d, w.exchangeEvens)
	var xs, ys []reg.VecPhysical
	var pairs []pair
	for p := 0; p < 8; p += 2 {
		xs, ys, pairs = append(xs, d[p]), append(ys, d[p+1]), append(pairs, pair{p, p + 1})
	}
	w.arith.enter(w, xs, ys, at(parameters, 0))
	w.butterflies(d, nil, []group{{pairs: pairs}})
	for s, exchange := range exchanges {
		d = w.exchangePairs(d, exchange)
		m := at(table, 2*w.bytes()*s)
		w.stage(d, at(parameters, 8*(s+2)), []group{{pairs, func(uses int, free [2]reg.VecPhysical) factor {
			return w.vectorFactor(m, uses, free)
		}}})
	}
	return w.joinPacked(d)
}

// joinPacked puts the coefficients of every pair of registers in order again: they
// take turns in what the last stage leaves.
func (w *writer) joinPacked(d []reg.VecPhysical) []reg.VecPhysical {
	if !w.wide() {
		d = w.exchangePairs(d, w.exchangeEvens)
		for _, r := range d {
			w.VPERMQ(operand.Imm(0xd8), r, r)
		}
		return d
	}
	even, odd, x := w.regs[20], w.regs[21], w.free(d)
	w.load(w.indices("evenLanes", 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30), even)
	w.load(w.indices("oddLanes", 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31), odd)
	for p := 0; p < 8; p += 2 {
		w.VMOVDQA64(d[p], x[p])
		w.VMOVDQA64(d[p], x[p+1])
		w.VPERMT2D(d[p+1], even, x[p])
		w.VPERMT2D(d[p+1], odd, x[p+1])
	}
	return x
}

// packing emits the functions between words of 64 bits and of 32.
func packing(c *build.Context, suffix string, v vector) {
	w := newWriter(c, v)
	w.pack("pack" + suffix)
	w.unpack("unpack" + suffix)
}

func (w *writer) pack(name string) {
	w.function(name, "func(dst, src *uint64, q uint64, n int) bool",
		name+" stores the low halves of n words, a multiple of 8, and reports whether all of them are below q, at most 2^31.")
	dst, src, n := reg.RDI, reg.RSI, reg.RCX
	w.Load(w.Param("dst"), dst)
	w.Load(w.Param("src"), src)
	w.Load(w.Param("n"), n)
	top, limit, x, y := w.regs[0], w.regs[1], w.regs[2], w.regs[3]
	w.VPBROADCASTQ(w.paramAddress("q"), limit)
	if w.wide() {
		w.VPXORQ(top, top, top)
		w.Label("eight")
		w.load(at(src, 0), x)
		w.VPMAXUQ(x, top, top)
		w.VPMOVQD(x, y.AsY())
		w.VMOVDQU(y.AsY(), at(dst, 0))
	} else {
		one, z := w.regs[4], w.regs[5]
		w.VPCMPEQQ(one, one, one)
		w.VPADDQ(one, limit, limit)
		w.VPXOR(top, top, top)
		w.Label("eight")
		for i, r := range []reg.VecPhysical{x, y} {
			w.load(at(src, 32*i), r)
			w.VPSUBQ(r, limit, z)
			w.VPOR(z, top, top)
			w.VPOR(r, top, top)
		}
		w.VSHUFPS(operand.Imm(0x88), y, x, x)
		w.VPERMQ(operand.Imm(0xd8), x, x)
		w.store(x, at(dst, 0))
	}
	w.ADDQ(operand.U32(32), dst)
	w.ADDQ(operand.U32(64), src)
	w.SUBQ(operand.U32(8), n)
	w.JNE(operand.LabelRef("eight"))
	w.allBelow(top, limit)
}

func (w *writer) unpack(name string) {
	w.function(name, "func(dst, src *uint64, n int)", name+" stores n words of 32 bits, a multiple of 8, as words of 64.")
	dst, src, n := reg.RDI, reg.RSI, reg.RCX
	w.Load(w.Param("dst"), dst)
	w.Load(w.Param("src"), src)
	w.Load(w.Param("n"), n)
	w.Label("eight")
	for i := range 64 / (8 * w.lanes) {
		w.VPMOVZXDQ(at(src, 4*w.lanes*i), w.regs[i])
		w.store(w.regs[i], at(dst, 8*w.lanes*i))
	}
	w.ADDQ(operand.U32(32), src)
	w.ADDQ(operand.U32(64), dst)
	w.SUBQ(operand.U32(8), n)
	w.JNE(operand.LabelRef("eight"))
	w.end()
}
