package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// vector is a width of registers, and of the lanes that they hold.
type vector struct {
	lanes int
	size  int // bytes of a lane
	regs  []reg.VecPhysical
}

var (
	zmmVector = vector{8, 8, []reg.VecPhysical{
		reg.Z0, reg.Z1, reg.Z2, reg.Z3, reg.Z4, reg.Z5, reg.Z6, reg.Z7, reg.Z8, reg.Z9, reg.Z10,
		reg.Z11, reg.Z12, reg.Z13, reg.Z14, reg.Z15, reg.Z16, reg.Z17, reg.Z18, reg.Z19, reg.Z20,
		reg.Z21, reg.Z22, reg.Z23, reg.Z24, reg.Z25, reg.Z26, reg.Z27, reg.Z28, reg.Z29, reg.Z30, reg.Z31,
	}}
	ymmVector = vector{4, 8, []reg.VecPhysical{
		reg.Y0, reg.Y1, reg.Y2, reg.Y3, reg.Y4, reg.Y5, reg.Y6, reg.Y7, reg.Y8, reg.Y9, reg.Y10,
		reg.Y11, reg.Y12, reg.Y13, reg.Y14, reg.Y15,
	}}
)

// packed returns the same registers with lanes of 32 bits.
func (v vector) packed() vector { return vector{2 * v.lanes, 4, v.regs} }

// bytes returns the size of a register.
func (v vector) bytes() int { return v.size * v.lanes }

// wide reports whether the registers are those of AVX-512.
func (v vector) wide() bool { return len(v.regs) == 32 }

// writer emits the instructions of one function.
type writer struct {
	*build.Context
	vector
	arith    arithmetic // of the transforms
	labels   int
	constant map[string]operand.Mem // vectors of the file, by name
}

func newWriter(c *build.Context, v vector) *writer {
	return &writer{Context: c, vector: v, constant: map[string]operand.Mem{}}
}

// label returns a name that no other label of the function has.
func (w *writer) label(name string) string {
	w.labels++
	return fmt.Sprintf("%s%d", name, w.labels)
}

// function begins a function of pointers and counts: every parameter takes one
// word, and those named in ints are an int, the others a *uint64.
func (w *writer) function(name, signature, doc string) {
	w.labels = 0
	w.Function(name)
	w.Pragma("noescape")
	w.SignatureExpr(signature)
	w.Doc(doc)
}

// end returns from the function.
func (w *writer) end() {
	w.VZEROUPPER()
	w.RET()
}

// at returns the memory that is disp bytes behind base.
func at(base reg.Register, disp int) operand.Mem { return operand.Mem{Base: base, Disp: disp} }

func (w *writer) load(m operand.Op, r reg.Register)  { w.move(m, r) }
func (w *writer) store(r reg.Register, m operand.Op) { w.move(r, m) }

func (w *writer) move(from, to operand.Op) {
	if w.wide() {
		w.VMOVDQU64(from, to)
	} else {
		w.VMOVDQU(from, to)
	}
}

// broadcast fills a register with one word of memory, or its low half.
func (w *writer) broadcast(m operand.Op, r reg.Register) {
	if w.size == 4 {
		w.VPBROADCASTD(m, r)
	} else {
		w.VPBROADCASTQ(m, r)
	}
}

// transpose4 leaves the result in d.
func (w *writer) transpose4(d, s []reg.VecPhysical) {
	w.VPUNPCKLQDQ(d[1], d[0], s[0])
	w.VPUNPCKHQDQ(d[1], d[0], s[1])
	w.VPUNPCKLQDQ(d[3], d[2], s[2])
	w.VPUNPCKHQDQ(d[3], d[2], s[3])
	w.VPERM2I128(operand.Imm(0x20), s[2], s[0], d[0])
	w.VPERM2I128(operand.Imm(0x20), s[3], s[1], d[1])
	w.VPERM2I128(operand.Imm(0x31), s[2], s[0], d[2])
	w.VPERM2I128(operand.Imm(0x31), s[3], s[1], d[3])
}

// indices returns the memory of a constant vector of the file.
func (w *writer) indices(name string, words ...uint64) operand.Mem {
	if m, ok := w.constant[name]; ok {
		return m
	}
	m := w.StaticGlobal(name)
	w.DataAttributes(attr.RODATA | attr.NOPTR)
	for _, x := range words {
		if len(words) == 16 {
			w.AppendDatum(operand.U32(x))
		} else {
			w.AppendDatum(operand.U64(x))
		}
	}
	w.constant[name] = m
	return m
}

// lowHalf and highHalf are indices that put the even and the odd coefficients of
// two registers, as exchangeHalves, exchangeQuarters and exchangeWords leave them,
// in order again.
func (w *writer) lowHalf() operand.Mem  { return w.indices("lowHalf", 0, 8, 1, 9, 4, 12, 5, 13) }
func (w *writer) highHalf() operand.Mem { return w.indices("highHalf", 2, 10, 3, 11, 6, 14, 7, 15) }

// evenWords and oddWords are indices of the even and the odd coefficients of two
// registers, which exchangeWords, exchangeHalves and exchangeQuarters put in order
// again.
func (w *writer) evenWords() operand.Mem { return w.indices("evenWords", 0, 2, 8, 10, 4, 6, 12, 14) }
func (w *writer) oddWords() operand.Mem  { return w.indices("oddWords", 1, 3, 9, 11, 5, 7, 13, 15) }

// exchange takes a, b to x, y: the left and the right operands of a stage.
type exchange func(a, b, x, y reg.VecPhysical)

// exchangeAll exchanges between the registers of every pair.
func (w *writer) exchangeAll(d []reg.VecPhysical, exchange exchange) []reg.VecPhysical {
	x := w.free(d)
	for p := 0; p < len(d); p += 2 {
		exchange(d[p], d[p+1], x[p], x[p+1])
	}
	return x
}

func (w *writer) exchangeHalves(a, b, x, y reg.VecPhysical) {
	w.VSHUFI64X2(operand.Imm(0x44), b, a, x)
	w.VSHUFI64X2(operand.Imm(0xee), b, a, y)
}

func (w *writer) exchangeQuarters(a, b, x, y reg.VecPhysical) {
	w.VSHUFI64X2(operand.Imm(0x88), b, a, x)
	w.VSHUFI64X2(operand.Imm(0xdd), b, a, y)
}

func (w *writer) exchangeWords(a, b, x, y reg.VecPhysical) {
	w.VPUNPCKLQDQ(b, a, x)
	w.VPUNPCKHQDQ(b, a, y)
}
