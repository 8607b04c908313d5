// Kernels that do what a test of the simulator needs, right and wrong.

#include <metal_stdlib>
using namespace metal;

constant uint step [[maybe_unused]] = 3;

struct Params {
	uint count, add;
};

kernel void affine(device ulong *data [[buffer(0)]], constant Params &p [[buffer(1)]],
                   uint i [[thread_position_in_grid]]) {
	if (i < p.count) {
		data[i] = data[i] * step + p.add;
	}
}

// One record per thread, at its place in the whole grid.
kernel void positions(device uint *out [[buffer(0)]], uint3 grid [[thread_position_in_grid]],
                      uint3 all [[threads_per_grid]], uint3 group [[threadgroup_position_in_grid]],
                      uint3 groups [[threadgroups_per_grid]], ushort3 place [[thread_position_in_threadgroup]],
                      uint3 size [[threads_per_threadgroup]], ushort index [[thread_index_in_threadgroup]]) {
	const uint at = (grid.z * all.y + grid.y) * all.x + grid.x;
	device uint *r = out + 8 * at;
	r[0] = group.x | group.y << 8 | group.z << 16;
	r[1] = place.x | place.y << 8 | place.z << 16;
	r[2] = index;
	r[3] = size.x | size.y << 8 | size.z << 16;
	r[4] = groups.x | groups.y << 8 | groups.z << 16;
	r[5] = all.x | all.y << 8 | all.z << 16;
	r[6] = at;
	r[7] = 7;
}

kernel void wide(device ulong4 *data [[buffer(0)]], uint i [[thread_position_in_grid]]) {
	data[i] = data[i] + 1;
}

// What threadgroup memory holds before it is written, and after.
kernel void poison(device ulong *data [[buffer(0)]], threadgroup ulong *x [[threadgroup(0)]],
                   uint i [[thread_index_in_threadgroup]], uint at [[thread_position_in_grid]]) {
	threadgroup ulong y[32];
	const ulong before = x[i] ^ y[i];
	x[i] = y[i] = at;
	threadgroup_barrier(mem_flags::mem_threadgroup);
	data[at] = before + x[31 - i] + y[i];
}

kernel void two_memories(threadgroup uint *x [[threadgroup(0)]], threadgroup uint *y [[threadgroup(1)]],
                         device uint *data [[buffer(0)]]) {
	x[0] = y[0] = data[0];
}

kernel void too_much(device uint *data [[buffer(0)]]) {
	threadgroup uint x[8193];
	x[0] = data[0];
}

[[max_total_threads_per_threadgroup(64)]] kernel void few(device uint *data [[buffer(0)]]) { data[0] = 1; }

kernel void some_return(device uint *data [[buffer(0)]], uint i [[thread_index_in_threadgroup]]) {
	if (i == 5) {
		return;
	}
	threadgroup_barrier(mem_flags::mem_device);
	data[i] = i;
}

kernel void two_barriers(device uint *data [[buffer(0)]], uint i [[thread_index_in_threadgroup]]) {
	if (i < 16) {
		data[i] = 1;
		threadgroup_barrier(mem_flags::mem_device);
	} else {
		data[i] = 2;
		threadgroup_barrier(mem_flags::mem_device);
	}
}

kernel void two_flags(device uint *data [[buffer(0)]], uint i [[thread_index_in_threadgroup]]) {
	threadgroup_barrier(i < 16 ? mem_flags::mem_device : mem_flags::mem_threadgroup);
	data[i] = i;
}

kernel void uneven_loop(device uint *data [[buffer(0)]], uint i [[thread_index_in_threadgroup]]) {
	for (uint k = 0; k < 1 + i % 2; k++) {
		threadgroup_barrier(mem_flags::mem_device);
		data[i] = k;
	}
}

kernel void uniform_loop(device uint *data [[buffer(0)]], uint i [[thread_index_in_threadgroup]],
                         uint threads [[threads_per_threadgroup]]) {
	for (uint k = 0; k < 5; k++) {
		const uint x = data[(i + 1) % threads];
		threadgroup_barrier(mem_flags::mem_device);
		data[i] = x;
		threadgroup_barrier(mem_flags::mem_device);
	}
}

// Reads or writes one word of data or of threadgroup memory.
struct Place {
	int word;
	uint write;
};

kernel void touch(device uint *data [[buffer(0)]], constant Place &p [[buffer(1)]]) {
	if (p.write != 0) {
		data[p.word] = 1;
	} else {
		data[0] = data[p.word];
	}
}

kernel void touch_memory(threadgroup uint *x [[threadgroup(0)]], constant Place &p [[buffer(1)]]) {
	volatile threadgroup uint *v = x;
	v[p.word] = 1;
}

kernel void touch_params(device uint *data [[buffer(0)]], constant uint *p [[buffer(1)]]) { data[0] = p[4]; }

kernel void divide(device uint *data [[buffer(0)]]) { data[0] = data[1] / data[2]; }

static uint deep(device uint *data, uint n) {
	volatile uint frame[256];
	frame[n % 256] = n;
	return n == 0 ? frame[0] : deep(data, n - 1) + frame[data[0] % 256];
}

kernel void recurse(device uint *data [[buffer(0)]]) { data[0] = deep(data, 1000); }
