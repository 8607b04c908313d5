package wgpu

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/gpu"
	"github.com/crosspoint-kernels/crosspoint/gpu/gputest"
)

// trip is the hot path: write, dispatch, read back.
type trip struct {
	d    *device
	buf  gpu.Buffer
	in   []byte
	work gpu.Work
}

func newTrip(tb testing.TB, d *device, bytes int) *trip {
	tb.Helper()
	buf, err := d.NewBuffer("trip", bytes)
	require.NoError(tb, err)
	k, err := d.NewKernel(gputest.WGSL().Affine)
	require.NoError(tb, err)
	bind, err := d.Bind(k, buf)
	require.NoError(tb, err)
	n := uint32(bytes / 4)
	return &trip{d: d, buf: buf, in: make([]byte, bytes), work: gpu.Work{
		Dispatches: []gpu.Dispatch{{
			Binding: bind, Params: [gpu.ParamWords]uint32{3, 5, n}, Groups: [3]uint32{min((n+63)/64, 65535), 1, 1},
		}},
		Reads: []gpu.Range{{Buffer: buf, Size: bytes}},
	}}
}

func (r *trip) run() error {
	if err := r.buf.Write(0, r.in); err != nil {
		return err
	}
	p, err := r.d.Submit(r.work)
	if err != nil {
		return err
	}
	defer p.Release()
	if err := p.Wait(context.Background()); err != nil {
		return err
	}
	if v := p.View(0); len(v) != len(r.in) || v[0] != 5 {
		return fmt.Errorf("a view of %d bytes", len(v))
	}
	return nil
}

func TestAllocations(t *testing.T) {
	for _, bytes := range []int{2048, 1 << 20, 20 << 20} {
		d := open(t, Options{}).(*device)
		r := newTrip(t, d, bytes)
		require.NoError(t, r.run())
		n := testing.AllocsPerRun(20, func() { require.NoError(t, r.run()) })
		t.Logf("%d bytes: %.0f allocations", bytes, n)
		require.LessOrEqual(t, n, 200.0, "%d bytes", bytes)
		require.NoError(t, d.Close())
	}
}

// TestSteadyState shows that after the first submissions nothing is made: no
// buffer, encoder, bind group or pipeline.
func TestSteadyState(t *testing.T) {
	s := newScript()
	d, err := s.open(Options{})
	require.NoError(t, err)
	small, large := newTrip(t, d, 2048), newTrip(t, d, 17<<20)
	large.work.Dispatches = append(large.work.Dispatches, small.work.Dispatches...)
	pipelined := func() {
		var pending []gpu.Pending
		for range 3 {
			require.NoError(t, small.buf.Write(0, small.in))
			require.NoError(t, large.buf.Write(0, large.in))
			p, err := d.Submit(large.work)
			require.NoError(t, err)
			pending = append(pending, p)
		}
		for _, p := range pending {
			require.NoError(t, p.Wait(context.Background()))
			p.Release()
		}
	}
	pipelined()
	before := fmt.Sprint(s.made)
	for range 5 {
		pipelined()
	}
	require.Equal(t, before, fmt.Sprint(s.made))
	require.NoError(t, d.Close())
	for what, n := range s.made {
		require.Zero(t, n, "live %ss after Close", what)
	}
}

// TestReleaseFrees shows that what is released goes back to the driver while
// the device stays open, and not before the work that uses it is done.
func TestReleaseFrees(t *testing.T) {
	s := newScene(t, Options{})
	before := fmt.Sprint(s.made)
	s.hold = true
	for range 3 {
		b, err := s.d.NewBuffer("short-lived", 1024)
		require.NoError(t, err)
		k, err := s.d.NewKernel(gputest.WGSL().Affine)
		require.NoError(t, err)
		bind, err := s.d.Bind(k, b)
		require.NoError(t, err)
		_, err = s.d.Submit(gpu.Work{Dispatches: []gpu.Dispatch{{Binding: bind, Groups: [3]uint32{1, 1, 1}}}})
		require.NoError(t, err)
		bind.Release()
		k.Release()
		b.Release()
	}
	require.NotEqual(t, before, fmt.Sprint(s.made), "freed while in use")
	unused, err := s.d.NewBuffer("never used", 1024)
	require.NoError(t, err)
	unused.Release()
	s.hold = false
	s.d.reap()
	live := map[string]int{}
	for kind, n := range s.made {
		live[kind] = n
	}
	// The pools keep what they have: chunks and encoders.
	live["buffer"] -= len(s.d.upload.all) + len(s.d.download.all)
	require.Equal(t, map[string]int{
		"buffer": 4, // the scene's, the zeros, the parameters and the mark
		"group":  1, "module": 1, "layout": 1, "plumbing": 1, "pipeline": 1, "encoder": s.made["encoder"],
	}, live)
	require.Len(t, s.d.live, 3)
	require.Empty(t, s.d.retired)
	require.NoError(t, s.d.Close())
}

func BenchmarkSubmit(b *testing.B) {
	for _, bytes := range []int{2048, 1 << 20} {
		b.Run(fmt.Sprintf("bytes=%d", bytes), func(b *testing.B) {
			d := open(b, Options{}).(*device)
			defer d.Close()
			r := newTrip(b, d, bytes)
			b.ReportAllocs()
			b.SetBytes(int64(2 * bytes))
			var took []time.Duration
			for b.Loop() {
				start := time.Now()
				if err := r.run(); err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(start))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[0].Nanoseconds()), "min-ns")
			b.ReportMetric(float64(took[len(took)/2].Nanoseconds()), "median-ns")
		})
	}
}
