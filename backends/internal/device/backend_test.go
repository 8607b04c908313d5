package device

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/gpu"
	"github.com/crosspoint-kernels/crosspoint/gpu/gputest"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

func TestInfoAndSupports(t *testing.T) {
	f := newSpy()
	b := setup(t, f, nil)
	require.Equal(t, backends.Info{Name: "fake", Device: "Fake 3000", Driver: "Go 1.0", MaxN: 2048}, b.Info())
	large := ring(t, "4096,40961")
	for _, d := range []struct {
		op   backends.Op
		want string // in the error; none if it is supported
	}{
		{backends.Op{Kind: backends.NTT, Ring: ring(t, "pulsar"), Rows: 1 << 40}, ""},
		{backends.Op{Kind: backends.Pointwise}, ""},
		{backends.Op{Kind: backends.Resident, Ring: ring(t, "pulsar"), Rows: 65536}, ""},
		{backends.Op{Kind: backends.Resident, Ring: ring(t, "pulsar"), Rows: 65537}, "65536 of 2048 bytes"},
		{backends.Op{Kind: backends.Resident, Ring: ring(t, "mldsa"), Rows: 131072}, ""},
		{backends.Op{Kind: backends.Resident, Ring: ring(t, "mldsa"), Rows: 131073}, "131072 of 1024 bytes"},
		{backends.Op{Kind: backends.NTT, Ring: large}, "N up to 2048: workgroup memory"},
		{backends.Op{Kind: "fft"}, "fft"},
	} {
		err := b.Supports(d.op)
		if d.want == "" {
			require.NoError(t, err)
			continue
		}
		require.ErrorIs(t, err, backends.ErrUnsupported)
		require.ErrorContains(t, err, d.want)
	}
	_, err := b.NTT(nil)
	require.ErrorIs(t, err, backends.ErrUnsupported)
	_, err = b.NTT(large)
	require.ErrorIs(t, err, backends.ErrUnsupported)
	require.ErrorContains(t, err, "N up to 2048: workgroup memory")
}

func TestClosed(t *testing.T) {
	f := newSpy()
	b := setup(t, f, nil)
	r := ring(t, tiny4)
	p, q := planOf(t, b, r), planOf(t, b, r)
	s := testRows(r, 3, 0)
	require.NoError(t, q.Forward(t.Context(), s, s))
	require.NoError(t, p.Close())
	require.NoError(t, p.Close())
	require.ErrorIs(t, p.Forward(t.Context(), s, s), backends.ErrClosed)
	require.NoError(t, q.Inverse(t.Context(), s, s), "a plan of the same ring lives on")
	_, err := q.NewBatch(3)
	require.NoError(t, err)
	require.NoError(t, b.Close())
	require.Zero(t, f.alive())
	require.ErrorIs(t, q.Forward(t.Context(), s, s), backends.ErrClosed)
	require.NoError(t, q.Close())
	_, err = b.NTT(r)
	require.ErrorIs(t, err, backends.ErrClosed)
	require.ErrorIs(t, b.Close(), backends.ErrClosed)
}

func TestKernelsAreShared(t *testing.T) {
	f := newSpy()
	b := setup(t, f, nil)
	kernels := func() int { return f.Calls(gputest.OpNewKernel) }
	base := kernels()
	p := planOf(t, b, ring(t, "8,17"))
	require.Equal(t, base, kernels(), "compiled for the self-test of New")
	twin := ring(t, "8,17")
	require.Same(t, twin, planOf(t, b, twin).Ring())
	require.NoError(t, p.Close())
	r := ring(t, tiny4)
	x, y := planOf(t, b, r), planOf(t, b, r)
	require.Equal(t, base+int(opCount), kernels())
	live := f.alive()
	require.NoError(t, x.Close())
	require.Equal(t, live, f.alive())
	require.NoError(t, y.Close())
	require.Equal(t, live-int(opCount)-2, f.alive(), "the last plan takes kernels and tables along")
	planOf(t, b, r)
	require.Equal(t, base+2*int(opCount), kernels())
}

