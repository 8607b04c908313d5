// The 64-bit field: any odd q < 2^61.
//
// A Lanes holds two 64-bit values, low words in xy and high words in zw.
// Multiplication by a constant is Shoup's, on 32-bit words; a product of words
// is made of four 16-bit ones.

alias Lanes = vec4<u32>;

// w and floor(w*2^64/q), low word first.
alias Twiddle = vec4<u32>;

const M16 = 0xffffu;

fn unpack(v: vec4<u32>) -> Lanes { return v.xzyw; }
fn pack(v: Lanes) -> vec4<u32> { return v.xzyw; }
fn lazy_in(v: vec4<u32>) -> Lanes { return v.xzyw; }
fn lazy_out(v: Lanes) -> vec4<u32> { return v.xzyw; }

// flag is 1 where a condition holds, else 0.
fn flag(c: vec2<bool>) -> vec2<u32> { return select(vec2<u32>(0u), vec2<u32>(1u), c); }

// add and sub are modulo 2^64.
fn add(a: Lanes, b: Lanes) -> Lanes {
  let lo = a.xy + b.xy;
  return vec4<u32>(lo, a.zw + b.zw + flag(lo < a.xy));
}
fn sub(a: Lanes, b: Lanes) -> Lanes {
  return vec4<u32>(a.xy - b.xy, a.zw - b.zw - flag(a.xy < b.xy));
}

// reduce takes x in [0, 2m) to [0, m): x - m unless that borrows.
fn reduce(x: Lanes, m: Lanes) -> Lanes {
  let borrow = flag(x.xy < m.xy);
  let owed = m.zw + borrow; // m < 2^63: no carry
  let keep = x.zw < owed;
  let d = vec4<u32>(x.xy - m.xy, x.zw - owed);
  return select(d, x, vec4<bool>(keep, keep));
}

// high32 returns the high word of a*b.
fn high32(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  let al = a & vec2<u32>(M16);
  let ah = a >> vec2<u32>(16u);
  let bl = b & vec2<u32>(M16);
  let bh = b >> vec2<u32>(16u);
  let m = ah * bl + ((al * bl) >> vec2<u32>(16u));
  let n = al * bh + (m & vec2<u32>(M16));
  return ah * bh + (m >> vec2<u32>(16u)) + (n >> vec2<u32>(16u));
}

// mul32 returns a*b: low words in xy, high words in zw.
fn mul32(a: vec2<u32>, b: vec2<u32>) -> Lanes { return vec4<u32>(a * b, high32(a, b)); }

// low64 returns a*b mod 2^64.
fn low64(a: Lanes, b: Lanes) -> Lanes {
  let p = mul32(a.xy, b.xy);
  return vec4<u32>(p.xy, p.zw + a.xy * b.zw + a.zw * b.xy);
}

// about_high64 returns floor(a*b/2^64) or up to 2 less: it leaves out the sum of
// three low words, whose carry is at most 2.
fn about_high64(a: Lanes, b: Lanes) -> Lanes {
  var h = mul32(a.zw, b.zw);
  h = add(h, vec4<u32>(high32(a.xy, b.zw), 0u, 0u));
  return add(h, vec4<u32>(high32(a.zw, b.xy), 0u, 0u));
}

// high64 returns floor(a*b/2^64).
fn high64(a: Lanes, b: Lanes) -> Lanes {
  let p = mul32(a.xy, b.zw);
  let r = mul32(a.zw, b.xy);
  let s = p.xy + r.xy;
  let t = s + high32(a.xy, b.xy);
  var h = mul32(a.zw, b.zw);
  h = add(h, vec4<u32>(p.zw, 0u, 0u));
  h = add(h, vec4<u32>(r.zw, 0u, 0u));
  return add(h, vec4<u32>(flag(s < p.xy) + flag(t < s), 0u, 0u));
}

// mul_by returns y*w mod q in [0, 4q) for any y. Shoup's remainder with the exact
// quotient is below 2q, and the quotient here is at most 2 less.
fn mul_by(y: Lanes, w: Twiddle) -> Lanes {
  let h = about_high64(y, w.zzww);
  return sub(low64(y, w.xxyy), low64(h, vec4<u32>(Q_LO, Q_LO, Q_HI, Q_HI)));
}

// divide returns v/N mod q in (0, q + v/N] for any v: since N divides q-1,
// v/N = floor(v/N) - (v mod N)*(q-1)/N, and that last product is below q. Its
// partial products of 11 by 16 bits, and the high one, fit 32 bits.
fn divide(v: Lanes) -> Lanes {
  let r = v.xy & vec2<u32>((1u << LOG_N) - 1u);
  let p0 = r * (UNIT_LO & M16);
  let p1 = r * (UNIT_LO >> 16u) + (p0 >> vec2<u32>(16u));
  let rest = vec4<u32>((p0 & vec2<u32>(M16)) | (p1 << vec2<u32>(16u)), r * UNIT_HI + (p1 >> vec2<u32>(16u)));
  let lo = (v.xy >> vec2<u32>(LOG_N)) | (v.zw << vec2<u32>(32u - LOG_N));
  return add(vec4<u32>(lo, v.zw >> vec2<u32>(LOG_N)), sub(vec4<u32>(Q_LO, Q_LO, Q_HI, Q_HI), rest));
}
