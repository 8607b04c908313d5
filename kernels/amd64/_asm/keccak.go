package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The kernels hold lane 5y+x of eight Keccak states in register Z(5y+x), one
// state to each quadword, and work with the seven registers above those.
const (
	keccakLanes  = 25
	keccakRate   = 17 // lanes of a block of Keccak-256
	keccakStates = 8
	keccakRounds = 24
)

// keccakReg are the registers by number.
var keccakReg = [32]reg.VecPhysical{
	reg.Z0, reg.Z1, reg.Z2, reg.Z3, reg.Z4, reg.Z5, reg.Z6, reg.Z7,
	reg.Z8, reg.Z9, reg.Z10, reg.Z11, reg.Z12, reg.Z13, reg.Z14, reg.Z15,
	reg.Z16, reg.Z17, reg.Z18, reg.Z19, reg.Z20, reg.Z21, reg.Z22, reg.Z23,
	reg.Z24, reg.Z25, reg.Z26, reg.Z27, reg.Z28, reg.Z29, reg.Z30, reg.Z31,
}

// Truth tables of VPTERNLOGQ: bit 4d+2s+t is the result for bits d, s and t of the
// destination, the source before it and the source before that.
const (
	xor3 = operand.U8(0x96) // d ^ s ^ t
	chi3 = operand.U8(0xd2) // d ^ ^s & t
)

// keccakOutputs are the functions of Keccak.
var keccakOutputs = []output{{"keccak", func(c *build.Context) {
	keccakPermutation(c)
	keccakStatesKernel(c)
	keccakMessagesKernel(c)
}}}

// keccakConstants returns what iota adds in each round, by the shift register of
// FIPS 202, algorithm 5.
func keccakConstants() (rc [keccakRounds]uint64) {
	r := uint(1)
	for i := range rc {
		for j := range 7 {
			rc[i] |= uint64(r&1) << (1<<j - 1)
			r = r<<1 ^ r>>7*0x171
		}
	}
	return rc
}

// keccakRotations returns what rho rotates each lane by.
func keccakRotations() (rot [keccakLanes]int) {
	x, y := 1, 0
	for t := range 24 {
		rot[5*y+x] = (t + 1) * (t + 2) / 2 % 64
		x, y = y, (2*x+3*y)%5
	}
	return rot
}

// keccakPermutation writes keccakF1600, which the other kernels call.
func keccakPermutation(c *build.Context) {
	rc := c.StaticGlobal("keccakConstants")
	c.DataAttributes(attr.RODATA | attr.NOPTR)
	for _, v := range keccakConstants() {
		c.AppendDatum(operand.U64(v))
	}
	c.Function("keccakF1600")
	c.Attributes(attr.NOSPLIT)
	c.SignatureExpr("func()")
	c.Doc("keccakF1600 applies the permutation to the states in Z0 to Z24, and leaves",
		"anything in Z25 to Z31. It is for the other kernels, and not for Go.")
	lane := [keccakLanes]reg.VecPhysical(keccakReg[:keccakLanes])
	keccakUpperParity(c, lane)
	for i := range keccakRounds {
		c.Commentf("Round %d.", i)
		lane = keccakRound(c, lane, rc.Offset(8*i), i == keccakRounds-1)
	}
	// pi moved no lane but their names, and has order 24: each is at home again.
	c.RET()
}

// keccakRound writes a round of the lanes that are in registers a, and returns
// where they are after it. The work is ordered by rows: the five lanes that pi
// brings into one get theta's and rho's part, and then chi in place, so that of
// theta no more than five registers have to be kept. Before the last row is
// combined all of theta's are used up, and take the parities of the rows before,
// which shortens the wait between two rounds.
func keccakRound(c *build.Context, a [keccakLanes]reg.VecPhysical, rc operand.Mem, last bool) (e [keccakLanes]reg.VecPhysical) {
	theta, free := keccakTheta(c, a)
	rot := keccakRotations()
	for y := range 5 {
		for x := range 5 {
			e[5*y+x] = a[keccakPi(x, y)]
			c.VPXORQ(theta[keccakPi(x, y)%5], e[5*y+x], e[5*y+x])
		}
		for x := range 5 {
			if n := rot[keccakPi(x, y)]; n != 0 {
				c.VPROLQ(operand.U8(n), e[5*y+x], e[5*y+x])
			}
		}
		if y == 4 {
			free = [2]reg.VecPhysical{keccakReg[30], keccakReg[31]}
			if !last {
				keccakUpperParity(c, e)
			}
		}
		keccakChi(c, e[5*y:5*y+5], free)
		if y == 0 {
			c.VPXORQ_BCST(rc, e[0], e[0])
		}
	}
	return e
}

// keccakPi returns the lane that pi moves to (x, y).
func keccakPi(x, y int) int { return 5*x + (x+3*y)%5 }

// keccakUpperParity writes the parity of the first three lanes of each column to
// Z25 to Z29.
func keccakUpperParity(c *build.Context, a [keccakLanes]reg.VecPhysical) {
	for x := range 5 {
		c.VMOVDQA64(a[x], keccakReg[25+x])
	}
	for x := range 5 {
		c.VPTERNLOGQ(xor3, a[5+x], a[10+x], keccakReg[25+x])
	}
}

// keccakTheta writes what theta adds to the lanes of each column: the parity of
// the column before it, and that of the column after it rotated by one. It returns
// the registers that hold it and two that hold nothing.
func keccakTheta(c *build.Context, a [keccakLanes]reg.VecPhysical) (theta [5]reg.VecPhysical, free [2]reg.VecPhysical) {
	p, t, u := keccakReg[25:30], keccakReg[30], keccakReg[31]
	for x := range 5 {
		c.VPTERNLOGQ(xor3, a[15+x], a[20+x], p[x])
	}
	// Each is written where a parity is needed no more.
	one := operand.U8(1)
	c.VPROLQ(one, p[0], t)
	c.VPROLQ(one, p[2], u)
	c.VPXORQ(p[3], t, t)
	c.VPXORQ(p[0], u, u)
	c.VPROLQ(one, p[1], p[0])
	c.VPXORQ(p[4], p[0], p[0])
	c.VPROLQ(one, p[3], p[3])
	c.VPXORQ(p[1], p[3], p[3])
	c.VPROLQ(one, p[4], p[4])
	c.VPXORQ(p[2], p[4], p[4])
	return [5]reg.VecPhysical{p[0], u, p[3], p[4], t}, [2]reg.VecPhysical{p[1], p[2]}
}

// keccakChi writes chi of a row, in place. The copies cost nothing but room in the
// instruction stream, as the processor renames registers.
func keccakChi(c *build.Context, row []reg.VecPhysical, free [2]reg.VecPhysical) {
	c.VMOVDQA64(row[0], free[0])
	c.VMOVDQA64(row[1], free[1])
	c.VPTERNLOGQ(chi3, row[2], row[1], row[0])
	c.VPTERNLOGQ(chi3, row[3], row[2], row[1])
	c.VPTERNLOGQ(chi3, row[4], row[3], row[2])
	c.VPTERNLOGQ(chi3, free[0], row[4], row[3])
	c.VPTERNLOGQ(chi3, free[1], free[0], row[4])
}
