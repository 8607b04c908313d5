//go:build (darwin || metalsim) && cgo

package mtl

import (
	"context"
	"flag"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/gpu"
	"github.com/crosspoint-kernels/crosspoint/gpu/gputest"
)

var required = flag.String("require", "", "comma-separated backends that must not be skipped")

// open opens whatever device there is, or skips the test and says why.
func open(tb testing.TB, o Options) *device {
	tb.Helper()
	d, err := Open(o)
	if err == nil {
		return d.(*device)
	}
	if slices.Contains(strings.Split(*required, ","), "metal") {
		tb.Fatal(err)
	}
	tb.Skip(err)
	return nil
}

func TestConforms(t *testing.T) {
	require.NoError(t, open(t, Options{}).Close())
	gputest.TestDeviceWith(t, func() (gpu.Device, error) { return Open(Options{}) }, gputest.MSL())
}

func TestConformsWiping(t *testing.T) {
	require.NoError(t, open(t, Options{}).Close())
	gputest.TestDeviceWith(t, func() (gpu.Device, error) { return Open(Options{Wipe: true}) }, gputest.MSL())
}

// TestInfo: a simulator is called one wherever it is named.
func TestInfo(t *testing.T) {
	d := open(t, Options{})
	info := d.Info()
	require.Equal(t, "Metal", info.API)
	require.Equal(t, simulated, info.Software)
	require.Equal(t, simulated, strings.Contains(info.Name, "simulator"), info.Name)
	require.Contains(t, info.Driver, "kernels compiled from source")
	require.NoError(t, d.Close())

	found := open(t, Options{Device: strings.ToUpper(info.Name)})
	require.Equal(t, info, found.Info())
	require.NoError(t, found.Close())

	_, err := Open(Options{Device: "no device is called so"})
	require.ErrorIs(t, err, gpu.ErrNoDevice)
	require.ErrorContains(t, err, info.Name)
}

// TestLibrary: a library that Metal does not load is an argument that is wrong.
func TestLibrary(t *testing.T) {
	require.NoError(t, open(t, Options{}).Close())
	_, err := Open(Options{Library: t.TempDir() + "/none.metallib"})
	require.ErrorIs(t, err, gpu.ErrArgument)
	require.ErrorContains(t, err, "none.metallib")
	_, err = Open(Options{Library: "\xff"})
	require.ErrorIs(t, err, gpu.ErrArgument)
	_, err = Open(Options{Binary: []byte("this is no library")})
	require.ErrorIs(t, err, gpu.ErrArgument)

	d := open(t, Options{})
	src := gputest.MSL().Affine
	src.Binary = []byte("nor is this")
	_, err = d.NewKernel(src)
	require.ErrorIs(t, err, gpu.ErrCompile)
	require.NoError(t, d.Close())
}

// trip is the hot path: write, dispatch, read back.
type trip struct {
	d    *device
	buf  gpu.Buffer
	in   []byte
	work gpu.Work
}

func newTrip(tb testing.TB, d *device, bytes int, still bool) *trip {
	tb.Helper()
	buf, err := d.NewBuffer("trip", bytes)
	require.NoError(tb, err)
	k, err := d.NewKernel(gputest.MSL().Affine)
	require.NoError(tb, err)
	bind, err := d.Bind(k, buf)
	require.NoError(tb, err)
	n := uint32(bytes / 4)
	return &trip{d: d, buf: buf, in: make([]byte, bytes), work: gpu.Work{
		Dispatches: []gpu.Dispatch{{
			Binding: bind, Params: [gpu.ParamWords]uint32{3, 5, n}, Groups: [3]uint32{min((n+63)/64, maxGroups), 1, 1},
		}},
		Reads: []gpu.Range{{Buffer: buf, Size: bytes, Still: still}},
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
	for _, still := range []bool{false, true} {
		d := open(t, Options{})
		r := newTrip(t, d, 1<<16, still)
		require.NoError(t, r.run())
		n := testing.AllocsPerRun(20, func() { require.NoError(t, r.run()) })
		t.Logf("still %t: %.0f allocations", still, n)
		require.LessOrEqual(t, n, 12.0)
		require.NoError(t, d.Close())
	}
}

// TestStillIsNoCopy: a read that keeps still shows the buffer's own memory, and
// memory that is shared is written where it is once nothing uses it.
func TestStillIsNoCopy(t *testing.T) {
	d := open(t, Options{})
	defer d.Close()
	r := newTrip(t, d, 4096, true)
	require.NoError(t, r.buf.Write(0, r.in))
	p, err := d.Submit(r.work)
	require.NoError(t, err)
	require.NoError(t, p.Wait(t.Context()))
	require.Same(t, &r.buf.(*buffer).mem[0], &p.View(0)[0])
	p.Release()
	require.NoError(t, r.buf.Write(0, r.in))
	require.Nil(t, d.open, "the write was staged")
	require.Empty(t, d.staging.all)
}

// TestLostCodes: what Metal says of a command buffer that failed.
func TestLostCodes(t *testing.T) {
	for _, code := range []int64{math.MinInt64, 0, 1, 2, 3, 4, outOfMemory, 11, math.MaxInt64} {
		err := failed(code, "Metal's words")
		require.ErrorIs(t, err, gpu.ErrLost)
		require.ErrorContains(t, err, "Metal's words")
		if code == outOfMemory {
			require.ErrorIs(t, err, gpu.ErrMemory)
		} else {
			require.NotErrorIs(t, err, gpu.ErrMemory)
			require.ErrorContains(t, err, fmt.Sprint(code))
		}
	}
}

func BenchmarkSubmit(b *testing.B) {
	for _, bytes := range []int{2048, 1 << 20} {
		b.Run(fmt.Sprintf("bytes=%d", bytes), func(b *testing.B) {
			d := open(b, Options{})
			defer d.Close()
			r := newTrip(b, d, bytes, true)
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
