package gputest

import (
	"encoding/binary"

	"github.com/crosspoint-kernels/crosspoint/gpu"
)

// MSL returns the programs for a Metal device. They are entries of one text, as
// real ones are, but for the one that does not compile.
func MSL() Programs {
	source := func(name string, width uint32, access ...gpu.Access) gpu.Source {
		return gpu.Source{
			Name: name, Text: mslText, Entry: name, Access: access,
			GroupSize: [3]uint32{width, 1, 1},
		}
	}
	const ro, rw = gpu.ReadOnly, gpu.ReadWrite
	hosted := source("hosted", groupSize, rw)
	hosted.GroupMemory = 4 * groupSize
	for _, c := range hostedConstants {
		hosted.Constants = binary.LittleEndian.AppendUint64(hosted.Constants, c)
	}
	broken := source("broken", 1, rw)
	broken.Text = mslHead + mslBroken
	return Programs{
		Affine:   source("affine", groupSize, rw),
		Combine:  source("combine", groupSize, ro, ro, rw),
		Echo:     source("echo", 1, rw),
		Grid:     source("grid", 1, rw),
		Exchange: source("exchange", groupSize, rw),
		Spin:     source("spin", groupSize, rw),
		Hosted:   hosted,
		Broken:   broken,
	}
}

const mslHead = `
#include <metal_stdlib>
using namespace metal;
`

const mslBroken = `
kernel void broken(device uint* d [[buffer(0)]]) {
    d[0] = no_such_name;
}
`

const mslText = mslHead + `
kernel void affine(device uint* d [[buffer(0)]], constant uint* p [[buffer(1)]],
                   uint i [[thread_position_in_grid]]) {
    if (i < p[2]) { d[i] = d[i] * p[0] + p[1]; }
}

kernel void combine(device const uint* a [[buffer(0)]], device const uint* b [[buffer(1)]],
                    device uint* o [[buffer(2)]], constant uint* p [[buffer(3)]],
                    uint i [[thread_position_in_grid]]) {
    if (i < p[1]) { o[i] = a[i] * p[0] + b[i]; }
}

kernel void echo(device uint* d [[buffer(0)]], constant uint* p [[buffer(1)]]) {
    for (uint j = 0; j < 8; j++) { d[8 * p[0] + j] = p[j]; }
}

kernel void grid(device uint* d [[buffer(0)]], uint3 g [[threadgroup_position_in_grid]],
                 uint3 n [[threadgroups_per_grid]]) {
    d[g.x + n.x * (g.y + n.y * g.z)] = g.x + 256 * g.y + 65536 * g.z;
}

kernel void exchange(device uint* d [[buffer(0)]], uint i [[thread_position_in_grid]],
                     uint l [[thread_index_in_threadgroup]]) {
    threadgroup uint tile[64];
    uint x = d[i];
    for (uint round = 0; round < 5; round++) {
        tile[l] = x;
        threadgroup_barrier(mem_flags::mem_threadgroup);
        x = tile[63 - l] + l;
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    d[i] = x;
}

kernel void spin(device uint* d [[buffer(0)]], constant uint* p [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
    uint x = i % 64;
    for (uint k = 0; k < p[0]; k++) { x = x * 1664525 + 1013904223; }
    d[i % 64] = x;
}

kernel void hosted(device uint* d [[buffer(0)]], constant uint* p [[buffer(1)]],
                   constant ulong* c [[buffer(2)]], threadgroup uint* tile [[threadgroup(0)]],
                   uint i [[thread_position_in_grid]], uint l [[thread_index_in_threadgroup]]) {
    tile[l] = d[i];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    d[i] = uint(ulong(tile[63 - l]) * c[l % 3] >> 32) + p[0];
}
`
