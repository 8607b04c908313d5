package wgpu

import (
	"bytes"
	"context"
	"testing"

	"github.com/gogpu/wgpu/hal"
	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/gpu"
)

// hush is a scene with a secret in its buffer that has also crossed to the host.
type hush struct {
	*scene
	leaks int  // bytes of the secret in what was looked at
	gone  bool // the buffer was destroyed
}

func newHush(t *testing.T, s *scene, o Options) *hush {
	h := &hush{scene: s}
	s.set(t, o)
	secret := bytes.Repeat([]byte{0x5a}, 256)
	require.NoError(t, s.buf.Write(0, secret))
	p, err := s.d.Submit(gpu.Work{Reads: s.work().Reads})
	require.NoError(t, err)
	require.NoError(t, p.Wait(context.Background()))
	require.Equal(t, secret, p.View(0))
	p.Release()
	target := s.buf.(*buffer).buf
	s.destroyed = func(b hal.Buffer) {
		if b == target {
			h.gone = true
			h.look(t, b, 256)
		}
	}
	return h
}

func (h *hush) look(t *testing.T, b hal.Buffer, n int) {
	mem, err := scriptDevice{h.Device, h.script}.bytes(b, uint64(n))
	require.NoError(t, err)
	h.leaks += bytes.Count(mem, []byte{0x5a})
}

// TestWipe shows that with Wipe no byte of a secret is left, neither in memory
// that goes back to the driver, released or not, nor in the pools.
func TestWipe(t *testing.T) {
	for _, wipe := range []bool{false, true} {
		for _, release := range []bool{false, true} {
			h := newHush(t, &scene{script: newScript()}, Options{Wipe: wipe})
			for _, c := range append(h.d.upload.all, h.d.download.all...) {
				h.look(t, c.buf, len(c.mem))
			}
			if release {
				h.bind.Release()
				h.buf.Release()
			}
			require.NoError(t, h.d.Close())
			require.True(t, h.gone)
			if wipe {
				require.Zero(t, h.leaks)
			} else {
				require.Equal(t, 3*256, h.leaks, "the test sees nothing")
			}
		}
	}
}

// TestWipeFails has each step of a wipe fail. The device is lost then, and the
// memory stays until the device is closed, which says that it was not wiped.
func TestWipeFails(t *testing.T) {
	for _, step := range []string{"encoder", "begin", "end", "submit"} {
		for _, release := range []bool{false, true} {
			h := newHush(t, &scene{script: newScript()}, Options{Wipe: true})
			if step == "encoder" {
				h.d.idle = nil // none is left to begin again
				h.made["encoder"] = 0
			}
			h.fail[step] = errDriver
			if release {
				h.bind.Release()
				h.buf.Release()
				require.False(t, h.gone, step)
				for what, err := range h.again() {
					require.ErrorIs(t, err, gpu.ErrLost, "%s after %s failed", what, step)
				}
			}
			requireError(t, h.d.Close(), gpu.ErrLost)
			require.True(t, h.gone)
			for what, n := range h.made {
				require.Zero(t, n, "live %ss after %s failed", what, step)
			}
		}
	}
}

// TestStagingWipeFails has the driver not take note of the zeros in memory that
// is not coherent.
func TestStagingWipeFails(t *testing.T) {
	for what, act := range map[string]func(h *hush){
		"a chunk goes back to its pool": func(h *hush) {
			p, err := h.d.Submit(h.work())
			require.NoError(t, err)
			require.NoError(t, p.Wait(context.Background()))
			h.fail["unmap"] = errDriver
			p.Release()
			require.ErrorIs(t, h.buf.Clear(), gpu.ErrLost)
		},
		"the device is closed": func(h *hush) { h.fail["unmap"] = errDriver },
	} {
		s := &scene{script: newScript()}
		s.incoherent = true
		h := newHush(t, s, Options{Wipe: true})
		act(h)
		err := h.d.Close()
		require.ErrorIs(t, err, gpu.ErrLost, what)
		requireError(t, err, gpu.ErrLost)
	}
}
