package wgsl

import "math/bits"

// A field is the arithmetic modulo one q in which transforms and pointwise
// operations are written. On the device a vec4<u32> of memory holds lanes()
// coefficients, and so does a value of the WGSL type Lanes, in a form of the
// field's own; twiddle factors are of its type Twiddle. The WGSL functions that
// every field has, with the ranges that its file states:
//
//	unpack, pack        memory to Lanes and back, coefficients in [0, q)
//	lazy_in, lazy_out   the same for values between two passes
//	add, sub            lane by lane, without a reduction
//	divide              v/N mod q
//	mac, plus           products and sums of reduced values
//
// Bounds are counted in multiples of q: a value has bound b when it is below
// b*q. The sliced field's values may also be a little negative; see there.
type field interface {
	lanes() int
	constants(logN int) string // that the two sources refer to
	arithmetic() string        // the WGSL of transforms
	products() string          // what the pointwise operations need besides

	// headroom is the greatest bound of an operand of mul, and of any value
	// that waits for a later stage.
	headroom() uint64
	mulBound() uint64         // the bound of what mul returns
	mul(y, w string) string   // y*w mod q
	multiple(k uint64) string // k*q in every lane
	literal(w uint64) string  // the Twiddle of a constant
	bias(stages int) (k uint64, ok bool)
	reduce(x string, bound uint64) (expr string, reduced uint64)
	canonical(x string, bound uint64) string // of a value above -q
	difference(x, y string, boundX, boundY uint64) (expr string, bound uint64)

	slots(radix int) int                         // vec4 of table that a block of a pass uses
	encode(w []uint64) []uint32                  // their contents: twiddles 1 to radix-1 of the block
	twiddle(k int, slot func(int) string) string // the Twiddle k out of them

	times(c uint64) string  // the body of times(x): x*c mod q, reduced in and out
	scaled(c uint64) string // the body of scaled(s): c times the sum s of up to eight products, reduced
}

// newField chooses the field for a ring of 2^logN coefficients modulo q.
func newField(logN int, q uint64) field {
	switch {
	case q < 1<<31:
		return newNarrow(logN, q)
	case isSliced(logN, q):
		return sliced{q}
	default:
		return wide{q}
	}
}

// scale returns 2^e mod q for e >= 0, or its inverse for e < 0.
func scale(e int, q uint64) uint64 {
	x := uint64(1)
	for range max(e, -e) {
		if e > 0 {
			x = 2 * x % q // q < 2^61
		} else {
			x = (x + q&-(x&1)) / 2 // halving: q is odd
		}
	}
	return x
}

// mulMod returns a*b mod q for a, b < q.
func mulMod(a, b, q uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	_, r := bits.Div64(hi, lo, q)
	return r
}

// inverse64 returns q^-1 mod 2^64 for odd q, by Newton's iteration: every step
// doubles the number of right low bits, three at first.
func inverse64(q uint64) uint64 {
	x := q
	for range 5 {
		x *= 2 - q*x
	}
	return x
}
