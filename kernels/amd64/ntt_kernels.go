package amd64

import (
	"math"
	"math/bits"
)

// maxBlock is the largest block of a set of kernels, in coefficients.
const maxBlock = 128

// passFunc is a pass over rows: dst may be src. The last argument is the stride
// of a column's registers, or the step from a block's table to the next, in bytes.
type passFunc func(dst, src, table, constants, parameters *uint64, blocks, stride int)

// pointwiseFunc is an operation on n coefficients, a multiple of 8.
type pointwiseFunc func(dst, a, b, constants *uint64, n int)

// kernels are the functions of a width, or of a width's rings of one kind, and
// what their tables hold.
type kernels struct {
	lanes   int // coefficients of a register
	size    int // bytes of a lane: 8, or 4 in kernels that work on packed rows
	maxBits int // of a modulus
	// lastReduces says that the last forward stage reduces its left operands.
	lastReduces bool

	// The transforms' passes; those over columns by their stages, from 1 to 3.
	forwardColumns, inverseColumns [4]passFunc
	forwardTail                    passFunc
	inverseHead                    func(dst, src, table, constants, parameters *uint64, blocks int)
	// reduced reports whether n words, a multiple of 8, are all below q.
	reduced func(s *uint64, q uint64, n int) bool

	// The pointwise operations. The last takes a factor of two words for b.
	mul, mulAdd, mulMont, mulAddMont, mulFactor pointwiseFunc

	// What the functions read: the constants of a ring, a factor and its quotient,
	// and where values fold, as ntt_bounds.go says.
	constants func(q uint64) []uint64
	factor    func(w, q uint64) (word, quotient uint64)
	bounds    func(q uint64, stages int) (bias uint64, folds []uint64)

	forward256, inverse256 smallFunc // for whole rows; nil where there is none

	// Kernels that work on packed rows have these besides. pack stores the low
	// halves of n words, a multiple of 8, and is reduced as well; unpack undoes it.
	pack   func(dst, src *uint64, q uint64, n int) bool
	unpack func(dst, src *uint64, n int)
	// pointwise has the pointwise operations of these kernels, if not themselves.
	pointwise *kernels
	// strict are the kernels for moduli of strictBits or more.
	strict     *kernels
	strictBits int
	// half are the kernels of half as many lanes, for rings that do not fill one.
	half *kernels
}

// forRing returns the kernels for degree n modulo q.
func (k *kernels) forRing(n int, q uint64) *kernels {
	if n < k.lanes {
		k = k.half
	}
	if k.strict != nil && bits.Len64(q) >= k.strictBits {
		return k.strict
	}
	return k
}

func (k *kernels) block() int { return 8 * k.lanes }

// ifmaConstants are in the order of the generator's ifma.registers.
func ifmaConstants(q uint64) []uint64 {
	const word, mask = 1 << 52, 1<<52 - 1
	n := uint(bits.Len64(q))
	barrett := powerOver(51+n, q)
	c := []uint64{q, word - q, -q, word / q, mask, word / 2, foldStep(q, 52), smallBias * q, 0, 0, uint64(52 - n), barrett}
	c[8], c[9] = ifmaFactor(inverseR(q), q)
	return c
}

func ifmaFactor(w, q uint64) (uint64, uint64) {
	p, _ := bits.Div64(w>>12, w<<52, q)
	return w, p
}

func ifmaBounds(q uint64, stages int) (uint64, []uint64) { return wordBounds(q, stages, 52, q) }

// inverseR returns 2^-64 mod q.
func inverseR(q uint64) uint64 { return powMod(residueR(q), q-2, q) }

// residueR returns 2^64 mod q.
func residueR(q uint64) uint64 {
	_, r := bits.Div64(1, 0, q)
	return r
}

// powMod returns b^e mod q for b < q.
func powMod(b, e, q uint64) uint64 {
	r := uint64(1)
	for ; e > 0; e >>= 1 {
		if e&1 != 0 {
			r = mulMod(r, b, q)
		}
		b = mulMod(b, b, q)
	}
	return r
}

// powerOver returns floor(2^e/q), for a result below 2^64.
func powerOver(e uint, q uint64) uint64 {
	if e < 64 {
		return 1 << e / q
	}
	x, _ := bits.Div64(1<<(e-64), 0, q)
	return x
}

// packedConstants are q and what the generator's packed reads by place.
func packedConstants(q uint64) []uint64 { return []uint64{q, 1 << 32 / q, foldStep(q, 32)} }

// strictConstants are packedConstants without those that strict kernels do not use.
func strictConstants(q uint64) []uint64 { return []uint64{q, 0, 0} }

// strictBounds has no bias and no fold: values are canonical between stages.
func strictBounds(_ uint64, stages int) (uint64, []uint64) { return 0, make([]uint64, stages) }

// narrowConstants are in the order of the generator's narrow.registers; those of
// product follow the factor 2^-64.
func narrowConstants(q uint64) []uint64 {
	n := uint(bits.Len64(q))
	c := []uint64{q, 1 << 32 / q, 0, 0, 0, 0, 0, 0, 0, 0, uint64(n - 1), uint64(n + 1), 1 << (2 * n) / q}
	c[8], c[9] = narrowFactor(inverseR(q), q)
	return c
}

func narrowFactor(w, q uint64) (uint64, uint64) { return w, w << 32 / q }

func narrowBounds(q uint64, stages int) (uint64, []uint64) { return wordBounds(q, stages, 32, 2*q) }

// floatConstants are q and 1/q, what the generator's float reads by place, and
// the factor 2^-64.
func floatConstants(q uint64) []uint64 {
	const word = 1 << 52
	c := []uint64{math.Float64bits(float64(q)), math.Float64bits(1 / float64(q)), math.Float64bits(word), math.Float64bits(1.5 * word), q, 0, 0, 0, 0, 0}
	c[8], c[9] = floatFactor(inverseR(q), q)
	return c
}

func floatFactor(w, q uint64) (uint64, uint64) {
	c := float64(w)
	if w > q/2 {
		c = -float64(q - w)
	}
	return math.Float64bits(c), math.Float64bits(c / float64(q))
}
