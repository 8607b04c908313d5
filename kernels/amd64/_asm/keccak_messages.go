package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// keccakCall writes a call of the permutation.
func keccakCall(c *build.Context) { c.CALL(operand.LabelRef("·keccakF1600(SB)")) }

// keccakStatesKernel writes KeccakF1600x8.
func keccakStatesKernel(c *build.Context) {
	c.Function("KeccakF1600x8")
	c.Attributes(attr.NOSPLIT)
	c.SignatureExpr("func(a *[25][8]uint64)")
	c.Pragma("noescape")
	c.Doc("KeccakF1600x8 applies Keccak-f[1600] to eight states: lane (x, y) of state j is",
		"a[5y+x][j].")
	a := c.Load(c.Param("a"), reg.RAX)
	for i := range keccakLanes {
		c.VMOVDQU64(operand.Mem{Base: a, Disp: 64 * i}, keccakReg[i])
	}
	keccakCall(c) // which leaves the other registers alone
	for i := range keccakLanes {
		c.VMOVDQU64(keccakReg[i], operand.Mem{Base: a, Disp: 64 * i})
	}
	c.VZEROUPPER()
	c.RET()
}

// keccakMessages writes Keccak256x8, the parts of which share registers.
type keccakMessages struct {
	*build.Context
	msg, tail, whole, most reg.Register // the arguments
	at                     reg.Register // how many bytes of each message are absorbed
	all, zero              reg.Register // -1 and 0, in the last block
	capacity               operand.Mem  // where lanes 23 and 24 are while a block is absorbed
}

func keccakMessagesKernel(c *build.Context) {
	c.Function("Keccak256x8")
	c.Attributes(attr.NOSPLIT)
	c.SignatureExpr("func(dst *[8]*[32]byte, msg *[8]*byte, tail *[8]uint64, whole, most uint64)")
	c.Pragma("noescape")
	c.Doc("Keccak256x8 sets *dst[j] to the Keccak-256 of the 136*whole+tail[j] bytes from",
		"msg[j] on, for eight messages of equally many blocks. A tail is in [0, 135],",
		"and most is the largest of them. Nothing is read that is not of a message, and",
		"no message and no digest overlap.")
	m := keccakMessages{
		Context: c,
		msg:     c.Load(c.Param("msg"), reg.RSI),
		tail:    c.Load(c.Param("tail"), reg.RDI),
		whole:   c.Load(c.Param("whole"), reg.R8),
		most:    c.Load(c.Param("most"), reg.R9),
		at:      reg.R10, all: reg.R11, zero: reg.R12,
		capacity: c.AllocLocal(2 * 64),
	}
	c.XORQ(m.at, m.at)
	for i := range keccakLanes {
		c.VPXORQ(keccakReg[i], keccakReg[i], keccakReg[i])
	}
	c.TESTQ(m.whole, m.whole)
	c.JZ(operand.LabelRef("last"))
	c.Label("whole")
	m.wholeBlock()
	keccakCall(c)
	c.ADDQ(operand.U32(8*keccakRate), m.at)
	c.DECQ(m.whole)
	c.JNZ(operand.LabelRef("whole"))
	c.Label("last")
	m.lastBlock()
	keccakCall(c)
	m.digests()
	c.VZEROUPPER()
	c.RET()
}

// begin makes Z23 to Z31 free, and end takes Z23 and Z24 back.
func (m *keccakMessages) begin() {
	m.VMOVDQU64(keccakReg[23], m.capacity)
	m.VMOVDQU64(keccakReg[24], m.capacity.Offset(64))
}

func (m *keccakMessages) end() {
	m.VMOVDQU64(m.capacity, keccakReg[23])
	m.VMOVDQU64(m.capacity.Offset(64), keccakReg[24])
}

