// Reverses the words of each group by way of threadgroup memory. Without its
// barrier, which a test leaves out, it is a race.

#include <metal_stdlib>
using namespace metal;

kernel void reverse(device ulong *data [[buffer(0)]], constant uint &shift [[buffer(1)]],
                    threadgroup ulong *x [[threadgroup(0)]], uint i [[thread_index_in_threadgroup]],
                    uint at [[thread_position_in_grid]], uint threads [[threads_per_threadgroup]]) {
	x[i] = data[at];
#ifndef WITHOUT_BARRIER
	threadgroup_barrier(mem_flags::mem_threadgroup);
#endif
	data[at] = x[threads - 1 - i] + (1 << shift);
}

// The same with memory that the kernel declares.
kernel void reverse_static(device ulong *data [[buffer(0)]], constant uint &shift [[buffer(1)]],
                           uint i [[thread_index_in_threadgroup]], uint at [[thread_position_in_grid]],
                           uint threads [[threads_per_threadgroup]]) {
	threadgroup ulong x[64];
	x[i] = data[at];
#ifndef WITHOUT_BARRIER
	threadgroup_barrier(mem_flags::mem_threadgroup);
#endif
	data[at] = x[threads - 1 - i] + (1 << shift);
}
