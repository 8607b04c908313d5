package wgpu

import (
	"github.com/gogpu/gputypes"

	"github.com/crosspoint-kernels/crosspoint/gpu"
)

const (
	// maxBytes keeps every size and offset within an int32, and away from the
	// 2^32 at which backends have been seen to wrap silently.
	maxBytes = 1<<31 - 4

	// maxGroups is WebGPU's own limit. Vulkan reports that of the x dimension,
	// which is often far above those of y and z.
	maxGroups = 65535

	// maxSlots bounds the storage buffers of a kernel. Metal has 31 buffer slots
	// in all; the parameters take one and the compiler one for array lengths.
	maxSlots = 29
)

// limits converts those that an adapter of that API reports.
func limits(l gputypes.Limits, api string) gpu.Limits {
	size := min(l.MaxStorageBufferBindingSize, maxBytes)
	if api != vulkan {
		// For Vulkan this is not the driver's limit but WebGPU's default; memory
		// that the driver does not have is refused when it is asked for.
		size = min(size, l.MaxBufferSize)
	}
	return gpu.Limits{
		MaxBufferSize:  int(size) &^ 3,
		MaxGroups:      min(l.MaxComputeWorkgroupsPerDimension, maxGroups),
		MaxGroupSize:   l.MaxComputeInvocationsPerWorkgroup,
		MaxGroupMemory: int(min(l.MaxComputeWorkgroupStorageSize, maxBytes)),
		MaxBindings:    int(min(l.MaxStorageBuffersPerShaderStage, l.MaxBindingsPerBindGroup-1, maxSlots)),
	}
}
