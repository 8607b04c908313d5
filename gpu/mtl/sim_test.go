//go:build metalsim && cgo

package mtl

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/gpu"
	"github.com/crosspoint-kernels/crosspoint/gpu/gputest"
	"github.com/crosspoint-kernels/crosspoint/internal/metalsim"
)

// classes are those of which the bridge makes objects.
var classes = []string{
	"MTLDevice", "MTLBuffer", "MTLLibrary", "MTLFunction", "MTLComputePipelineState",
	"MTLCommandQueue", "MTLCommandBuffer", "MTLComputeCommandEncoder", "MTLBlitCommandEncoder",
}

// counts asks a counter of the simulator about every class, and leaves out zeros.
func counts(of func(class string) int) map[string]int {
	m := map[string]int{}
	for _, class := range classes {
		if n := of(class); n != 0 {
			m[class] = n
		}
	}
	return m
}

// requireNothingLeft waits a moment for objects to go: the last command buffer
// does once its handler has returned.
func requireNothingLeft(t *testing.T, before map[string]int, msg ...any) {
	t.Helper()
	for range 200 {
		if len(counts(metalsim.Live)) == len(before) {
			break
		}
		time.Sleep(time.Millisecond)
	}
	require.Equal(t, before, counts(metalsim.Live), msg...)
}

// scene is a device with one kernel bound to one buffer.
type scene struct {
	d    *device
	buf  gpu.Buffer
	kern gpu.Kernel
	bind gpu.Binding
}

func newScene(t *testing.T, o Options) *scene {
	t.Helper()
	metalsim.Reset()
	t.Cleanup(metalsim.Reset)
	s := &scene{d: open(t, o)}
	var err error
	s.buf, err = s.d.NewBuffer("scene", 256)
	require.NoError(t, err)
	s.kern, err = s.d.NewKernel(gputest.MSL().Affine)
	require.NoError(t, err)
	s.bind, err = s.d.Bind(s.kern, s.buf)
	require.NoError(t, err)
	return s
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
	_, newKernel := s.d.NewKernel(gputest.MSL().Affine)
	_, bind := s.d.Bind(s.kern, s.buf)
	_, submit := s.d.Submit(s.work())
	return map[string]error{
		"NewBuffer": newBuffer, "NewKernel": newKernel, "Bind": bind, "Submit": submit,
		"Write": s.buf.Write(0, make([]byte, 4)), "Clear": s.buf.Clear(),
	}
}

// TestNothingLeft: whatever a program does, and releases or not, Close leaves no
// object of Metal's.
func TestNothingLeft(t *testing.T) {
	before := counts(metalsim.Live)
	for _, wipe := range []bool{false, true} {
		for _, release := range []bool{false, true} {
			s := newScene(t, Options{Wipe: wipe})
			_, err := s.d.NewKernel(gputest.MSL().Broken)
			require.ErrorIs(t, err, gpu.ErrCompile)
			var pending []gpu.Pending
			for i := range 5 {
				w := s.work()
				w.Reads[0].Still = i%2 == 0
				require.NoError(t, s.buf.Write(0, make([]byte, 64)))
				p, err := s.d.Submit(w)
				require.NoError(t, err)
				pending = append(pending, p)
			}
			if release {
				s.bind.Release()
				s.kern.Release()
				s.buf.Release()
				require.NoError(t, pending[4].Wait(t.Context()))
				for _, p := range pending[1:] { // the first still looks at the buffer
					p.Release()
				}
			}
			require.NoError(t, s.d.Close())
			requireNothingLeft(t, before, "wipe %t, release %t", wipe, release)
		}
	}
}

// TestReleaseFrees: what is released goes back to Metal while the device stays
// open, and not before the work that uses it is done, nor before a view of it is
// released.
func TestReleaseFrees(t *testing.T) {
	s := newScene(t, Options{})
	defer s.d.Close()
	before := metalsim.Live("MTLBuffer")
	metalsim.Pause(true)
	defer metalsim.Pause(false)
	w := s.work()
	w.Reads[0].Still = true
	p, err := s.d.Submit(w)
	require.NoError(t, err)
	s.bind.Release()
	s.kern.Release()
	s.buf.Release()
	require.Equal(t, before, metalsim.Live("MTLBuffer"), "freed while in use")
	require.Equal(t, 1, metalsim.Live("MTLComputePipelineState"), "freed while in use")
	metalsim.Pause(false)
	require.NoError(t, p.Wait(t.Context()))
	require.Len(t, p.View(0), 256)
	require.Equal(t, before, metalsim.Live("MTLBuffer"), "freed while it is looked at")
	require.Zero(t, metalsim.Live("MTLComputePipelineState"))
	p.Release()
	require.Equal(t, before-1, metalsim.Live("MTLBuffer"))

	unused, err := s.d.NewBuffer("never used", 1024)
	require.NoError(t, err)
	unused.Release()
	require.Equal(t, before-1, metalsim.Live("MTLBuffer"))
}

