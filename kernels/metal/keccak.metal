// Keccak-256, one message to a thread: keccak.go says what the parameters mean.
//
// A message is taken where it lies, at any byte of data, and padded on the way:
// what is read beyond its end, up to 140 bytes, is masked out. So is what is read
// before a message with a prefix. The 25 lanes of the state are at constant
// indices throughout, so that compilers keep them in registers.
#include "field.h" // for INLINE

namespace crosspoint {

// What iota adds in each round.
constant ulong ROUND_CONSTANTS[24] = {
    0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000,
    0x000000000000808b, 0x0000000080000001, 0x8000000080008081, 0x8000000000008009,
    0x000000000000008a, 0x0000000000000088, 0x0000000080008009, 0x000000008000000a,
    0x000000008000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003,
    0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
    0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008,
};

// RATE is the length of a block in bytes.
#define RATE 136u

// rol rotates a lane to the left by n in [1, 63].
INLINE ulong rol(ulong v, uint n) { return (v << n) | (v >> (64 - n)); }

// permute applies Keccak-f[1600] to the state. Lane (x, y) is a[5y+x].
INLINE void permute(thread ulong *a) {
  for (uint r = 0; r < 24; r++) {
    // theta
    const ulong c0 = a[0] ^ a[5] ^ a[10] ^ a[15] ^ a[20];
    const ulong c1 = a[1] ^ a[6] ^ a[11] ^ a[16] ^ a[21];
    const ulong c2 = a[2] ^ a[7] ^ a[12] ^ a[17] ^ a[22];
    const ulong c3 = a[3] ^ a[8] ^ a[13] ^ a[18] ^ a[23];
    const ulong c4 = a[4] ^ a[9] ^ a[14] ^ a[19] ^ a[24];
    const ulong d0 = c4 ^ rol(c1, 1);
    const ulong d1 = c0 ^ rol(c2, 1);
    const ulong d2 = c1 ^ rol(c3, 1);
    const ulong d3 = c2 ^ rol(c4, 1);
    const ulong d4 = c3 ^ rol(c0, 1);
    // rho and pi: lane (x+3y, x) goes to (x, y)
    const ulong b0 = a[0] ^ d0;
    const ulong b1 = rol(a[6] ^ d1, 44);
    const ulong b2 = rol(a[12] ^ d2, 43);
    const ulong b3 = rol(a[18] ^ d3, 21);
    const ulong b4 = rol(a[24] ^ d4, 14);
    const ulong b5 = rol(a[3] ^ d3, 28);
    const ulong b6 = rol(a[9] ^ d4, 20);
    const ulong b7 = rol(a[10] ^ d0, 3);
    const ulong b8 = rol(a[16] ^ d1, 45);
    const ulong b9 = rol(a[22] ^ d2, 61);
    const ulong b10 = rol(a[1] ^ d1, 1);
    const ulong b11 = rol(a[7] ^ d2, 6);
    const ulong b12 = rol(a[13] ^ d3, 25);
    const ulong b13 = rol(a[19] ^ d4, 8);
    const ulong b14 = rol(a[20] ^ d0, 18);
    const ulong b15 = rol(a[4] ^ d4, 27);
    const ulong b16 = rol(a[5] ^ d0, 36);
    const ulong b17 = rol(a[11] ^ d1, 10);
    const ulong b18 = rol(a[17] ^ d2, 15);
    const ulong b19 = rol(a[23] ^ d3, 56);
    const ulong b20 = rol(a[2] ^ d2, 62);
    const ulong b21 = rol(a[8] ^ d3, 55);
    const ulong b22 = rol(a[14] ^ d4, 39);
    const ulong b23 = rol(a[15] ^ d0, 41);
    const ulong b24 = rol(a[21] ^ d1, 2);
    // chi and iota
    a[0] = b0 ^ (~b1 & b2) ^ ROUND_CONSTANTS[r];
    a[1] = b1 ^ (~b2 & b3);
    a[2] = b2 ^ (~b3 & b4);
    a[3] = b3 ^ (~b4 & b0);
    a[4] = b4 ^ (~b0 & b1);
    a[5] = b5 ^ (~b6 & b7);
    a[6] = b6 ^ (~b7 & b8);
    a[7] = b7 ^ (~b8 & b9);
    a[8] = b8 ^ (~b9 & b5);
    a[9] = b9 ^ (~b5 & b6);
    a[10] = b10 ^ (~b11 & b12);
    a[11] = b11 ^ (~b12 & b13);
    a[12] = b12 ^ (~b13 & b14);
    a[13] = b13 ^ (~b14 & b10);
    a[14] = b14 ^ (~b10 & b11);
    a[15] = b15 ^ (~b16 & b17);
    a[16] = b16 ^ (~b17 & b18);
    a[17] = b17 ^ (~b18 & b19);
    a[18] = b18 ^ (~b19 & b15);
    a[19] = b19 ^ (~b15 & b16);
    a[20] = b20 ^ (~b21 & b22);
    a[21] = b21 ^ (~b22 & b23);
    a[22] = b22 ^ (~b23 & b24);
    a[23] = b23 ^ (~b24 & b20);
    a[24] = b24 ^ (~b20 & b21);
  }
}

// padded returns w, of which the first left bytes are the message's, with the
// domain byte after its end and zeros after that. Left may be of any sign.
INLINE ulong padded(ulong w, int left) {
  const ulong end = ulong(1) << ((8 * uint(left)) & 63u);
  return left >= 8 ? w : (left >= 0 ? (w & (end - 1)) | end : 0);
}

// absorb adds the block of data that begins at byte at to the state. Of the
// message n bytes are left; if they don't fill the block, the padding ends it.
// A prefix other than 0 puts its low byte in the place of the block's first.
INLINE void absorb(thread ulong *a, device const uint *data, uint at, int n, uint prefix) {
  device const uint *from = data + at / 4;
  const uint shift = 8 * (at & 3u);
  uint low = from[0];
  // The first byte is in the low word, whose place it takes.
  low = prefix == 0 ? low : (low & ~(0xffu << shift)) | ((prefix & 0xffu) << shift);
#pragma unroll
  for (int k = 0; k < 17; k++) {
    const uint middle = from[2 * k + 1];
    const uint high = from[2 * k + 2];
    const ulong words = ulong(middle) << 32 | low;
    const ulong lane = (words >> shift) | ((ulong(high) << 1) << (63 - shift));
    a[k] ^= padded(lane, n - 8 * k);
    low = high;
  }
  a[16] ^= n < 136 ? 0x8000000000000000 : 0;
}

// sponge absorbs left bytes that begin at byte at, and a byte before them where
// prefix is 256 and more. It pads the message unless more of it follows: more is
// 1 then, and what is here is whole blocks.
INLINE void sponge(thread ulong *a, device const uint *data, uint at, uint left, uint more, uint prefix) {
  at -= prefix >> 8;
  left += prefix >> 8;
  while (true) {
    absorb(a, data, at, int(left), prefix);
    permute(a);
    if (left < RATE + more) {
      return;
    }
    at += RATE;
    left -= RATE;
    prefix = 0;
  }
}

} // namespace crosspoint

