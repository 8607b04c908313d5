// The sponge of Keccak-256, one to an invocation.
//
// A lane of 64 bits is a vec2<u32>, its low half in x. Lane (x, y) of the state
// is a<5y+x>: variables rather than an array, and rotations by constants, so that
// compilers keep the state in registers. A message is taken where it lies, at any
// byte of data, and padded on the way: what is read beyond its end, up to 140
// bytes, is masked out. So is what is read before a message with a prefix.

alias Lane = vec2<u32>;

// The state, zero at first.
var<private> a0: Lane;
var<private> a1: Lane;
var<private> a2: Lane;
var<private> a3: Lane;
var<private> a4: Lane;
var<private> a5: Lane;
var<private> a6: Lane;
var<private> a7: Lane;
var<private> a8: Lane;
var<private> a9: Lane;
var<private> a10: Lane;
var<private> a11: Lane;
var<private> a12: Lane;
var<private> a13: Lane;
var<private> a14: Lane;
var<private> a15: Lane;
var<private> a16: Lane;
var<private> a17: Lane;
var<private> a18: Lane;
var<private> a19: Lane;
var<private> a20: Lane;
var<private> a21: Lane;
var<private> a22: Lane;
var<private> a23: Lane;
var<private> a24: Lane;

// rol rotates a lane to the left by n in [1, 31]: WGSL takes the distance of a
// shift modulo 32. By 32 more it rotates the lane with its halves exchanged.
fn rol(v: Lane, n: u32) -> Lane {
  return (v << vec2<u32>(n)) | (v.yx >> vec2<u32>(32u - n));
}

// word returns the four bytes that begin shift bits, 0 to 24, above those of low.
fn word(low: u32, high: u32, shift: u32) -> u32 {
  return (low >> shift) | ((high << 1u) << (31u - shift));
}

// padded returns w, of which the first left bytes are the message's, with the
// domain byte after its end and zeros after that. Left may be of any sign.
fn padded(w: u32, left: i32) -> u32 {
  let end = 1u << ((8u * u32(left)) & 31u);
  return select(select(0u, (w & (end - 1u)) | end, left >= 0), w, left >= 4);
}

// absorb adds the block of data that begins at byte at to the state. Of the
// message n bytes are left; if they don't fill the block, the padding ends it.
// A prefix other than 0 puts its low byte in the place of the block's first.
fn absorb(at: u32, n: i32, prefix: u32) {
  let k = at / 4u;
  let s = 8u * (at & 3u);
  let w0 = data[k];
  let w1 = data[k + 1u]; let w2 = data[k + 2u];
  a0 ^= Lane(padded(word(w0, w1, s), n), padded(word(w1, w2, s), n - 4));
  let w3 = data[k + 3u]; let w4 = data[k + 4u];
  a1 ^= Lane(padded(word(w2, w3, s), n - 8), padded(word(w3, w4, s), n - 12));
  let w5 = data[k + 5u]; let w6 = data[k + 6u];
  a2 ^= Lane(padded(word(w4, w5, s), n - 16), padded(word(w5, w6, s), n - 20));
  let w7 = data[k + 7u]; let w8 = data[k + 8u];
  a3 ^= Lane(padded(word(w6, w7, s), n - 24), padded(word(w7, w8, s), n - 28));
  let w9 = data[k + 9u]; let w10 = data[k + 10u];
  a4 ^= Lane(padded(word(w8, w9, s), n - 32), padded(word(w9, w10, s), n - 36));
  let w11 = data[k + 11u]; let w12 = data[k + 12u];
  a5 ^= Lane(padded(word(w10, w11, s), n - 40), padded(word(w11, w12, s), n - 44));
  let w13 = data[k + 13u]; let w14 = data[k + 14u];
  a6 ^= Lane(padded(word(w12, w13, s), n - 48), padded(word(w13, w14, s), n - 52));
  let w15 = data[k + 15u]; let w16 = data[k + 16u];
  a7 ^= Lane(padded(word(w14, w15, s), n - 56), padded(word(w15, w16, s), n - 60));
  let w17 = data[k + 17u]; let w18 = data[k + 18u];
  a8 ^= Lane(padded(word(w16, w17, s), n - 64), padded(word(w17, w18, s), n - 68));
  let w19 = data[k + 19u]; let w20 = data[k + 20u];
  a9 ^= Lane(padded(word(w18, w19, s), n - 72), padded(word(w19, w20, s), n - 76));
  let w21 = data[k + 21u]; let w22 = data[k + 22u];
  a10 ^= Lane(padded(word(w20, w21, s), n - 80), padded(word(w21, w22, s), n - 84));
  let w23 = data[k + 23u]; let w24 = data[k + 24u];
  a11 ^= Lane(padded(word(w22, w23, s), n - 88), padded(word(w23, w24, s), n - 92));
  let w25 = data[k + 25u]; let w26 = data[k + 26u];
  a12 ^= Lane(padded(word(w24, w25, s), n - 96), padded(word(w25, w26, s), n - 100));
  let w27 = data[k + 27u]; let w28 = data[k + 28u];
  a13 ^= Lane(padded(word(w26, w27, s), n - 104), padded(word(w27, w28, s), n - 108));
  let w29 = data[k + 29u]; let w30 = data[k + 30u];
  a14 ^= Lane(padded(word(w28, w29, s), n - 112), padded(word(w29, w30, s), n - 116));
  let w31 = data[k + 31u]; let w32 = data[k + 32u];
  a15 ^= Lane(padded(word(w30, w31, s), n - 120), padded(word(w31, w32, s), n - 124));
  let w33 = data[k + 33u]; let w34 = data[k + 34u];
  a16 ^= Lane(padded(word(w32, w33, s), n - 128), padded(word(w33, w34, s), n - 132));
  // Each select stands alone: naga's writer of MSL gives it no parentheses.
  let last = select(0u, 0x80000000u, n < 136);
  a16.y ^= last;
  let replaced = select(0u, 0xffu, prefix != 0u);
  a0.x ^= (word(w0, w1, s) ^ prefix) & replaced;
}