// TestSteadyState is the rule of this package: a submission is one command buffer
// with its encoders, and makes nothing else.
func TestSteadyState(t *testing.T) {
	s := newScene(t, Options{})
	small, large := newTrip(t, s.d, 2048, true), newTrip(t, s.d, 17<<20, false)
	const rounds = 5
	for _, c := range []struct {
		what string
		run  func()
		each map[string]int // objects a round
	}{
		{"write, dispatch, still read", func() { require.NoError(t, small.run()) },
			map[string]int{"MTLCommandBuffer": 1, "MTLComputeCommandEncoder": 1}},
		{"many dispatches", func() {
			w := gpu.Work{Reads: small.work.Reads}
			for range gpu.MaxDispatches {
				w.Dispatches = append(w.Dispatches, small.work.Dispatches...)
			}
			p, err := s.d.Submit(w)
			require.NoError(t, err)
			require.NoError(t, p.Wait(t.Context()))
			p.Release()
		}, map[string]int{"MTLCommandBuffer": 1, "MTLComputeCommandEncoder": 1}},
		{"reads that are copied", func() { require.NoError(t, large.run()) },
			map[string]int{"MTLCommandBuffer": 1, "MTLComputeCommandEncoder": 1, "MTLBlitCommandEncoder": 1}},
		{"a still read alone", func() {
			p, err := s.d.Submit(gpu.Work{Reads: small.work.Reads})
			require.NoError(t, err)
			require.NoError(t, p.Wait(t.Context()))
			p.Release()
		}, map[string]int{}},
		{"no work", func() {
			p, err := s.d.Submit(gpu.Work{})
			require.NoError(t, err)
			require.NoError(t, p.Wait(t.Context()))
			p.Release()
		}, map[string]int{}},
		{"three in flight, each written over", func() {
			metalsim.Pause(true) // or the first may be done before the second is written
			var pending [3]gpu.Pending
			for i := range pending {
				require.NoError(t, small.buf.Write(0, small.in))
				p, err := s.d.Submit(small.work)
				require.NoError(t, err)
				pending[i] = p
			}
			metalsim.Pause(false)
			for _, p := range pending {
				require.NoError(t, p.Wait(t.Context()))
				p.Release()
			}
		}, map[string]int{"MTLCommandBuffer": 3, "MTLComputeCommandEncoder": 3, "MTLBlitCommandEncoder": 2}},
	} {
		c.run()
		metalsim.Reset()
		for range rounds {
			c.run()
		}
		want := map[string]int{}
		for class, n := range c.each {
			want[class] = rounds * n
		}
		require.Equal(t, want, counts(metalsim.Made), c.what)
		require.Equal(t, want["MTLCommandBuffer"], metalsim.Committed(), c.what)
	}
	require.NoError(t, s.d.Close())
}

// TestOneLibrary: the entries of one text are compiled once.
func TestOneLibrary(t *testing.T) {
	s := newScene(t, Options{})
	p := gputest.MSL()
	for _, src := range []gpu.Source{p.Affine, p.Echo, p.Grid, p.Hosted} {
		_, err := s.d.NewKernel(src)
		require.NoError(t, err)
	}
	require.Equal(t, 1, metalsim.Made("MTLLibrary"))
	require.NoError(t, s.d.Close())
}

// TestLost has a command buffer fail in each way. Its Wait says so with Metal's
// words, and so does every call from then on; Close still releases everything.
func TestLost(t *testing.T) {
	before := counts(metalsim.Live)
	for _, code := range []int{1, 2, 3, 4, outOfMemory, 9, 11} {
		s := newScene(t, Options{Wipe: true})
		metalsim.FailCommandBuffer(0, metalsim.Code(code))
		first, err := s.d.Submit(s.work())
		require.NoError(t, err)
		second, err := s.d.Submit(s.work())
		if err == nil {
			require.ErrorIs(t, second.Wait(t.Context()), gpu.ErrLost, "code %d", code)
			require.Nil(t, second.View(0))
		}
		err = first.Wait(t.Context())
		require.ErrorIs(t, err, gpu.ErrLost, "code %d", code)
		require.Equal(t, code == outOfMemory, errors.Is(err, gpu.ErrMemory), "code %d", code)
		var e *gpu.Error
		require.ErrorAs(t, err, &e)
		require.NotEmpty(t, e.Detail)
		for what, err := range s.again() {
			require.ErrorIs(t, err, gpu.ErrLost, "%s after code %d", what, code)
		}
		s.bind.Release()
		first.Release()
		require.NoError(t, s.d.Close())
		requireNothingLeft(t, before, "code %d", code)
	}
}

