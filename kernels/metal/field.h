// Arithmetic modulo an odd q, in words of 32 or 64 bits.
//
// W is uint or ulong and B its number of bits; 8q <= 2^B throughout, and every
// helper states its ranges. Ranges are half-open: x in [0, 2q) is below 2q. No
// helper branches on a value.
//
// A product of two 32-bit words to 64 bits is written as one multiplication of
// ulongs: that is one instruction on Apple's GPUs, where the low and the high
// half by themselves are two.
#ifndef CROSSPOINT_FIELD_H
#define CROSSPOINT_FIELD_H

#include <metal_stdlib>
using namespace metal;

// An array that is passed to a function stays in registers only where that is
// part of its caller.
#define INLINE inline __attribute__((always_inline))

namespace crosspoint {

// Twiddle is a constant factor w in [0, q) with floor(w*2^B/q).
template <typename W> struct Twiddle {
  W w;
  W quotient;
};

// high_word returns floor(a*b/2^B).
INLINE ulong high_word(ulong a, ulong b) { return mulhi(a, b); }
INLINE uint high_word(uint a, uint b) { return uint((ulong(a) * ulong(b)) >> 32); }

// shoup returns y*w mod q in [0, 2q) for any y, given floor(w*2^B/q) and 2^B - q:
// the quotient of y*w by q is at most one more than the one here.
template <typename W> INLINE W shoup(W y, W w, W quotient, W negated) {
  return y * w + high_word(y, quotient) * negated;
}

// barrett returns x mod q in [0, 2q) for any x, given floor(2^B/q): shoup's
// product by 1.
template <typename W> INLINE W barrett(W x, W reciprocal, W negated) {
  return x + high_word(x, reciprocal) * negated;
}

// fold takes x in [0, 2m) to [0, m), for 2m <= 2^B: where x < m the difference
// wraps above x.
template <typename W> INLINE W fold(W x, W m) { return min(x, x - m); }

// canonical takes x in [0, 4q) to [0, q).
template <typename W> INLINE W canonical(W x, W q) { return fold(fold(x, W(2 * q)), q); }

// divide returns v/N mod q in (0, q + v/N] for any v, N = 2^log_n and unit =
// (q-1)/N: since N divides q-1, v/N = floor(v/N) - (v mod N)*unit, and that last
// product is below q.
template <typename W> INLINE W divide(W v, uint log_n, W unit, W q) {
  const W rest = v & ((W(1) << log_n) - 1);
  return (v >> log_n) + (q - rest * unit);
}

// Wide is a sum of products, modulo 2^128.
struct Wide {
  ulong lo;
  ulong hi;
};

// accumulate returns s + a*b. Up to floor(2^64/q) products of factors in [0, q)
// are below q*2^64.
INLINE Wide accumulate(Wide s, ulong a, ulong b) {
  const ulong p = a * b;
  Wide r;
  r.lo = s.lo + p;
  r.hi = s.hi + mulhi(a, b) + ulong(r.lo < p);
  return r;
}

// redc returns s*2^-64 mod q in (0, 2q) for s < q*2^64, given q^-1 mod 2^64:
// Montgomery's reduction with the positive inverse, so that the low words cancel
// without a carry.
INLINE ulong redc(Wide s, ulong q, ulong inverse) {
  return s.hi + q - mulhi(s.lo * inverse, q);
}

} // namespace crosspoint

#endif