// wholeBlock writes the absorption of 136 bytes of each message.
func (m *keccakMessages) wholeBlock() {
	m.begin()
	for _, first := range []int{0, 8} {
		rows := m.rows()
		for j, row := range rows {
			m.VMOVDQU64(m.part(j, first), row)
		}
		m.absorb(rows, first)
	}
	m.Comment("Lane 16.")
	for j := 0; j < keccakStates; j += 2 {
		pair, odd := keccakReg[23+j/2].AsX(), keccakReg[27].AsX()
		m.VMOVQ(m.part(j, 16), pair)
		m.VMOVQ(m.part(j+1, 16), odd)
		m.VPUNPCKLQDQ(odd, pair, pair)
	}
	upper := operand.U8(1)
	m.VINSERTI32X4(upper, keccakReg[24].AsX(), keccakReg[23].AsY(), keccakReg[23].AsY())
	m.VINSERTI32X4(upper, keccakReg[26].AsX(), keccakReg[25].AsY(), keccakReg[25].AsY())
	m.VINSERTI64X4(upper, keccakReg[25].AsY(), keccakReg[23], keccakReg[23])
	m.VPXORQ(keccakReg[23], keccakReg[16], keccakReg[16])
	m.end()
}

// part returns where lane first of the block of message j is, through RAX.
func (m *keccakMessages) part(j, first int) operand.Mem {
	m.MOVQ(operand.Mem{Base: m.msg, Disp: 8 * j}, reg.RAX)
	return operand.Mem{Base: reg.RAX, Index: m.at, Scale: 1, Disp: 8 * first}
}

// lastBlock writes the absorption of what is left of each message, and of the
// padding. What it branches on is the length of the longest.
func (m *keccakMessages) lastBlock() {
	m.begin()
	m.MOVQ(operand.I32(-1), m.all)
	m.XORQ(m.zero, m.zero)
	m.tails(0)
	m.CMPQ(m.most, operand.U8(64))
	m.JB(operand.LabelRef("short"))
	m.tails(8)
	m.CMPQ(m.most, operand.U32(128))
	m.JBE(operand.LabelRef("long"))
	m.tails(16)
	m.Label("long")
	m.pad(8, keccakRate)
	m.Label("short")
	m.pad(0, 8)
	m.Comment("The last bit of the padding.")
	m.broadcast(operand.U64(1<<63), keccakReg[25])
	m.VPXORQ(keccakReg[25], keccakReg[keccakRate-1], keccakReg[keccakRate-1])
	m.end()
}

// tails writes the absorption of up to 64 bytes of each message, from lane first of
// the block on. Where a message ends a mask hides what follows, which the processor
// then does not read.
func (m *keccakMessages) tails(first int) {
	rows := m.rows()
	for j, row := range rows {
		from := m.part(j, first)
		m.MOVQ(operand.Mem{Base: m.tail, Disp: 8 * j}, reg.RBX)
		if first > 0 {
			m.SUBQ(operand.I32(8*first), reg.RBX)
			m.CMOVQLT(m.zero, reg.RBX)
		}
		m.BZHIQ(reg.RBX, m.all, reg.RBX) // all of 64 bits where there are 64 bytes or more
		m.KMOVQ(reg.RBX, reg.K1)
		m.VMOVDQU8_Z(from, reg.K1, row)
	}
	m.absorb(rows, first)
}

// rows returns the registers for a matrix of 8 by 8 quadwords.
func (m *keccakMessages) rows() []reg.VecPhysical {
	return append([]reg.VecPhysical{}, keccakReg[23:31]...)
}

