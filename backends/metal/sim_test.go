//go:build metalsim && cgo

package metal_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/backends/metal"
	"github.com/crosspoint-kernels/crosspoint/internal/metalsim"
	"github.com/crosspoint-kernels/crosspoint/keccak"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// made is what a call makes of Metal's objects, by class.
func made() map[string]int {
	m := map[string]int{}
	for _, class := range []string{
		"MTLDevice", "MTLBuffer", "MTLLibrary", "MTLFunction", "MTLComputePipelineState",
		"MTLCommandQueue", "MTLCommandBuffer", "MTLComputeCommandEncoder", "MTLBlitCommandEncoder",
	} {
		if n := metalsim.Made(class); n != 0 {
			m[class] = n
		}
	}
	return m
}

// TestObjects: a chunk of rows is one command buffer with one encoder, and
// nothing else is made for a call once there was one like it.
func TestObjects(t *testing.T) {
	p := plan(t, "pulsar")
	for _, n := range []int{1, 70, 1024, 2688, 9000} {
		if testing.Short() && n > 2688 {
			continue
		}
		s := rows(p.Ring(), n)
		calls := map[string]func(context.Context) error{
			"forward":    func(ctx context.Context) error { return p.Forward(ctx, s, s) },
			"muladdmont": func(ctx context.Context) error { return p.MulAddMont(ctx, s, s, s) },
		}
		for what, call := range calls {
			require.NoError(t, call(t.Context()))
			chunks := 0
			ctx := backends.WithTiming(context.Background(), func(t backends.Timing) { chunks = t.Chunks })
			metalsim.Reset()
			require.NoError(t, call(ctx))
			require.Positive(t, chunks)
			require.Equal(t, map[string]int{"MTLCommandBuffer": chunks, "MTLComputeCommandEncoder": chunks}, made(),
				"%s of %d rows", what, n)
		}
	}
}

// TestObjectsOfBatches: the operations of a chain are a command buffer each, and
// to read its rows takes none.
func TestObjectsOfBatches(t *testing.T) {
	p := plan(t, "pulsar")
	ctx, s := t.Context(), rows(p.Ring(), 64)
	b, err := p.NewBatch(64)
	require.NoError(t, err)
	defer b.Release()
	chain := func() {
		require.NoError(t, b.Write(ctx, 0, s))
		require.NoError(t, b.Forward(ctx, 0, 64))
		require.NoError(t, b.MForm(ctx, 0, 64))
		require.NoError(t, b.Read(ctx, 0, s))
	}
	chain()
	metalsim.Reset()
	chain()
	require.Equal(t, map[string]int{"MTLCommandBuffer": 2, "MTLComputeCommandEncoder": 2}, made())
}

// TestObjectsOfHashes: a chunk of messages is one command buffer. Where chunks
// follow each other their digests, and all messages but the first, are copied.
func TestObjectsOfHashes(t *testing.T) {
	h, err := open(t).Keccak()
	require.NoError(t, err)
	defer h.Close()
	for _, n := range []int{1, 1000, 300000} {
		dst, data := make([][32]byte, n), make([]byte, 32*n)
		require.NoError(t, h.SumFixed(t.Context(), dst, data, 32))
		chunks := 0
		ctx := backends.WithTiming(context.Background(), func(t backends.Timing) { chunks = t.Chunks })
		metalsim.Reset()
		require.NoError(t, h.SumFixed(ctx, dst, data, 32))
		m := made()
		require.Equal(t, chunks, m["MTLCommandBuffer"], "%d messages", n)
		require.Equal(t, chunks, m["MTLComputeCommandEncoder"], "%d messages", n)
		require.LessOrEqual(t, m["MTLBlitCommandEncoder"], 2*chunks, "%d messages", n)
		delete(m, "MTLCommandBuffer")
		delete(m, "MTLComputeCommandEncoder")
		delete(m, "MTLBlitCommandEncoder")
		require.Empty(t, m, "%d messages", n)
	}
}

// TestLost: a device that is lost under a call is ErrDeviceLost, and the rows that
// are not final are untouched.
func TestLost(t *testing.T) {
	defer metalsim.Reset()
	for _, code := range []metalsim.Code{metalsim.DeviceRemoved, metalsim.AccessRevoked, metalsim.PageFault, metalsim.Timeout} {
		b, err := metal.Open(backends.Options{AllowSoftware: true})
		require.NoError(t, err)
		r, err := ntt.Parse("pulsar")
		require.NoError(t, err)
		p, err := b.NTT(r)
		require.NoError(t, err)
		const n = 9000
		src, got := rows(r, n), make([]uint64, n*r.N())
		want := make([]uint64, len(src))
		r.ForwardReduced(want, src)
		metalsim.Reset()
		metalsim.FailCommandBuffer(2, code)
		err = p.Forward(t.Context(), got, src)
		require.ErrorIs(t, err, backends.ErrDeviceLost, "code %d", code)
		var e *backends.Error
		require.ErrorAs(t, err, &e)
		require.Less(t, e.Done, n)
		final := e.Done * r.N()
		require.True(t, slices.Equal(want[:final], got[:final]))
		require.False(t, slices.ContainsFunc(got[final:], func(x uint64) bool { return x != 0 }))
		require.ErrorIs(t, p.Forward(t.Context(), got, src), backends.ErrDeviceLost)
		require.NoError(t, p.Close())
		require.NoError(t, b.Close())
		metalsim.Reset()
	}
}

// TestSimulatorIsNoGPU: the simulator is opened only for who takes software, and
// is called what it is.
func TestSimulatorIsNoGPU(t *testing.T) {
	_, err := metal.Open(backends.Options{})
	require.ErrorIs(t, err, backends.ErrUnavailable)
	require.ErrorContains(t, err, "simulator")
	info := open(t).Info()
	require.True(t, info.Software)
	require.Contains(t, info.Device, "simulator")
	require.Contains(t, info.Driver, "simulator")
}

// TestHashersAgree hashes messages of any lengths, the longest beyond one
// dispatch.
func TestHashersAgree(t *testing.T) {
	h, err := open(t).Keccak()
	require.NoError(t, err)
	defer h.Close()
	m := keccak.Messages{Off: []uint32{0}}
	for _, n := range []int{0, 1, 135, 136, 137, 271, 272, 1000, 136 * 1024, 136*1024 + 1, 300000} {
		for i := range n {
			m.Data = append(m.Data, byte(i*i+n))
		}
		m.Off = append(m.Off, uint32(len(m.Data)))
	}
	got := make([][32]byte, len(m.Off)-1)
	require.NoError(t, h.Sum256(t.Context(), got, m))
	for i := range got {
		require.Equal(t, keccak.Sum256(m.At(i)), got[i], "message %d", i)
	}
}
