package keccak

import "math/bits"

// The permutation as FIPS 202 writes it in section 3.2, one function per step
// mapping. Lane A[x, y] is a[5*y+x]; indices are taken modulo 5. It is what the
// unrolled permutation is checked against, and what to read first.

// lanes is the state of 1600 bits as 25 lanes of 64, lane (x, y) at 5*y+x.
type lanes [25]uint64

// rounds is the number of rounds of Keccak-f[1600].
const rounds = 24

// permuteReference applies Keccak-f[1600] to a.
func (a *lanes) permuteReference() {
	for i := range rounds {
		a.theta()
		a.rho()
		a.pi()
		a.chi()
		a.iota(i)
	}
}

// theta adds to each lane the parities of two neighbouring columns.
func (a *lanes) theta() {
	var c [5]uint64
	for x := range 5 {
		c[x] = a[x] ^ a[5+x] ^ a[10+x] ^ a[15+x] ^ a[20+x]
	}
	for x := range 5 {
		d := c[(x+4)%5] ^ bits.RotateLeft64(c[(x+1)%5], 1)
		for y := range 5 {
			a[5*y+x] ^= d
		}
	}
}

// rho rotates each lane by an offset of its own: the t-th lane that the walk
// (x, y) -> (y, 2x+3y) visits from (1, 0) on by the t-th triangular number.
func (a *lanes) rho() {
	x, y := 1, 0
	for t := range 24 {
		a[5*y+x] = bits.RotateLeft64(a[5*y+x], (t+1)*(t+2)/2%64)
		x, y = y, (2*x+3*y)%5
	}
}

// pi moves lane (x+3y, x) to (x, y).
func (a *lanes) pi() {
	b := *a
	for y := range 5 {
		for x := range 5 {
			a[5*y+x] = b[5*x+(x+3*y)%5]
		}
	}
}

// chi combines each lane with the next two of its row; it is the only step that
// is not linear.
func (a *lanes) chi() {
	for y := range 5 {
		row := [5]uint64(a[5*y : 5*y+5])
		for x := range 5 {
			a[5*y+x] = row[x] ^ ^row[(x+1)%5]&row[(x+2)%5]
		}
	}
}

// iota adds the constant of round i to lane (0, 0).
func (a *lanes) iota(i int) { a[0] ^= roundConstants[i] }
