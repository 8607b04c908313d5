package keccak

import "math/bits"

// permute applies Keccak-f[1600] to a, two rounds at a time: from a to e and
// back. The steps of a round are merged. A lane of the next state needs three
// lanes, b, of the state after pi, which lie scattered in the state before
// theta; so the rows are made one after another, each from five lanes that
// theta and rho are applied to on the way.
//
// Six lanes are held complemented between rounds, so that by De Morgan's laws 5
// of the 25 complements that chi asks for remain: 20 instructions a round saved
// on machines without an and-not. It is the lane complementing transform of
// "Keccak implementation overview" by Bertoni, Daemen, Peeters, Van Assche and
// Van Keer.
//
// It is one long function because a call for each round would make it 13 %
// slower. The order of independent statements decides what the compiler keeps in
// registers; this one, the best of some thousand tried, is 10 % faster on amd64
// than the natural one.
func (a *lanes) permute() {
	var e lanes
	a.complement()
	for i := 0; i < rounds; i += 2 {
		{ // from a to e
			c4 := a[4] ^ a[9] ^ a[14] ^ a[19] ^ a[24]
			c3 := a[3] ^ a[8] ^ a[13] ^ a[18] ^ a[23]
			c1 := a[1] ^ a[6] ^ a[11] ^ a[16] ^ a[21]
			c0 := a[0] ^ a[5] ^ a[10] ^ a[15] ^ a[20]
			c2 := a[2] ^ a[7] ^ a[12] ^ a[17] ^ a[22]
			d4 := c3 ^ bits.RotateLeft64(c0, 1)
			d3 := c2 ^ bits.RotateLeft64(c4, 1)
			d1 := c0 ^ bits.RotateLeft64(c2, 1)
			d0 := c4 ^ bits.RotateLeft64(c1, 1)
			d2 := c1 ^ bits.RotateLeft64(c3, 1)
			{ // row y = 3
				b0 := bits.RotateLeft64(a[4]^d4, 27)
				b2 := bits.RotateLeft64(a[11]^d1, 10)
				b1 := bits.RotateLeft64(a[5]^d0, 36)
				b3 := bits.RotateLeft64(a[17]^d2, 15)
				b4 := bits.RotateLeft64(a[23]^d3, 56)
				n3 := ^b3
				e[16] = b1 ^ (b2 | b3)
				e[17] = b2 ^ (n3 | b4)
				e[15] = b0 ^ (b1 & b2)
				e[19] = b4 ^ (b0 | b1)
				e[18] = n3 ^ (b4 & b0)
			}
			{ // row y = 2
				b0 := bits.RotateLeft64(a[1]^d1, 1)
				b2 := bits.RotateLeft64(a[13]^d3, 25)
				b1 := bits.RotateLeft64(a[7]^d2, 6)
				b3 := bits.RotateLeft64(a[19]^d4, 8)
				b4 := bits.RotateLeft64(a[20]^d0, 18)
				n3 := ^b3
				e[11] = b1 ^ (b2 & b3)
				e[12] = b2 ^ (n3 & b4)
				e[10] = b0 ^ (b1 | b2)
				e[14] = b4 ^ (b0 & b1)
				e[13] = n3 ^ (b4 | b0)
			}
			{ // row y = 0
				b0 := a[0] ^ d0
				b2 := bits.RotateLeft64(a[12]^d2, 43)
				b1 := bits.RotateLeft64(a[6]^d1, 44)
				b3 := bits.RotateLeft64(a[18]^d3, 21)
				b4 := bits.RotateLeft64(a[24]^d4, 14)
				e[1] = b1 ^ (^b2 | b3)
				e[2] = b2 ^ (b3 & b4)
				e[0] = b0 ^ (b1 | b2) ^ roundConstants[i]
				e[4] = b4 ^ (b0 & b1)
				e[3] = b3 ^ (b4 | b0)
			}
			{ // row y = 1
				b0 := bits.RotateLeft64(a[3]^d3, 28)
				b2 := bits.RotateLeft64(a[10]^d0, 3)
				b1 := bits.RotateLeft64(a[9]^d4, 20)
				b3 := bits.RotateLeft64(a[16]^d1, 45)
				b4 := bits.RotateLeft64(a[22]^d2, 61)
				e[6] = b1 ^ (b2 & b3)
				e[7] = b2 ^ (b3 | ^b4)
				e[5] = b0 ^ (b1 | b2)
				e[9] = b4 ^ (b0 & b1)
				e[8] = b3 ^ (b4 | b0)
			}
			{ // row y = 4
				b0 := bits.RotateLeft64(a[2]^d2, 62)
				b2 := bits.RotateLeft64(a[14]^d4, 39)
				b1 := bits.RotateLeft64(a[8]^d3, 55)
				b3 := bits.RotateLeft64(a[15]^d0, 41)
				b4 := bits.RotateLeft64(a[21]^d1, 2)
				n1 := ^b1
				e[21] = n1 ^ (b2 | b3)
				e[22] = b2 ^ (b3 & b4)
				e[20] = b0 ^ (n1 & b2)
				e[24] = b4 ^ (b0 & b1)
				e[23] = b3 ^ (b4 | b0)
			}
		}
		{ // from e to a
			c4 := e[4] ^ e[9] ^ e[14] ^ e[19] ^ e[24]
			c3 := e[3] ^ e[8] ^ e[13] ^ e[18] ^ e[23]
			c1 := e[1] ^ e[6] ^ e[11] ^ e[16] ^ e[21]
			c0 := e[0] ^ e[5] ^ e[10] ^ e[15] ^ e[20]
			c2 := e[2] ^ e[7] ^ e[12] ^ e[17] ^ e[22]
			d4 := c3 ^ bits.RotateLeft64(c0, 1)
			d3 := c2 ^ bits.RotateLeft64(c4, 1)
			d1 := c0 ^ bits.RotateLeft64(c2, 1)
			d0 := c4 ^ bits.RotateLeft64(c1, 1)
			d2 := c1 ^ bits.RotateLeft64(c3, 1)
			{ // row y = 3
				b0 := bits.RotateLeft64(e[4]^d4, 27)
				b2 := bits.RotateLeft64(e[11]^d1, 10)
				b1 := bits.RotateLeft64(e[5]^d0, 36)
				b3 := bits.RotateLeft64(e[17]^d2, 15)
				b4 := bits.RotateLeft64(e[23]^d3, 56)
				n3 := ^b3
				a[16] = b1 ^ (b2 | b3)
				a[17] = b2 ^ (n3 | b4)
				a[15] = b0 ^ (b1 & b2)
				a[19] = b4 ^ (b0 | b1)
				a[18] = n3 ^ (b4 & b0)
			}
			{ // row y = 2
				b0 := bits.RotateLeft64(e[1]^d1, 1)
				b2 := bits.RotateLeft64(e[13]^d3, 25)
				b1 := bits.RotateLeft64(e[7]^d2, 6)
				b3 := bits.RotateLeft64(e[19]^d4, 8)
				b4 := bits.RotateLeft64(e[20]^d0, 18)
				n3 := ^b3
				a[11] = b1 ^ (b2 & b3)
				a[12] = b2 ^ (n3 & b4)
				a[10] = b0 ^ (b1 | b2)
				a[14] = b4 ^ (b0 & b1)
				a[13] = n3 ^ (b4 | b0)
			}
			{ // row y = 0
				b0 := e[0] ^ d0
				b2 := bits.RotateLeft64(e[12]^d2, 43)
				b1 := bits.RotateLeft64(e[6]^d1, 44)
				b3 := bits.RotateLeft64(e[18]^d3, 21)
				b4 := bits.RotateLeft64(e[24]^d4, 14)
				a[1] = b1 ^ (^b2 | b3)
				a[2] = b2 ^ (b3 & b4)
				a[0] = b0 ^ (b1 | b2) ^ roundConstants[i+1]
				a[4] = b4 ^ (b0 & b1)
				a[3] = b3 ^ (b4 | b0)
			}
			{ // row y = 1
				b0 := bits.RotateLeft64(e[3]^d3, 28)
				b2 := bits.RotateLeft64(e[10]^d0, 3)
				b1 := bits.RotateLeft64(e[9]^d4, 20)
				b3 := bits.RotateLeft64(e[16]^d1, 45)
				b4 := bits.RotateLeft64(e[22]^d2, 61)
				a[6] = b1 ^ (b2 & b3)
				a[7] = b2 ^ (b3 | ^b4)
				a[5] = b0 ^ (b1 | b2)
				a[9] = b4 ^ (b0 & b1)
				a[8] = b3 ^ (b4 | b0)
			}
			{ // row y = 4
				b0 := bits.RotateLeft64(e[2]^d2, 62)
				b2 := bits.RotateLeft64(e[14]^d4, 39)
				b1 := bits.RotateLeft64(e[8]^d3, 55)
				b3 := bits.RotateLeft64(e[15]^d0, 41)
				b4 := bits.RotateLeft64(e[21]^d1, 2)
				n1 := ^b1
				a[21] = n1 ^ (b2 | b3)
				a[22] = b2 ^ (b3 & b4)
				a[20] = b0 ^ (n1 & b2)
				a[24] = b4 ^ (b0 & b1)
				a[23] = b3 ^ (b4 | b0)
			}
		}
	}
	a.complement()
}

// complement complements the lanes that permute holds that way.
func (a *lanes) complement() {
	a[1] = ^a[1]
	a[2] = ^a[2]
	a[8] = ^a[8]
	a[12] = ^a[12]
	a[17] = ^a[17]
	a[20] = ^a[20]
}