// absorb writes the addition of a matrix to eight lanes, or as many as the block
// has from lane first on, each of which takes a column: row j is of message j.
func (m *keccakMessages) absorb(r []reg.VecPhysical, first int) {
	m.Commentf("Lanes %d to %d.", first, min(first+8, keccakRate)-1)
	free := keccakReg[31]
	swap := func(i, j int, low, high func(b, a, to reg.VecPhysical)) {
		low(r[j], r[i], free)
		high(r[j], r[i], r[j])
		r[i], free = free, r[i]
	}
	parts := func(which operand.U8) func(b, a, to reg.VecPhysical) {
		return func(b, a, to reg.VecPhysical) { m.VSHUFI64X2(which, b, a, to) }
	}
	// Quadwords of neighbouring rows change places, then parts of 128 bits: even
	// ones of both rows, and odd ones.
	for i := 0; i < 8; i += 2 {
		swap(i, i+1,
			func(b, a, to reg.VecPhysical) { m.VPUNPCKLQDQ(b, a, to) },
			func(b, a, to reg.VecPhysical) { m.VPUNPCKHQDQ(b, a, to) })
	}
	for _, i := range []int{0, 1, 4, 5} {
		swap(i, i+2, parts(0x88), parts(0xdd))
	}
	for i := range 4 {
		swap(i, i+4, parts(0x88), parts(0xdd))
	}
	for i := range min(8, keccakRate-first) {
		m.VPXORQ(r[i], keccakReg[first+i], keccakReg[first+i])
	}
}

// pad writes the addition of the padding's first bit to lanes [lo, hi): 1 shifted
// by as many bits as the message has beyond the lane, which leaves nothing where
// that is 64 or more, or less than 0 and so, without a sign, very many.
func (m *keccakMessages) pad(lo, hi int) {
	m.Commentf("The first bit of the padding, in lanes %d to %d.", lo, hi-1)
	shift, one, lane, bit := keccakReg[25], keccakReg[26], keccakReg[27], keccakReg[28]
	m.broadcast(operand.U32(1), one)
	m.broadcast(operand.U32(64), lane)
	m.broadcast(operand.U32(uint32(64*lo)), bit)
	m.VMOVDQU64(operand.Mem{Base: m.tail}, shift)
	m.VPSLLQ(operand.U8(3), shift, shift)
	m.VPSUBQ(bit, shift, shift)
	for i := lo; i < hi; i++ {
		m.VPSLLVQ(shift, one, bit)
		m.VPXORQ(bit, keccakReg[i], keccakReg[i])
		m.VPSUBQ(lane, shift, shift)
	}
}

// broadcast writes a constant to all quadwords of a register.
func (m *keccakMessages) broadcast(v operand.Op, to reg.VecPhysical) {
	m.MOVQ(v, reg.RAX)
	m.VPBROADCASTQ(reg.RAX, to)
}

// digests writes lanes 0 to 3 of each state to its digest.
func (m *keccakMessages) digests() {
	m.Comment("The digests.")
	dst := m.Load(m.Param("dst"), reg.RDI)
	for odd := range 2 { // messages 0, 2, 4 and 6, then the others
		unpack := m.VPUNPCKLQDQ
		if odd == 1 {
			unpack = m.VPUNPCKHQDQ
		}
		front, back, low, high := keccakReg[4], keccakReg[5], keccakReg[6], keccakReg[7]
		unpack(keccakReg[1], keccakReg[0], front) // lanes 0 and 1 of four messages
		unpack(keccakReg[3], keccakReg[2], back)  // lanes 2 and 3
		m.VSHUFI64X2(operand.U8(0x44), back, front, low)
		m.VSHUFI64X2(operand.U8(0xee), back, front, high)
		for k, two := range []reg.VecPhysical{low, high} {
			m.VSHUFI64X2(operand.U8(0xd8), two, two, two) // digest after digest
			m.MOVQ(operand.Mem{Base: dst, Disp: 8 * (4*k + odd)}, reg.RAX)
			m.VMOVDQU64(two.AsY(), operand.Mem{Base: reg.RAX})
			m.MOVQ(operand.Mem{Base: dst, Disp: 8 * (4*k + 2 + odd)}, reg.RAX)
			m.VEXTRACTI64X4(operand.U8(1), two, operand.Mem{Base: reg.RAX})
		}
	}
}