// TestRefusals has Metal refuse each thing once, which costs nothing but that.
func TestRefusals(t *testing.T) {
	before := counts(metalsim.Live)
	metalsim.Reset()
	metalsim.HideDevice(true)
	_, err := Open(Options{})
	require.ErrorIs(t, err, gpu.ErrNoDevice)
	metalsim.HideDevice(false)
	metalsim.FailQueue(0)
	_, err = Open(Options{})
	require.ErrorIs(t, err, gpu.ErrMemory)
	requireNothingLeft(t, before)

	s := newScene(t, Options{})
	metalsim.FailBuffer(0)
	_, err = s.d.NewBuffer("refused", 4)
	require.ErrorIs(t, err, gpu.ErrMemory)
	metalsim.FailBuffer(0)
	_, err = s.d.Submit(s.work()) // no memory for its read
	require.ErrorIs(t, err, gpu.ErrMemory)
	for skip := range 3 { // the command buffer, and its two encoders
		metalsim.FailEncoder(skip)
		_, err = s.d.Submit(s.work())
		require.ErrorIs(t, err, gpu.ErrMemory, "object %d", skip)
	}
	metalsim.LimitThreads(32)
	_, err = s.d.NewKernel(gputest.MSL().Affine)
	require.ErrorIs(t, err, gpu.ErrLimit)
	require.ErrorContains(t, err, "32")
	metalsim.LimitThreads(0)

	require.NoError(t, s.buf.Write(0, bytes.Repeat([]byte{1}, 256)))
	p, err := s.d.Submit(s.work())
	require.NoError(t, err)
	require.NoError(t, p.Wait(t.Context()))
	require.Len(t, p.View(0), 256)
	require.NoError(t, s.d.Close())
	requireNothingLeft(t, before)
}

// TestStagedWritesSurvive: writes that were staged before a submission that Metal
// refused take effect with the next.
func TestStagedWritesSurvive(t *testing.T) {
	s := newScene(t, Options{})
	defer s.d.Close()
	w := s.work()
	w.Dispatches[0].Params = [gpu.ParamWords]uint32{1, 0, 64} // as it was
	metalsim.Pause(true)
	first, err := s.d.Submit(w)
	require.NoError(t, err)
	want := bytes.Repeat([]byte{7}, 256)
	require.NoError(t, s.buf.Write(0, want))
	metalsim.FailEncoder(0)
	_, err = s.d.Submit(w)
	require.ErrorIs(t, err, gpu.ErrMemory)
	second, err := s.d.Submit(w)
	require.NoError(t, err)
	metalsim.Pause(false)
	require.NoError(t, second.Wait(t.Context()))
	require.NoError(t, first.Wait(t.Context()))
	require.Equal(t, make([]byte, 256), first.View(0))
	require.Equal(t, want, second.View(0))
}

// TestWipe: with Wipe no byte of a secret is left in memory that goes back to
// Metal, released or not, or to the pool.
func TestWipe(t *testing.T) {
	secret := bytes.Repeat([]byte{0x5a}, 256)
	for _, wipe := range []bool{false, true} {
		for _, release := range []bool{false, true} {
			s := newScene(t, Options{Wipe: wipe})
			leaks := 0
			s.d.freeing = func(mem []byte) { leaks += bytes.Count(mem, []byte{0x5a}) }
			require.NoError(t, s.buf.Write(0, secret))
			p, err := s.d.Submit(gpu.Work{Reads: s.work().Reads}) // through the pool
			require.NoError(t, err)
			require.NoError(t, p.Wait(t.Context()))
			require.Equal(t, secret, p.View(0))
			p.Release()
			leaks += bytes.Count(s.d.staging.all[0].mem, []byte{0x5a})
			if release {
				s.bind.Release()
				s.buf.Release()
			}
			require.NoError(t, s.d.Close())
			if wipe {
				require.Zero(t, leaks)
			} else {
				require.Equal(t, 3*256, leaks, "the test sees nothing")
			}
		}
	}
}
