// The sliced field: q = 2^48 + C with odd C < 2^15.
//
// A Lanes holds two values, v = lo + 2^26*hi each, lo in xy and hi in zw. lo is
// signed and hi is a count modulo 2^32, both lazily carried, so that a sum or a
// difference of values is one vector addition without a carry. A multiplication
// cuts v into four digits of 13 bits and multiplies them by the constants
// w*2^(13i) mod q, which it knows in limbs of 17 bits: four products of a column
// fit 32 bits. One fold by 2^48 = -C (mod q) ends it.

alias Lanes = vec4<u32>;

// Limb k of w, w*2^13, w*2^26 and w*2^39 mod q, for k = 0, 1, 2: 17, 17, 15 bits.
struct Twiddle { k0: vec4<u32>, k1: vec4<u32>, k2: vec4<u32> }

const M13 = 0x1fffu;
const M17 = 0x1ffffu;
const M22 = 0x3fffffu;
const M26 = 0x3ffffffu;

// unpack takes two 64-bit words below 2^58 to values with lo in [0, 2^26).
fn unpack(v: vec4<u32>) -> Lanes {
  return vec4<u32>(v.xz & vec2<u32>(M26), (v.xz >> vec2<u32>(26u)) | (v.yw << vec2<u32>(6u)));
}

// pack undoes unpack: lo in [0, 2^26).
fn pack(v: Lanes) -> vec4<u32> {
  let low = v.xy | (v.zw << vec2<u32>(26u));
  let high = v.zw >> vec2<u32>(6u);
  return vec4<u32>(low.x, high.x, low.y, high.y);
}

// lazy_in and lazy_out order the words of a stored pair of unpacked values.
fn lazy_in(v: vec4<u32>) -> Lanes { return v.xzyw; }
fn lazy_out(v: Lanes) -> vec4<u32> { return v.xzyw; }

// unpack_twiddle takes k0 | k2 << 17 and k1 of a twiddle.
fn unpack_twiddle(k02: vec4<u32>, k1: vec4<u32>) -> Twiddle {
  return Twiddle(k02 & vec4<u32>(M17), k1, k02 >> vec4<u32>(17u));
}

// carry moves the overflow of lo, of either sign, to hi: lo in [0, 2^26).
fn carry(v: Lanes) -> Lanes {
  let over = bitcast<vec2<u32>>(bitcast<vec2<i32>>(v.xy) >> vec2<u32>(26u));
  return vec4<u32>(v.xy & vec2<u32>(M26), v.zw + over);
}

fn add(a: Lanes, b: Lanes) -> Lanes { return a + b; }
fn sub(a: Lanes, b: Lanes) -> Lanes { return a - b; }

// weigh returns d0*w + d1*w*2^13 + d2*w*2^26 + d3*w*2^39 mod q as a value in
// (-2^30, 2^48), for digits below 2^13. Its columns, with what is carried into
// them, stay below 4*(2^13-1)*(2^17-1) + 2^15 < 2^32; the whole sum below
// 2^15*q, so that the part above 2^48 times C stays below 2^30.
fn weigh(d0: vec2<u32>, d1: vec2<u32>, d2: vec2<u32>, d3: vec2<u32>, w: Twiddle) -> Lanes {
  let c0 = d0 * w.k0.x + d1 * w.k0.y + d2 * w.k0.z + d3 * w.k0.w;
  let b1 = d0 * w.k1.x + d1 * w.k1.y + d2 * w.k1.z + d3 * w.k1.w;
  let c2 = d0 * w.k2.x + d1 * w.k2.y + d2 * w.k2.z + d3 * w.k2.w;
  let lo = (c0 + (b1 << vec2<u32>(17u))) & vec2<u32>(M26);
  let c1 = b1 + (c0 >> vec2<u32>(17u));
  let hi = ((c1 >> vec2<u32>(9u)) + (c2 << vec2<u32>(8u))) & vec2<u32>(M22);
  let fold = ((c2 + (c1 >> vec2<u32>(17u))) >> vec2<u32>(14u)) * C;
  return vec4<u32>(lo - (fold & vec2<u32>(M26)), hi - (fold >> vec2<u32>(26u)));
}

// mul_by returns y*w mod q in (-2^30, 2^48) for y in [0, 2^52).
fn mul_by(y: Lanes, w: Twiddle) -> Lanes {
  let lo = y.xy;
  let hi = y.zw + bitcast<vec2<u32>>(bitcast<vec2<i32>>(lo) >> vec2<u32>(26u));
  return weigh(lo & vec2<u32>(M13), (lo >> vec2<u32>(13u)) & vec2<u32>(M13), hi & vec2<u32>(M13), hi >> vec2<u32>(13u), w);
}

// fold takes a value in (-2^48, 2^57) to one congruent to it in (-2^25, q).
fn fold(v: Lanes) -> Lanes {
  let n = carry(v);
  let above = bitcast<vec2<u32>>(bitcast<vec2<i32>>(n.zw) >> vec2<u32>(22u));
  return vec4<u32>(n.xy - above * C, n.zw & vec2<u32>(M22));
}

// canon takes a value in [-q, 2^56) to [0, q), with lo in [0, 2^26).
fn canon(v: Lanes) -> Lanes {
  let f = fold(v + vec4<u32>(C, C, M22 + 1u, M22 + 1u));
  // f is in (-q, 2^48): all that is left to do is to add q where it is negative.
  let negative = bitcast<vec2<u32>>(bitcast<vec2<i32>>(carry(f).zw) >> vec2<u32>(31u));
  return carry(vec4<u32>(f.xy + (negative & vec2<u32>(C)), f.zw + (negative & vec2<u32>(M22 + 1u))));
}

// divide returns v/N mod q in (-q, v/N] for v in (-2^40, 2^57): since N divides
// q-1, v/N = floor(v/N) - (v mod N)*(q-1)/N, and that last product is at most
// q - q/N.
fn divide(v: Lanes) -> Lanes {
  let n = carry(v);
  let r = n.xy & vec2<u32>((1u << LOG_N) - 1u);
  let lo = (n.xy >> vec2<u32>(LOG_N)) | ((n.zw << vec2<u32>(26u - LOG_N)) & vec2<u32>(M26));
  let hi = bitcast<vec2<u32>>(bitcast<vec2<i32>>(n.zw) >> vec2<u32>(LOG_N));
  return vec4<u32>(lo - r * (C >> LOG_N), hi - (r << vec2<u32>(22u - LOG_N)));
}
