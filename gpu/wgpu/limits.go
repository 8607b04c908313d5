package wgpu

import (
	"github.com/gogpu/gputypes"

	"github.com/crosspoint-kernels/crosspoint/gpu"
)

const (
	// maxBytes keeps every size and offset within an int32, and away from the
	// 2^32 at which backends have been seen to wrap silently.
	maxBytes = 1<<31 - 4

	// maxSlots bounds the storage buffers of a kernel. Metal has 31 buffer slots
	// in all; the parameters take one and the compiler one for array lengths.
	maxSlots = 29
)

// limits converts those that the adapter reports.
func limits(l gputypes.Limits) gpu.Limits {
	return gpu.Limits{
		MaxBufferSize:  int(min(l.MaxStorageBufferBindingSize, l.MaxBufferSize, maxBytes)) &^ 3,
		MaxGroups:      l.MaxComputeWorkgroupsPerDimension,
		MaxGroupSize:   l.MaxComputeInvocationsPerWorkgroup,
		MaxGroupMemory: int(min(l.MaxComputeWorkgroupStorageSize, maxBytes)),
		MaxBindings:    int(min(l.MaxStorageBuffersPerShaderStage, l.MaxBindingsPerBindGroup-1, maxSlots)),
	}
}
