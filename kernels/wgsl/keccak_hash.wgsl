// Keccak-256 of many messages, one to an invocation.
//
// Two habits of lavapipe, the CPU device, shape what follows. For each value of a
// uniform that alone decides a branch it compiles a kernel anew, at every
// dispatch: so conditions compare counts with the invocation's number, where a
// flag would do. And it runs the body of a loop once more than asked where the
// condition stands at the top.

struct Params {
  count: u32,  // messages
  base: u32,   // the byte of data from which messages count
  width: u32,  // message i has width bytes and begins at byte i*width
  out: u32,    // the index in digests of message 0's
  prefix: u32, // 256 + a byte that goes before each message, or 0
  ragged: u32, // count, for messages placed by places rather than width, or 0
  lone: u32,   // count+1, for 32 bytes after the last message to be copied, or 0
  unused: u32,
}

@group(0) @binding(0) var<storage, read_write> digests: array<Lane>; // four to a digest
@group(0) @binding(1) var<storage, read> data: array<u32>;
@group(0) @binding(2) var<storage, read> places: array<u32>; // messages in the order of the work, then count+1 offsets
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(64)
fn keccak_hash(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) grid: vec3<u32>,
  @builtin(local_invocation_index) local: u32
) {
  let i = (group.x + group.y * grid.x) * 64u + local;
  if (i >= params.count) {
    if (i < params.lone) { promote(i); }
    return;
  }
  var message = i;
  var at = params.base + i * params.width;
  var left = params.width;
  if (i < params.ragged) {
    message = places[i];
    let offset = places[params.count + message];
    at = params.base + offset;
    left = places[params.count + message + 1u] - offset;
  }
  var prefix = params.prefix;
  at -= prefix >> 8u;
  left += prefix >> 8u;
  loop {
    absorb(at, i32(left), prefix);
    permute();
    if (left < 136u) { break; }
    at += 136u;
    left -= 136u;
    prefix = 0u;
  }
  let out = 4u * (params.out + message);
  digests[out] = a0;
  digests[out + 1u] = a1;
  digests[out + 2u] = a2;
  digests[out + 3u] = a3;
}

// promote copies the digest that lies where message i would: a node of a tree
// that has no neighbour.
fn promote(i: u32) {
  let src = (params.base + i * params.width) / 4u;
  let out = 4u * (params.out + i);
  digests[out] = Lane(data[src], data[src + 1u]);
  digests[out + 1u] = Lane(data[src + 2u], data[src + 3u]);
  digests[out + 2u] = Lane(data[src + 4u], data[src + 5u]);
  digests[out + 3u] = Lane(data[src + 6u], data[src + 7u]);
}
