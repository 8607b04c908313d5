// Keccak-256 of a long message, some blocks at a time. The state stays on the
// device in between, and its first lanes end as the digest.

struct Params {
  left: u32,   // bytes of the message in data
  more: u32,   // 1 if the message goes on after them, which are whole blocks then
  base: u32,   // the byte of data at which they begin
  out: u32,    // the index in digests of the message's, where its state of 200 bytes begins
  prefix: u32, // 256 + a byte that goes before them, or 0
  keep: u32,   // 0 to begin with the state of an empty message, else all ones
  unused: vec2<u32>,
}

@group(0) @binding(0) var<storage, read_write> digests: array<Lane>; // four to a digest
@group(0) @binding(1) var<storage, read> data: array<u32>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(1)
fn keccak_stream() {
  let out = 4u * params.out;
  let keep = vec2<u32>(params.keep);
  a0 = digests[out] & keep;
  a1 = digests[out + 1u] & keep;
  a2 = digests[out + 2u] & keep;
  a3 = digests[out + 3u] & keep;
  a4 = digests[out + 4u] & keep;
  a5 = digests[out + 5u] & keep;
  a6 = digests[out + 6u] & keep;
  a7 = digests[out + 7u] & keep;
  a8 = digests[out + 8u] & keep;
  a9 = digests[out + 9u] & keep;
  a10 = digests[out + 10u] & keep;
  a11 = digests[out + 11u] & keep;
  a12 = digests[out + 12u] & keep;
  a13 = digests[out + 13u] & keep;
  a14 = digests[out + 14u] & keep;
  a15 = digests[out + 15u] & keep;
  a16 = digests[out + 16u] & keep;
  a17 = digests[out + 17u] & keep;
  a18 = digests[out + 18u] & keep;
  a19 = digests[out + 19u] & keep;
  a20 = digests[out + 20u] & keep;
  a21 = digests[out + 21u] & keep;
  a22 = digests[out + 22u] & keep;
  a23 = digests[out + 23u] & keep;
  a24 = digests[out + 24u] & keep;
  var prefix = params.prefix;
  var at = params.base - (prefix >> 8u);
  var left = params.left + (prefix >> 8u);
  loop {
    absorb(at, i32(left), prefix);
    permute();
    if (left < 136u + params.more) { break; }
    at += 136u;
    left -= 136u;
    prefix = 0u;
  }
  digests[out] = a0;
  digests[out + 1u] = a1;
  digests[out + 2u] = a2;
  digests[out + 3u] = a3;
  digests[out + 4u] = a4;
  digests[out + 5u] = a5;
  digests[out + 6u] = a6;
  digests[out + 7u] = a7;
  digests[out + 8u] = a8;
  digests[out + 9u] = a9;
  digests[out + 10u] = a10;
  digests[out + 11u] = a11;
  digests[out + 12u] = a12;
  digests[out + 13u] = a13;
  digests[out + 14u] = a14;
  digests[out + 15u] = a15;
  digests[out + 16u] = a16;
  digests[out + 17u] = a17;
  digests[out + 18u] = a18;
  digests[out + 19u] = a19;
  digests[out + 20u] = a20;
  digests[out + 21u] = a21;
  digests[out + 22u] = a22;
  digests[out + 23u] = a23;
  digests[out + 24u] = a24;
}