// round_constant returns what iota adds in round r. Bit 2^j-1 of it, for j from
// 0 to 6, is bit r of the j-th number below, and no other is set. This is
// cheaper than it looks, being the same for all invocations; an array at a
// variable index is not, and the compiler of gogpu/wgpu 0.31.5 reads it wrongly.
fn round_constant(r: u32) -> Lane {
  return Lane(
    ((0x50f4f1u >> r) & 1u) |
    (((0xdb916u >> r) & 1u) << 1u) |
    (((0x8c7f94u >> r) & 1u) << 3u) |
    (((0x327356u >> r) & 1u) << 7u) |
    (((0xb5d4deu >> r) & 1u) << 15u) |
    (((0xd81c68u >> r) & 1u) << 31u),
    ((0xbbe0ccu >> r) & 1u) << 31u);
}

// permute applies Keccak-f[1600] to the state.
fn permute() {
  for (var r = 0u; r < 24u; r++) {
    // theta
    let c0 = a0 ^ a5 ^ a10 ^ a15 ^ a20;
    let c1 = a1 ^ a6 ^ a11 ^ a16 ^ a21;
    let c2 = a2 ^ a7 ^ a12 ^ a17 ^ a22;
    let c3 = a3 ^ a8 ^ a13 ^ a18 ^ a23;
    let c4 = a4 ^ a9 ^ a14 ^ a19 ^ a24;
    let d0 = c4 ^ rol(c1, 1u);
    let d1 = c0 ^ rol(c2, 1u);
    let d2 = c1 ^ rol(c3, 1u);
    let d3 = c2 ^ rol(c4, 1u);
    let d4 = c3 ^ rol(c0, 1u);
    // rho and pi: lane (x+3y, x) goes to (x, y)
    let b0 = a0 ^ d0;
    let b1 = rol((a6 ^ d1).yx, 12u);
    let b2 = rol((a12 ^ d2).yx, 11u);
    let b3 = rol(a18 ^ d3, 21u);
    let b4 = rol(a24 ^ d4, 14u);
    let b5 = rol(a3 ^ d3, 28u);
    let b6 = rol(a9 ^ d4, 20u);
    let b7 = rol(a10 ^ d0, 3u);
    let b8 = rol((a16 ^ d1).yx, 13u);
    let b9 = rol((a22 ^ d2).yx, 29u);
    let b10 = rol(a1 ^ d1, 1u);
    let b11 = rol(a7 ^ d2, 6u);
    let b12 = rol(a13 ^ d3, 25u);
    let b13 = rol(a19 ^ d4, 8u);
    let b14 = rol(a20 ^ d0, 18u);
    let b15 = rol(a4 ^ d4, 27u);
    let b16 = rol((a5 ^ d0).yx, 4u);
    let b17 = rol(a11 ^ d1, 10u);
    let b18 = rol(a17 ^ d2, 15u);
    let b19 = rol((a23 ^ d3).yx, 24u);
    let b20 = rol((a2 ^ d2).yx, 30u);
    let b21 = rol((a8 ^ d3).yx, 23u);
    let b22 = rol((a14 ^ d4).yx, 7u);
    let b23 = rol((a15 ^ d0).yx, 9u);
    let b24 = rol(a21 ^ d1, 2u);
    // chi and iota
    a0 = b0 ^ (~b1 & b2) ^ round_constant(r);
    a1 = b1 ^ (~b2 & b3);
    a2 = b2 ^ (~b3 & b4);
    a3 = b3 ^ (~b4 & b0);
    a4 = b4 ^ (~b0 & b1);
    a5 = b5 ^ (~b6 & b7);
    a6 = b6 ^ (~b7 & b8);
    a7 = b7 ^ (~b8 & b9);
    a8 = b8 ^ (~b9 & b5);
    a9 = b9 ^ (~b5 & b6);
    a10 = b10 ^ (~b11 & b12);
    a11 = b11 ^ (~b12 & b13);
    a12 = b12 ^ (~b13 & b14);
    a13 = b13 ^ (~b14 & b10);
    a14 = b14 ^ (~b10 & b11);
    a15 = b15 ^ (~b16 & b17);
    a16 = b16 ^ (~b17 & b18);
    a17 = b17 ^ (~b18 & b19);
    a18 = b18 ^ (~b19 & b15);
    a19 = b19 ^ (~b15 & b16);
    a20 = b20 ^ (~b21 & b22);
    a21 = b21 ^ (~b22 & b23);
    a22 = b22 ^ (~b23 & b24);
    a23 = b23 ^ (~b24 & b20);
    a24 = b24 ^ (~b20 & b21);
  }
}
