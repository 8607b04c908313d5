package gputest

import "github.com/crosspoint-kernels/crosspoint/gpu"

// Programs are the kernels that the suite runs, in the language of the device
// under test. All words are 32 bits and all arithmetic is modulo 2^32; p is the
// array of parameters; i is the invocation's number along x.
type Programs struct {
	// Affine: d[i] = d[i]*p[0] + p[1] for i < p[2]; d is ReadWrite.
	Affine gpu.Source
	// Combine: out[i] = a[i]*p[0] + b[i] for i < p[1]; a and b are ReadOnly, out
	// is ReadWrite.
	Combine gpu.Source
	// Echo: d[8*p[0] + j] = p[j] for every j; d is ReadWrite. One invocation a
	// group.
	Echo gpu.Source
	// Grid: d[x + X*(y + Y*z)] = x + 256*y + 65536*z for group (x, y, z) of
	// (X, Y, Z); d is ReadWrite. One invocation a group.
	Grid gpu.Source
	// Exchange: each group loads its words of d to memory of its own; then
	// ExchangeRounds times, with a barrier around each, every invocation takes
	// the word of the one that mirrors it, plus its own number within the group;
	// then it stores them. d is ReadWrite.
	Exchange gpu.Source
	// Spin: d[i mod 64] = the p[0]th iterate of x -> x*1664525 + 1013904223 from
	// i mod 64; d is ReadWrite.
	Spin gpu.Source
	// Hosted: each group loads its words of d to group memory of 256 bytes that
	// the host sets; after a barrier invocation l takes the word of the one that
	// mirrors it, times constant l mod 3 of three of 64 bits, shifted right by 32,
	// plus p[0]. d is ReadWrite. It has no entry for a device that takes neither
	// constants nor group memory of the host's, which then must refuse them.
	Hosted gpu.Source
	// Broken does not compile.
	Broken gpu.Source
}

// ExchangeRounds is how often Exchange mirrors. It is odd, so that the words
// don't come back to where they were.
const ExchangeRounds = 5

// groupSize is the number of invocations along x of those programs that have
// more than one.
const groupSize = 64

// WGSL returns the programs for a WebGPU device.
func WGSL() Programs {
	source := func(name, body string, width uint32, access ...gpu.Access) gpu.Source {
		return gpu.Source{
			Name: name, Text: body, Entry: name, Access: access,
			GroupSize: [3]uint32{width, 1, 1},
		}
	}
	const ro, rw = gpu.ReadOnly, gpu.ReadWrite
	return Programs{
		Affine:   source("affine", wgslWords+wgslParams1+wgslAffine, groupSize, rw),
		Combine:  source("combine", wgslCombine, groupSize, ro, ro, rw),
		Echo:     source("echo", wgslWords+wgslParams1+wgslEcho, 1, rw),
		Grid:     source("grid", wgslWords+wgslGrid, 1, rw),
		Exchange: source("exchange", wgslWords+wgslExchange, groupSize, rw),
		Spin:     source("spin", wgslWords+wgslParams1+wgslSpin, groupSize, rw),
		Broken:   source("broken", wgslWords+wgslBroken, 1, rw),
	}
}

const wgslWords = `
@group(0) @binding(0) var<storage, read_write> d: array<u32>;
`

const wgslParams1 = `
struct Params { a: vec4<u32>, b: vec4<u32> }
@group(0) @binding(1) var<uniform> p: Params;
`

const wgslAffine = `
@compute @workgroup_size(64)
fn affine(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x < p.a.z) { d[id.x] = d[id.x] * p.a.x + p.a.y; }
}
`

const wgslCombine = `
struct Params { a: vec4<u32>, b: vec4<u32> }
@group(0) @binding(0) var<storage, read> a: array<u32>;
@group(0) @binding(1) var<storage, read> b: array<u32>;
@group(0) @binding(2) var<storage, read_write> o: array<u32>;
@group(0) @binding(3) var<uniform> p: Params;
@compute @workgroup_size(64)
fn combine(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x < p.a.y) { o[id.x] = a[id.x] * p.a.x + b[id.x]; }
}
`

const wgslEcho = `
@compute @workgroup_size(1)
fn echo() {
    let at = 8u * p.a.x;
    d[at] = p.a.x;
    d[at + 1u] = p.a.y;
    d[at + 2u] = p.a.z;
    d[at + 3u] = p.a.w;
    d[at + 4u] = p.b.x;
    d[at + 5u] = p.b.y;
    d[at + 6u] = p.b.z;
    d[at + 7u] = p.b.w;
}
`

const wgslGrid = `
@compute @workgroup_size(1)
fn grid(@builtin(workgroup_id) g: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>) {
    d[g.x + n.x * (g.y + n.y * g.z)] = g.x + 256u * g.y + 65536u * g.z;
}
`

const wgslExchange = `
var<workgroup> tile: array<u32, 64>;
@compute @workgroup_size(64)
fn exchange(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    var x = d[id.x];
    for (var round = 0u; round < 5u; round++) {
        tile[l] = x;
        workgroupBarrier();
        x = tile[63u - l] + l;
        workgroupBarrier();
    }
    d[id.x] = x;
}
`

const wgslSpin = `
@compute @workgroup_size(64)
fn spin(@builtin(global_invocation_id) id: vec3<u32>) {
    var x = id.x % 64u;
    for (var i = 0u; i < p.a.x; i++) { x = x * 1664525u + 1013904223u; }
    d[id.x % 64u] = x;
}
`

const wgslBroken = `
@compute @workgroup_size(1)
fn broken() {
    d[0] = no_such_name;
}
`
