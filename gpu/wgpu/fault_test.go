package wgpu

import (
	"context"
	"errors"
	"testing"

	"github.com/gogpu/gputypes"
	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/gpu"
	"github.com/crosspoint-kernels/crosspoint/gpu/gputest"
)

var errDriver = errors.New("the driver's own words")

// scene is a device over a script with one kernel bound to one buffer.
type scene struct {
	*script
	d    *device
	buf  gpu.Buffer
	kern gpu.Kernel
	bind gpu.Binding
}

func newScene(t *testing.T, o Options) *scene {
	s := &scene{script: newScript()}
	s.set(t, o)
	return s
}

func (s *scene) set(t *testing.T, o Options) {
	var err error
	s.d, err = s.open(o)
	require.NoError(t, err)
	s.buf, err = s.d.NewBuffer("scene", 256)
	require.NoError(t, err)
	s.kern, err = s.d.NewKernel(gputest.WGSL().Affine)
	require.NoError(t, err)
	s.bind, err = s.d.Bind(s.kern, s.buf)
	require.NoError(t, err)
}

func (s *scene) work() gpu.Work {
	return gpu.Work{
		Dispatches: []gpu.Dispatch{{Binding: s.bind, Groups: [3]uint32{1, 1, 1}}},
		Reads:      []gpu.Range{{Buffer: s.buf, Size: 256}},
	}
}

// again is every call that must report a device that is lost.
func (s *scene) again() map[string]error {
	_, newBuffer := s.d.NewBuffer("again", 4)
	_, newKernel := s.d.NewKernel(gputest.WGSL().Affine)
	_, bind := s.d.Bind(s.kern, s.buf)
	_, submit := s.d.Submit(s.work())
	return map[string]error{
		"NewBuffer": newBuffer, "NewKernel": newKernel, "Bind": bind, "Submit": submit,
		"Write": s.buf.Write(0, make([]byte, 4)), "Clear": s.buf.Clear(),
	}
}

func requireError(t *testing.T, err, kind error) {
	t.Helper()
	require.ErrorIs(t, err, kind)
	require.ErrorContains(t, err, errDriver.Error())
}

func TestDriverRefusesMemory(t *testing.T) {
	s := newScene(t, Options{})
	large, err := s.d.NewBuffer("large", 3<<20) // more than any chunk that there is
	require.NoError(t, err)
	s.fail["buffer"] = errDriver
	_, err = s.d.NewBuffer("refused", 4)
	requireError(t, err, gpu.ErrMemory)
	_, err = s.d.Submit(s.work())
	requireError(t, err, gpu.ErrMemory)
	requireError(t, large.Write(0, make([]byte, large.Size())), gpu.ErrMemory)
	s.fail["group"] = errDriver
	_, err = s.d.Bind(s.kern, s.buf)
	requireError(t, err, gpu.ErrMemory)

	clear(s.fail)
	p, err := s.d.Submit(s.work())
	require.NoError(t, err)
	require.NoError(t, p.Wait(context.Background()))
	require.NoError(t, s.d.Close())
}

func TestDriverRefusesKernel(t *testing.T) {
	s := newScene(t, Options{})
	before := s.made["layout"]
	for _, step := range []string{"module", "layout", "plumbing", "pipeline", "panic"} {
		s.fail[step] = errDriver
		_, err := s.d.NewKernel(gputest.WGSL().Affine)
		requireError(t, err, gpu.ErrCompile)
		delete(s.fail, step)
		require.Equal(t, before, s.made["layout"], "after %s failed", step)
	}
}

func TestDriverFailsToOpen(t *testing.T) {
	for step, kind := range map[string]error{
		"open": gpu.ErrNoDevice, "buffer": gpu.ErrMemory, "map": gpu.ErrMemory,
		"encoder": gpu.ErrMemory, "begin": gpu.ErrMemory, "end": gpu.ErrLost, "submit": gpu.ErrLost,
	} {
		s := newScript()
		s.fail[step] = errDriver
		_, err := s.open(Options{})
		requireError(t, err, kind)
		for what, n := range s.made {
			require.Zero(t, n, "live %ss after %s failed", what, step)
		}
	}
}

