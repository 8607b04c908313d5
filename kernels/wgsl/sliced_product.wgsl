// Products of two values of the sliced field.

// Seven columns of 13 bits: the value is the sum of c_k * 2^(13k).
struct Acc { c0: vec2<u32>, c1: vec2<u32>, c2: vec2<u32>, c3: vec2<u32>, c4: vec2<u32>, c5: vec2<u32>, c6: vec2<u32> }

// mac returns s + a*b for reduced a and b with lo in [0, 2^26). One product adds
// less than 2^28 to a column, so that a column takes fifteen of them.
fn mac(s: Acc, a: Lanes, b: Lanes) -> Acc {
  let a0 = a.xy & vec2<u32>(M13);
  let a1 = a.xy >> vec2<u32>(13u);
  let a2 = a.zw & vec2<u32>(M13);
  let a3 = a.zw >> vec2<u32>(13u);
  let b0 = b.xy & vec2<u32>(M13);
  let b1 = b.xy >> vec2<u32>(13u);
  let b2 = b.zw & vec2<u32>(M13);
  let b3 = b.zw >> vec2<u32>(13u);
  return Acc(
    s.c0 + a0 * b0,
    s.c1 + a0 * b1 + a1 * b0,
    s.c2 + a0 * b2 + a1 * b1 + a2 * b0,
    s.c3 + a0 * b3 + a1 * b2 + a2 * b1 + a3 * b0,
    s.c4 + a1 * b3 + a2 * b2 + a3 * b1,
    s.c5 + a2 * b3 + a3 * b2,
    s.c6 + a3 * b3);
}

// carried returns s with columns 0 to 5 in [0, 2^13): the digits of its value.
// The value of eight products is below 2^100, so that column 6 is below 2^22.
fn carried(s: Acc) -> Acc {
  let c1 = s.c1 + (s.c0 >> vec2<u32>(13u));
  let c2 = s.c2 + (c1 >> vec2<u32>(13u));
  let c3 = s.c3 + (c2 >> vec2<u32>(13u));
  let c4 = s.c4 + (c3 >> vec2<u32>(13u));
  let c5 = s.c5 + (c4 >> vec2<u32>(13u));
  let c6 = s.c6 + (c5 >> vec2<u32>(13u));
  let m = vec2<u32>(M13);
  return Acc(s.c0 & m, c1 & m, c2 & m, c3 & m, c4 & m, c5 & m, c6);
}

// low returns the part of a carried value below 2^52, times w: in (-2^30, 2^48).
fn low(s: Acc, w: Twiddle) -> Lanes { return weigh(s.c0, s.c1, s.c2, s.c3, w); }

// low_as_is returns the part of a carried value below 2^52.
fn low_as_is(s: Acc) -> Lanes {
  return vec4<u32>(s.c0 | (s.c1 << vec2<u32>(13u)), s.c2 | (s.c3 << vec2<u32>(13u)));
}

// high returns the rest of a carried value, floor(v/2^52), times w: in
// (-2^30, 2^48).
fn high(s: Acc, w: Twiddle) -> Lanes {
  return weigh(s.c4, s.c5, s.c6 & vec2<u32>(M13), s.c6 >> vec2<u32>(13u), w);
}

// plus returns a + b mod q in [0, q) for reduced a and b.
fn plus(a: Lanes, b: Lanes) -> Lanes { return canon(a + b); }
