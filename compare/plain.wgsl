// The plain kernel: what 32-bit emulation of a 64-bit NTT usually looks like,
// kept as a rival. One workgroup of 128 invocations per polynomial of 256
// coefficients, a barrier after each of the eight stages, canonical residues
// throughout, Shoup multiplication by 2^64 on two 32-bit limbs.

struct Params {
  rows: u32,
  reserved0: u32,
  q: vec2<u32>,
  reserved1: vec4<u32>,
}

// A 64-bit number is vec2<u32>(low, high); a twiddle is (w, floor(w*2^64/q)).
@group(0) @binding(0) var<storage, read_write> data: array<vec2<u32>>;
@group(0) @binding(1) var<storage, read> twiddles: array<vec4<u32>>;
@group(0) @binding(2) var<uniform> params: Params;

var<workgroup> row: array<vec2<u32>, 256>;

fn add(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  let low = a.x + b.x;
  return vec2<u32>(low, a.y + b.y + u32(low < a.x));
}

fn sub(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  return vec2<u32>(a.x - b.x, a.y - b.y - u32(a.x < b.x));
}

// [0, 2q) to [0, q).
fn reduce_once(a: vec2<u32>) -> vec2<u32> {
  let less = a.y < params.q.y || (a.y == params.q.y && a.x < params.q.x);
  return select(sub(a, params.q), a, less);
}

// The full product of two words, by halves.
fn mul_wide(a: u32, b: u32) -> vec2<u32> {
  let a0 = a & 0xffffu;
  let a1 = a >> 16u;
  let b0 = b & 0xffffu;
  let b1 = b >> 16u;
  let low = a0 * b0;
  let mid = a1 * b0 + (low >> 16u);
  let mid2 = a0 * b1 + (mid & 0xffffu);
  return vec2<u32>((mid2 << 16u) | (low & 0xffffu), a1 * b1 + (mid >> 16u) + (mid2 >> 16u));
}

fn mul_low(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  let p = mul_wide(a.x, b.x);
  return vec2<u32>(p.x, p.y + a.x * b.y + a.y * b.x);
}

fn mul_high(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  let ll = mul_wide(a.x, b.x);
  let lh = add(mul_wide(a.x, b.y), vec2<u32>(ll.y, 0u));
  let hl = add(mul_wide(a.y, b.x), vec2<u32>(lh.x, 0u));
  return add(mul_wide(a.y, b.y), add(vec2<u32>(lh.y, 0u), vec2<u32>(hl.y, 0u)));
}

// x*w mod q, for x in [0, q).
fn mul_twiddle(x: vec2<u32>, t: vec4<u32>) -> vec2<u32> {
  let quotient = mul_high(x, t.zw);
  return reduce_once(sub(mul_low(x, t.xy), mul_low(quotient, params.q)));
}

@compute @workgroup_size(128)
fn forward(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  let index = group.x + group.y * groups.x;
  let live = index < params.rows;
  let base = select(0u, index, live) * 256u;
  row[lane] = data[base + lane];
  row[lane + 128u] = data[base + lane + 128u];
  workgroupBarrier();
  var span = 128u;
  for (var blocks = 1u; blocks < 256u; blocks = blocks * 2u) {
    let block = lane / span;
    let i = block * span + lane; // 2*span*block + lane%span
    let u = row[i];
    let v = mul_twiddle(row[i + span], twiddles[blocks + block]);
    row[i] = reduce_once(add(u, v));
    row[i + span] = reduce_once(sub(add(u, params.q), v));
    workgroupBarrier();
    span = span / 2u;
  }
  if (live) {
    data[base + lane] = row[lane];
    data[base + lane + 128u] = row[lane + 128u];
  }
}
