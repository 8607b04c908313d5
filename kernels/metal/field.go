package metal

import (
	"encoding/binary"
	"math/bits"
)

// field is the words in which transforms modulo q are computed.
type field struct {
	q     uint64
	bits  uint   // of a word of arithmetic
	words string // the words of coefficients and of arithmetic, as entries are named
}

// newField chooses the shortest words that hold 8q, which are what a transform
// needs that reduces as seldom as every other stage.
func newField(q uint64) field {
	switch {
	case q < 1<<29:
		return field{q, 32, "u32"}
	case q < 1<<32:
		return field{q, 64, "u32_w"}
	default:
		return field{q, 64, "u64"}
	}
}

// wordBytes is the size of a word of arithmetic.
func (f field) wordBytes() int { return int(f.bits) / 8 }

// ratio returns floor(x*2^bits/q), for x < q: the quotient of a twiddle factor.
func (f field) ratio(x uint64) uint64 {
	if f.bits == 32 {
		return x << 32 / f.q
	}
	r, _ := bits.Div64(x, 0, f.q)
	return r
}

// headroom returns floor(2^bits/q): values below that many times q fit a word.
func (f field) headroom() uint64 { return f.ratio(1) }

// append appends words of arithmetic.
func (f field) append(out []byte, words ...uint64) []byte {
	for _, w := range words {
		if f.bits == 32 {
			out = binary.LittleEndian.AppendUint32(out, uint32(w))
		} else {
			out = binary.LittleEndian.AppendUint64(out, w)
		}
	}
	return out
}

// appendTwiddle appends a constant factor, as field.h has it.
func (f field) appendTwiddle(out []byte, w uint64) []byte { return f.append(out, w, f.ratio(w)) }

// power64 returns 2^64 mod q.
func power64(q uint64) uint64 {
	_, r := bits.Div64(1%q, 0, q)
	return r
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
