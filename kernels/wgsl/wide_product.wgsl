// Products of two values of the 64-bit field.

// 128-bit sums.
struct Acc { lo: Lanes, hi: Lanes }

// mac returns s + a*b modulo 2^128, for reduced a and b. Eight products are
// below 8*q^2 < q*2^64, which redc takes.
fn mac(s: Acc, a: Lanes, b: Lanes) -> Acc {
  let ll = mul32(a.xy, b.xy);
  let lh = mul32(a.xy, b.zw);
  let hl = mul32(a.zw, b.xy);
  // The middle word and what it carries.
  let m1 = ll.zw + lh.xy;
  let m2 = m1 + hl.xy;
  let carry = flag(m1 < lh.xy) + flag(m2 < m1);
  var hi = add(mul32(a.zw, b.zw), vec4<u32>(lh.zw, 0u, 0u));
  hi = add(hi, vec4<u32>(hl.zw, 0u, 0u));
  hi = add(hi, vec4<u32>(carry, 0u, 0u));
  let lo = add(s.lo, vec4<u32>(ll.xy, m2));
  // s.lo + p.lo carries where the sum is below s.lo as a 64-bit number.
  let below = (lo.zw < s.lo.zw) | ((lo.zw == s.lo.zw) & (lo.xy < s.lo.xy));
  return Acc(lo, add(add(s.hi, hi), vec4<u32>(flag(below), 0u, 0u)));
}

// redc returns s*2^-64 mod q in (0, 2q) for s < q*2^64: Montgomery's reduction
// with q^-1 mod 2^64.
fn redc(s: Acc) -> Lanes {
  let q = vec4<u32>(Q_LO, Q_LO, Q_HI, Q_HI);
  let m = low64(s.lo, vec4<u32>(INV_LO, INV_LO, INV_HI, INV_HI));
  return add(sub(s.hi, high64(m, q)), q);
}

// plus returns a + b mod q in [0, q) for reduced a and b.
fn plus(a: Lanes, b: Lanes) -> Lanes { return reduce(add(a, b), vec4<u32>(Q_LO, Q_LO, Q_HI, Q_HI)); }
