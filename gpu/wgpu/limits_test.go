package wgpu

import (
	"math"
	"testing"

	"github.com/gogpu/gputypes"
	"github.com/stretchr/testify/require"
)

func TestLimits(t *testing.T) {
	for _, c := range []struct {
		what            string
		api             string
		binding, buffer uint64
		want            int
	}{
		{"WebGPU's defaults", "DX12", 128 << 20, 256 << 20, 128 << 20},
		{"a small buffer", "Metal", 128 << 20, 64 << 20, 64 << 20},
		{"a default that is no limit", vulkan, 1 << 30, 256 << 20, 1 << 30},
		{"4 GiB", vulkan, math.MaxUint32, 256 << 20, maxBytes},
		{"just more than 4 GiB", "Metal", 1<<32 + 4, 1<<32 + 4, maxBytes},
		{"everything", "Metal", math.MaxUint64, math.MaxUint64, maxBytes},
		{"no multiple of 4", "Metal", 1<<20 + 3, math.MaxUint64, 1 << 20},
	} {
		l := gputypes.DefaultLimits()
		l.MaxStorageBufferBindingSize, l.MaxBufferSize = c.binding, c.buffer
		require.Equal(t, c.want, limits(l, c.api).MaxBufferSize, c.what)
	}
	l := gputypes.DefaultLimits()
	l.MaxComputeWorkgroupsPerDimension = math.MaxInt32
	l.MaxStorageBuffersPerShaderStage = 1 << 20
	l.MaxComputeWorkgroupStorageSize = math.MaxUint32
	got := limits(l, vulkan)
	require.EqualValues(t, 65535, got.MaxGroups)
	require.Equal(t, 29, got.MaxBindings)
	require.Equal(t, maxBytes, got.MaxGroupMemory)
}