// HASH_GROUP is the size of a threadgroup of keccak_hash.
#define HASH_GROUP 64u

// keccak_hash hashes message i in thread i.
[[max_total_threads_per_threadgroup(HASH_GROUP)]]
kernel void keccak_hash(device ulong *digests [[buffer(0)]], device const uint *data [[buffer(1)]],
                        device const uint *places [[buffer(2)]], constant uint *params [[buffer(3)]],
                        uint3 group [[threadgroup_position_in_grid]], uint3 grid [[threadgroups_per_grid]],
                        uint local [[thread_index_in_threadgroup]]) {
  const uint count = params[0], base = params[1], width = params[2], out = params[3];
  const uint prefix = params[4], ragged = params[5], lone = params[6];
  const uint i = (group.x + group.y * grid.x) * HASH_GROUP + local;
  if (i >= count) {
    if (i < lone) { // a node without a neighbour is promoted
      device const uint *from = data + (base + i * width) / 4;
      device ulong *to = digests + 4 * ulong(out + i);
      for (uint k = 0; k < 4; k++) {
        to[k] = ulong(from[2 * k + 1]) << 32 | from[2 * k];
      }
    }
    return;
  }
  uint message = i, at = base + i * width, left = width;
  if (i < ragged) {
    message = places[i];
    const uint offset = places[count + message];
    at = base + offset;
    left = places[count + message + 1] - offset;
  }
  ulong a[25] = {};
  crosspoint::sponge(a, data, at, left, 0, prefix);
  device ulong *to = digests + 4 * ulong(out + message);
  to[0] = a[0];
  to[1] = a[1];
  to[2] = a[2];
  to[3] = a[3];
}

// keccak_stream absorbs a piece of a message in one thread. The state stays in
// memory until the next piece, and its first lanes end as the digest.
kernel void keccak_stream(device ulong *digests [[buffer(0)]], device const uint *data [[buffer(1)]],
                          constant uint *params [[buffer(2)]],
                          uint3 group [[threadgroup_position_in_grid]]) {
  if (group.x + group.y + group.z != 0) {
    return;
  }
  const uint left = params[0], more = params[1], base = params[2], prefix = params[4];
  const ulong keep = ulong(params[5]) << 32 | params[5];
  device ulong *state = digests + 4 * ulong(params[3]);
  ulong a[25];
#pragma unroll
  for (uint k = 0; k < 25; k++) {
    a[k] = state[k] & keep;
  }
  crosspoint::sponge(a, data, base, left, more, prefix);
#pragma unroll
  for (uint k = 0; k < 25; k++) {
    state[k] = a[k];
  }
}
