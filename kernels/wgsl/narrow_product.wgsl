// Products of two values of the 32-bit field.

// 64-bit sums below q*2^32.
struct Acc { lo: Lanes, hi: Lanes }

// mac returns s + a*b, less q*2^32 where that does not make it negative, for
// reduced a and b: the high word grows to less than q + q/2 + 1.
fn mac(s: Acc, a: Lanes, b: Lanes) -> Acc {
  let lo = s.lo + a * b;
  let carry = select(vec4<u32>(0u), vec4<u32>(1u), lo < s.lo);
  return Acc(lo, reduce(s.hi + high32(a, b) + carry, vec4<u32>(Q)));
}

// redc returns s*2^-32 mod q in (0, 2q): Montgomery's reduction with q^-1 mod
// 2^32.
fn redc(s: Acc) -> Lanes {
  return s.hi - high32(s.lo * INV, vec4<u32>(Q)) + vec4<u32>(Q);
}

// plus returns a + b mod q in [0, q) for reduced a and b.
fn plus(a: Lanes, b: Lanes) -> Lanes { return reduce(a + b, vec4<u32>(Q)); }
