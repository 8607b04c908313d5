// The plain forward transform, as a rival to measure against: one workgroup of
// 128 invocations and one butterfly each per polynomial of 256 coefficients,
// eight stages in workgroup memory with a barrier after each, 64-bit Shoup
// multiplication on 32-bit words with every value reduced.

struct Params { rows: u32, first: u32, q_lo: u32, q_hi: u32, p4: u32, p5: u32, p6: u32, p7: u32 }
@group(0) @binding(0) var<storage, read_write> data: array<vec2<u32>>;
@group(0) @binding(1) var<storage, read> table: array<vec4<u32>>; // w, floor(w*2^64/q)
@group(0) @binding(2) var<uniform> params: Params;

var<workgroup> row: array<vec2<u32>, 256>;

fn mul32(a: u32, b: u32) -> vec2<u32> {
  let p = (a & 0xffffu) * (b & 0xffffu);
  let m = (a >> 16u) * (b & 0xffffu) + (p >> 16u);
  let n = (a & 0xffffu) * (b >> 16u) + (m & 0xffffu);
  return vec2<u32>((n << 16u) | (p & 0xffffu), (a >> 16u) * (b >> 16u) + (m >> 16u) + (n >> 16u));
}

fn add64(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  let lo = a.x + b.x;
  return vec2<u32>(lo, a.y + b.y + select(0u, 1u, lo < a.x));
}

fn sub64(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  return vec2<u32>(a.x - b.x, a.y - b.y - select(0u, 1u, a.x < b.x));
}

fn low64(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  let p = mul32(a.x, b.x);
  return vec2<u32>(p.x, p.y + a.x * b.y + a.y * b.x);
}

fn high64(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  let lh = mul32(a.x, b.y);
  let hl = mul32(a.y, b.x);
  let m = add64(vec2<u32>(mul32(a.x, b.x).y, 0u), add64(vec2<u32>(lh.x, 0u), vec2<u32>(hl.x, 0u)));
  return add64(add64(mul32(a.y, b.y), vec2<u32>(lh.y, 0u)), add64(vec2<u32>(hl.y, 0u), vec2<u32>(m.y, 0u)));
}

// reduce takes x in [0, 2q) to [0, q).
fn reduce(x: vec2<u32>, q: vec2<u32>) -> vec2<u32> {
  return select(x, sub64(x, q), x.y > q.y || (x.y == q.y && x.x >= q.x));
}

@compute @workgroup_size(128)
fn plain(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) grid: vec3<u32>, @builtin(local_invocation_index) i: u32) {
  let q = vec2<u32>(params.q_lo, params.q_hi);
  let index = group.x + group.y * grid.x;
  if (index >= params.rows) { return; }
  let at = (params.first + index) * 256u;
  row[i] = data[at + i];
  row[i + 128u] = data[at + i + 128u];
  workgroupBarrier();
  for (var stage = 0u; stage < 8u; stage++) {
    let distance = 128u >> stage;
    let block = i / distance;
    let x = block * 2u * distance + i % distance;
    let w = table[(1u << stage) + block];
    let u = row[x];
    let y = row[x + distance];
    let t = reduce(sub64(low64(y, w.xy), low64(high64(y, w.zw), q)), q);
    row[x] = reduce(add64(u, t), q);
    row[x + distance] = reduce(sub64(add64(u, q), t), q);
    workgroupBarrier();
  }
  data[at + i] = row[i];
  data[at + i + 128u] = row[i + 128u];
}
