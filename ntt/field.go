package ntt

import "math/bits"

// The helpers below have no branch and no memory access. The built-in min on
// unsigned integers compiles to a conditional move, and turns the wrap-around
// of a subtraction below zero, a huge value, into the selection itself.

// reduceOnce takes x in [0, 2q) to [0, q).
func reduceOnce(x, q uint64) uint64 { return min(x, x-q) }

// subMod returns x - y mod q in [0, q) for x, y in [0, q).
func subMod(x, y, q uint64) uint64 { return min(x-y, x-y+q) }

// mulShoupLazy returns a value congruent to x*w mod q in [0, 2q), for any
// x < 2^64. Shoup's quotient h is at most one too small (Harvey, "Faster
// arithmetic for number-theoretic transforms", 2014, arXiv:1205.2926).
func mulShoupLazy(x uint64, w twiddle, q uint64) uint64 {
	h, _ := bits.Mul64(x, w.s)
	return x*w.w - h*q
}

// mulShoup returns x*w mod q in [0, q), for any x < 2^64.
func mulShoup(x uint64, w twiddle, q uint64) uint64 {
	return reduceOnce(mulShoupLazy(x, w, q), q)
}

// mred returns a*b*2^-64 mod q in [0, q), for a*b < q*2^64 and qInv = q^-1 mod
// 2^64: Montgomery's reduction with the sign of lattigo's MRed.
func mred(a, b, q, qInv uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	h, _ := bits.Mul64(lo*qInv, q)
	return subMod(hi, h, q) // h < q by its definition, hi < q because a*b < q*2^64
}

// mredOne returns a*2^-64 mod q in [0, q), for any a: mred of a and 1.
func mredOne(a, q, qInv uint64) uint64 {
	h, _ := bits.Mul64(a*qInv, q)
	return subMod(0, h, q)
}

// divisor divides by q exactly: floor(x/q) = floor(x*m/2^(64+s)) for x <= 2^63,
// with s = floor(log2(q)) and m = ceil(2^(64+s)/q) < 2^64. The excess of m*q
// over 2^(64+s) is below q, and x times it below 2^(64+s), which is what the
// theorem of Granlund and Montgomery asks for ("Division by invariant integers
// using multiplication", 1994).
type divisor struct {
	m uint64
	s uint
}

func newDivisor(q uint64) divisor {
	s := bits.Len64(q) - 1
	m, _ := bits.Div64(1<<s, 0, q) // q is odd and not 1, so it leaves a remainder
	return divisor{m + 1, uint(s)}
}

// mod returns x mod q in [0, q), for x <= 2^63.
func (d divisor) mod(x, q uint64) uint64 {
	h, _ := bits.Mul64(x, d.m)
	return x - h>>(d.s&63)*q
}

// shifter divides by N = 2^k modulo q, for q = 1 mod N, with one multiplication:
// q = 1 + cN, so that x - (x mod N)q is a multiple of N, and N times
// floor(x/N) - (x mod N)c.
type shifter struct {
	c, mask uint64
	k       uint
}

func newShifter(n int, q uint64) shifter {
	k := uint(bits.TrailingZeros(uint(n)))
	return shifter{q >> k, uint64(n - 1), k}
}

// div returns x/N mod q in [0, q), for x < N*q: both terms are below q.
func (d shifter) div(x, q uint64) uint64 {
	return subMod(x>>(d.k&63), x&d.mask*d.c, q)
}

// barrett multiplies modulo q. With n = bits.Len64(q), m = floor(2^(n+62)/q),
// which is below 2^63, and right = n-2.
type barrett struct {
	m           uint64
	left, right uint // left = 64-right
}

func newBarrett(q uint64) barrett {
	right := uint(bits.Len64(q) - 2)
	m, _ := bits.Div64(1<<right, 0, q)
	return barrett{m, 64 - right, right}
}

// mul returns x*y mod q in [0, q), for x, y in [0, q) and q of 3 to 61 bits. It
// estimates the quotient from the top of the product, p = floor(xy/2^(n-2)),
// which is below 2^63: p*m/2^64 is below xy/q by less than 2^(n-2)/q + p/2^64,
// so by less than 1, and its floor by less than 2. What is left is in [0, 2q).
func (b barrett) mul(x, y, q uint64) uint64 {
	hi, lo := bits.Mul64(x, y)
	p := hi<<(b.left&63) | lo>>(b.right&63)
	h, _ := bits.Mul64(p, b.m)
	return reduceOnce(lo-h*q, q)
}
