// The 32-bit field: odd q < 2^31.
//
// A Lanes holds four values. Multiplication by a constant is Shoup's with 16-bit
// products, in three strengths: the more headroom 2^32/q leaves, the less exact
// the quotient needs to be.

alias Lanes = vec4<u32>;

// w and floor(w*2^32/q).
alias Twiddle = vec2<u32>;

const M16 = 0xffffu;

fn unpack(v: vec4<u32>) -> Lanes { return v; }
fn pack(v: Lanes) -> vec4<u32> { return v; }
fn lazy_in(v: vec4<u32>) -> Lanes { return v; }
fn lazy_out(v: Lanes) -> vec4<u32> { return v; }

// add and sub are modulo 2^32.
fn add(a: Lanes, b: Lanes) -> Lanes { return a + b; }
fn sub(a: Lanes, b: Lanes) -> Lanes { return a - b; }

// reduce takes x in [0, 2m) to [0, m), for m < 2^31: x - m wraps above x where
// x < m.
fn reduce(x: Lanes, m: Lanes) -> Lanes { return min(x, x - m); }

// high32 returns the high word of a*b.
fn high32(a: Lanes, b: Lanes) -> Lanes {
  let al = a & vec4<u32>(M16);
  let ah = a >> vec4<u32>(16u);
  let bl = b & vec4<u32>(M16);
  let bh = b >> vec4<u32>(16u);
  let m = ah * bl + ((al * bl) >> vec4<u32>(16u));
  let n = al * bh + (m & vec4<u32>(M16));
  return ah * bh + (m >> vec4<u32>(16u)) + (n >> vec4<u32>(16u));
}

// about_high32 returns floor(a*b/2^32) or up to 2 less: it drops the carry of
// three 16-bit parts.
fn about_high32(a: Lanes, b: Lanes) -> Lanes {
  let al = a & vec4<u32>(M16);
  let ah = a >> vec4<u32>(16u);
  let bl = b & vec4<u32>(M16);
  let bh = b >> vec4<u32>(16u);
  return ah * bh + ((ah * bl) >> vec4<u32>(16u)) + ((al * bh) >> vec4<u32>(16u));
}

// mul_lazy returns y*w mod q in [0, 4q) for any y, where 4q <= 2^32. Shoup's
// remainder with the exact quotient is below 2q.
fn mul_lazy(y: Lanes, w: Twiddle) -> Lanes { return y * w.x - about_high32(y, vec4<u32>(w.y)) * Q; }

// mul_exact returns y*w mod q in [0, 2q) for any y.
fn mul_exact(y: Lanes, w: Twiddle) -> Lanes { return y * w.x - high32(y, vec4<u32>(w.y)) * Q; }

// mul_strict returns y*w mod q in [0, q) for any y.
fn mul_strict(y: Lanes, w: Twiddle) -> Lanes { return reduce(mul_exact(y, w), vec4<u32>(Q)); }

// divide returns v/N mod q in (0, q + v/N] for any v: since N divides q-1,
// v/N = floor(v/N) - (v mod N)*(q-1)/N, and that last product is below q.
fn divide(v: Lanes) -> Lanes {
  return (v >> vec4<u32>(LOG_N)) + (vec4<u32>(Q) - (v & vec4<u32>((1u << LOG_N) - 1u)) * UNIT);
}