// TestOpenFailures lets each device call of New fail in turn, then of NTT.
func TestOpenFailures(t *testing.T) {
	for _, call := range append([]gputest.Op{gputest.OpNewKernel}, callOps...) {
		for k := 1; ; k++ {
			f := newSpy()
			f.Fail(call, k, gpu.ErrMemory)
			b, err := New(f, config(nil))
			if err == nil {
				require.NoError(t, b.Close())
				break
			}
			require.ErrorIs(t, err, backends.ErrUnavailable)
			require.ErrorIs(t, err, backends.ErrMemory)
			require.True(t, f.closed)
			require.Zero(t, f.alive(), "leak after failure of %s %d", call, k)
		}
		for k := 1; ; k++ {
			f := newSpy()
			b := setup(t, f, nil)
			f.Fail(call, k, gpu.ErrCompile)
			live := f.alive()
			_, err := b.NTT(ring(t, tiny4))
			if err == nil {
				break
			}
			require.ErrorIs(t, err, backends.ErrUnsupported)
			require.Equal(t, live, f.alive(), "leak after failure of %s %d", call, k)
			planOf(t, b, ring(t, tiny4))
		}
	}
}

func TestBadPrograms(t *testing.T) {
	for name, spoil := range map[string]func(*Program){
		"words":    func(p *Program) { p.WordBytes = 2 },
		"bindings": func(p *Program) { p.Mul.Access = p.Mul.Access[:2] },
		"groups":   func(p *Program) { p.Forward.PerGroup = 0 },
		"table":    func(p *Program) { p.Inverse.Table = nil },
		"no table": func(p *Program) { p.IMForm.Table = []byte("four") },
	} {
		_, err := New(newSpy(), config(func(c *Config) {
			c.Program = func(r *ntt.Ring) (*Program, error) {
				p := fakeProgram(r, width(r), 3)
				spoil(p)
				return p, nil
			}
		}))
		require.ErrorIs(t, err, backends.ErrUnavailable, name)
	}
	refusal := errors.New("not this ring")
	_, err := New(newSpy(), config(func(c *Config) {
		c.Program = func(*ntt.Ring) (*Program, error) { return nil, refusal }
	}))
	require.ErrorIs(t, err, refusal)
	l := gputest.DefaultLimits()
	l.MaxBufferSize = 2044
	_, err = New(limited(l), config(func(c *Config) { c.testRing = "" }))
	require.ErrorIs(t, err, gpu.ErrLimit, "not a row of Pulsar fits")
}

// TestSelfTest: a device that computes wrongly is not offered, and a ring that
// it computes wrongly is refused.
func TestSelfTest(t *testing.T) {
	for name, spoil := range mutants {
		f := newSpy()
		f.onSubmit = spoil(f, 8)
		_, err := New(f, config(chunks(0)))
		require.ErrorIs(t, err, backends.ErrUnavailable, name)
		require.True(t, f.closed)
		if !errors.Is(err, backends.ErrDeviceLost) { // short read-back
			require.ErrorContains(t, err, `"Fake 3000"`, name)
		}
	}
	f := newSpy()
	b := setup(t, f, chunks(0))
	f.onSubmit = mutants["last row dropped"](f, 8)
	_, err := b.NTT(ring(t, tiny8))
	require.ErrorIs(t, err, backends.ErrUnsupported)
	require.ErrorContains(t, err, `"Fake 3000"`)
	require.False(t, strings.Contains(err.Error(), "unavailable"))
}

func TestTiming(t *testing.T) {
	f := newSpy()
	var now time.Time
	b := setup(t, f, func(c *Config) {
		c.chunkRows = 4
		c.now = func() time.Time {
			now = now.Add(time.Millisecond)
			return now
		}
	})
	r := ring(t, tiny4)
	p := planOf(t, b, r)
	s := testRows(r, 9, 0)
	start := now
	require.NoError(t, p.Forward(t.Context(), s, s))
	require.Equal(t, start, now, "nobody asked")

	var got []backends.Timing
	ctx := backends.WithTiming(t.Context(), func(t backends.Timing) { got = append(got, t) })
	require.NoError(t, p.MulAdd(ctx, s, s, s))
	s[8*8] = math.MaxUint64
	require.Error(t, p.Inverse(ctx, s, s))
	// Three chunks are three uploads, three submissions and waits, three downloads.
	ms := time.Millisecond
	require.Equal(t, []backends.Timing{
		{Op: "muladd", Rows: 9, Chunks: 3, Upload: 3 * ms, Kernel: 6 * ms, Download: 3 * ms, Total: 13 * ms},
		{Op: "inverse", Rows: 8, Chunks: 2, Upload: 2 * ms, Kernel: 4 * ms, Download: 2 * ms, Total: 9 * ms},
	}, got)

	closing := backends.WithTiming(t.Context(), func(backends.Timing) { require.NoError(t, p.Close()) })
	require.NoError(t, p.Forward(closing, nil, nil))
	require.ErrorIs(t, p.Forward(context.Background(), nil, nil), backends.ErrClosed)
}