func TestDeviceIsLost(t *testing.T) {
	for step, lose := range map[string]func(s *scene) error{
		"submit": func(s *scene) error { _, err := s.d.Submit(s.work()); return err },
		"end":    func(s *scene) error { _, err := s.d.Submit(s.work()); return err },
		"map": func(s *scene) error {
			delete(s.fail, "map")
			p, err := s.d.Submit(s.work())
			if err != nil {
				return err
			}
			s.fail["map"] = errDriver
			return p.Wait(context.Background())
		},
	} {
		s := &scene{script: newScript()}
		s.incoherent = true
		s.set(t, Options{})
		s.fail[step] = errDriver
		requireError(t, lose(s), gpu.ErrLost)
		for what, err := range s.again() {
			require.ErrorIs(t, err, gpu.ErrLost, "%s after %s failed", what, step)
		}
		s.bind.Release()
		s.buf.Release()
		require.NoError(t, s.d.Close())
		for what, n := range s.made {
			require.Zero(t, n, "live %ss after %s failed", what, step)
		}
	}
}

func TestDeviceFallsSilent(t *testing.T) {
	for what, idle := range map[string]error{"lost": errDriver, "idle without an end": nil} {
		s := newScene(t, Options{})
		s.hold = true
		p, err := s.d.Submit(s.work())
		require.NoError(t, err)
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		require.ErrorIs(t, p.Wait(ctx), context.Canceled, what)
		s.fail["idle"] = idle
		s.d.probe()
		require.ErrorIs(t, p.Wait(context.Background()), gpu.ErrLost, what)
		p.Release()
	}
}

// TestWritesBarrier shows that a write is fenced from the kernel that reads it,
// from a second write to the same buffer, and from a read without a kernel.
func TestWritesBarrier(t *testing.T) {
	s := newScene(t, Options{})
	require.NoError(t, s.d.flush("test"))
	buf := s.buf.(*buffer)
	fences := func() (uses []gputypes.BufferUsage) {
		for _, b := range s.barriers {
			if b.Buffer == buf.buf && b.Usage.OldUsage == gputypes.BufferUsageCopyDst {
				uses = append(uses, b.Usage.NewUsage)
			}
		}
		s.barriers = nil
		return uses
	}
	fences()
	require.NoError(t, s.buf.Write(0, make([]byte, 8)))
	require.Empty(t, fences())
	require.NoError(t, s.buf.Write(4, make([]byte, 8)))
	require.Equal(t, []gputypes.BufferUsage{gputypes.BufferUsageCopyDst}, fences())
	_, err := s.d.Submit(s.work())
	require.NoError(t, err)
	require.Equal(t, []gputypes.BufferUsage{gputypes.BufferUsageStorage}, fences())
	require.NoError(t, s.buf.Clear())
	_, err = s.d.Submit(gpu.Work{Reads: s.work().Reads})
	require.NoError(t, err)
	require.Equal(t, []gputypes.BufferUsage{gputypes.BufferUsageCopySrc}, fences())
}

// TestIncoherentMemory shows that the driver is told of what the host wrote
// before the device uses it, and asked for what the device wrote before the
// host does; and that it is neither told nor asked where there is no need.
func TestIncoherentMemory(t *testing.T) {
	for _, incoherent := range []bool{false, true} {
		s := &scene{script: newScript()}
		s.incoherent = incoherent
		s.set(t, Options{})
		p, err := s.d.Submit(s.work())
		require.NoError(t, err)
		require.NoError(t, p.Wait(context.Background()))
		p.Release()

		s.maps, s.unmaps = 0, 0
		require.NoError(t, s.buf.Write(0, make([]byte, 4)))
		p, err = s.d.Submit(s.work())
		require.NoError(t, err)
		told := s.unmaps
		require.Zero(t, s.maps)
		require.NoError(t, p.Wait(context.Background()))
		if incoherent {
			require.Equal(t, 2, told) // the write and the parameters; such memory has no mark
			require.Equal(t, 1, s.maps)
		} else {
			require.Zero(t, told+s.maps)
		}
		require.NoError(t, s.d.Close())
	}
	s := &scene{script: newScript()}
	s.incoherent = true
	s.set(t, Options{})
	s.fail["unmap"] = errDriver
	requireError(t, s.buf.Write(0, make([]byte, 4)), gpu.ErrMemory)
}
