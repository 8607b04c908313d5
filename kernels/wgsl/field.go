package wgsl

import (
	"fmt"
	"math/bits"
)

// A field is the arithmetic modulo one q in which transforms and pointwise
// operations are written. On the device a vec4<u32> of memory holds lanes()
// coefficients, and so does a value of the WGSL type Lanes, in a form of the
// field's own; constant factors are of its type Twiddle. The WGSL functions that
// every field has, with the ranges that its file states:
//
//	unpack, pack        memory to Lanes and back, coefficients in [0, q)
//	lazy_in, lazy_out   the same for values between two passes
//	add, sub            lane by lane, without a reduction
//	divide              v/N mod q
//	mac, plus           products and sums of reduced values
//
// Bounds are counted in multiples of q: a value has bound b when it is in
// [0, b*q). Those of the sliced field have some slack; see there.
//
// The methods that return strings return WGSL expressions.
type field interface {
	lanes() int
	constants(logN int) string // what the two sources refer to
	arithmetic() string        // the source of transforms
	products() string          // the source of pointwise operations, besides

	// headroom is the greatest bound of what mul takes, and of any value that
	// waits for a later stage.
	headroom() uint64
	mulBound() uint64         // the bound of what mul returns
	mul(y, w string) string   // y*w mod q
	multiple(k uint64) string // k*q in every lane

	// bias returns the multiple of q which, added to the first operand of the
	// first of so many Cooley-Tukey stages, keeps every later x - w*y from
	// becoming negative; not ok where that would exceed the headroom.
	bias(stages int) (k uint64, ok bool)
	// difference returns x - y plus the multiple of q that keeps it positive.
	difference(x, y string, boundX, boundY uint64) (expr string, bound uint64)
	reduce(x string, bound uint64) (expr string, reduced uint64)
	canonical(x string, bound uint64) string // x mod q in [0, q)

	literal(w uint64) string // the Twiddle of a constant
	// The twiddles 1 to radix-1 of a block of a pass lie in slots(radix) vec4s,
	// of which encode returns the words; w[0] is not used. twiddle returns
	// number k, given the expression of a slot.
	slots(radix int) int
	encode(w []uint64) []uint32
	twiddle(k int, slot func(int) string) string

	// times and scaled return function bodies: x*c mod q for a reduced x, and
	// c times the sum s of up to eight products; both reduced.
	times(c uint64) string
	scaled(c uint64) string
}

// newField chooses the field for rows of 2^logN coefficients modulo q.
func newField(logN int, q uint64) field {
	switch {
	case q < 1<<31:
		return newNarrow(logN, q)
	case isSliced(logN, q):
		return sliced{q}
	default:
		return newWide(q)
	}
}

// plain is what the fields share whose values are unsigned words: 0 to h*q fit a
// word, and mul returns less than m*q.
type plain struct {
	q, h, m uint64
	splat   func(v uint64) string // v in every lane
}

func (f plain) headroom() uint64         { return f.h }
func (f plain) mulBound() uint64         { return f.m }
func (f plain) multiple(k uint64) string { return f.splat(k * f.q) }

// bias allows for m*q in each stage, and for a value that grew as much.
func (f plain) bias(stages int) (uint64, bool) {
	k := f.m * uint64(stages)
	return k, 1+2*k <= f.h
}

func (f plain) difference(x, y string, boundX, boundY uint64) (string, uint64) {
	return fmt.Sprintf("sub(add(%s, %s), %s)", x, f.multiple(boundY), y), boundX + boundY
}

// reduce halves a bound.
func (f plain) reduce(x string, bound uint64) (string, uint64) {
	k := (bound + 1) / 2
	return fmt.Sprintf("reduce(%s, %s)", x, f.multiple(k)), k
}

func (f plain) canonical(x string, bound uint64) string {
	for bound > 1 {
		x, bound = f.reduce(x, bound)
	}
	return x
}

// power2 returns 2^e mod q for e >= 0, else the inverse of 2^-e.
func power2(e int, q uint64) uint64 {
	x := uint64(1)
	for range max(e, -e) {
		if e > 0 {
			x = 2 * x % q // q < 2^61
		} else {
			x = (x + q&-(x&1)) / 2 // q is odd
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
