//go:build (darwin || metalsim) && cgo

package metal_test

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/backends/metal"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

var required = flag.String("require", "", "names of backends, parted by commas, that must be available")

// shared opens one backend for all tests that leave it open.
var shared = sync.OnceValues(func() (backends.Backend, error) {
	return metal.Open(backends.Options{AllowSoftware: true})
})

// open returns the shared backend, or skips the test and says why.
func open(t testing.TB) backends.Backend {
	t.Helper()
	b, err := shared()
	if err != nil && slices.Contains(strings.Split(*required, ","), metal.Name) {
		t.Fatal(err)
	}
	if err != nil {
		t.Skip(err)
	}
	return b
}

func plan(t testing.TB, ring string) backends.Plan {
	t.Helper()
	b := open(t)
	r, err := ntt.Parse(ring)
	require.NoError(t, err)
	p, err := b.NTT(r)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, p.Close()) })
	return p
}

// rows returns n rows of a fixed random sequence with q-1 strewn in.
func rows(r *ntt.Ring, n int) []uint64 {
	s := make([]uint64, n*r.N())
	x := uint64(n)
	for i := range s {
		x = x*6364136223846793005 + 1442695040888963407
		s[i] = (x >> 3) % r.Q()
		if i%97 == 0 {
			s[i] = r.Q() - 1
		}
	}
	return s
}

func TestRegistered(t *testing.T) {
	drivers := backends.Drivers()
	i := slices.IndexFunc(drivers, func(d backends.Driver) bool { return d.Name == metal.Name })
	require.GreaterOrEqual(t, i, 0)
	require.Equal(t, 20, drivers[i].Rank)
}

// TestUnavailable: without a device that is allowed the error says what there is.
func TestUnavailable(t *testing.T) {
	b := open(t)
	_, err := metal.Open(backends.Options{Device: "no device is called so", AllowSoftware: true})
	require.ErrorIs(t, err, backends.ErrUnavailable)
	require.ErrorContains(t, err, b.Info().Device)
	var e *backends.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, "metal", e.Backend)

	_, err = metal.Open(backends.Options{Metallib: t.TempDir() + "/none.metallib", AllowSoftware: true})
	require.ErrorIs(t, err, backends.ErrUnavailable)
	require.ErrorContains(t, err, "none.metallib")
}

func TestDegrees(t *testing.T) {
	b := open(t)
	require.Equal(t, 4096, b.Info().MaxN)
	r, err := ntt.Parse("8192,65537")
	require.NoError(t, err)
	for _, err := range []error{
		b.Supports(backends.Op{Kind: backends.NTT, Ring: r}),
		func() error { _, err := b.NTT(r); return err }(),
	} {
		require.ErrorIs(t, err, backends.ErrUnsupported)
		require.ErrorContains(t, err, "N up to 4096")
	}
}

// TestPaperSizes has the two batch sizes of the paper that are beyond those of
// the conformance suite: both directions, and a product of the rows with themselves.
func TestPaperSizes(t *testing.T) {
	for _, ring := range []string{"pulsar", "mldsa", "fhe27"} {
		p := plan(t, ring)
		r := p.Ring()
		for _, n := range []int{2688, 65536} {
			if testing.Short() && n > 2688 {
				continue
			}
			got, want := rows(r, n), rows(r, n)
			r.ForwardReduced(want, want)
			require.NoError(t, p.Forward(t.Context(), got, got))
			require.True(t, slices.Equal(want, got), "%s, %d rows forward", ring, n)
			require.NoError(t, p.Inverse(t.Context(), got, got))
			require.True(t, slices.Equal(rows(r, n), got), "%s, %d rows inverse", ring, n)
			r.MulAddMontReduced(want, got, got)
			acc := rows(r, n)
			r.ForwardReduced(acc, acc)
			require.NoError(t, p.MulAddMont(t.Context(), acc, got, got))
			require.True(t, slices.Equal(want, acc), "%s, %d rows multiplied", ring, n)
		}
	}
}

// TestAllocations: a submission takes few allocations of the host, however
// large it is, and a call of many chunks no more for each.
func TestAllocations(t *testing.T) {
	p := plan(t, "mldsa")
	for _, n := range []int{1, 64, 1024, 9000} {
		if testing.Short() && n > 1024 {
			continue
		}
		s := rows(p.Ring(), n)
		chunks := 0
		ctx := backends.WithTiming(context.Background(), func(t backends.Timing) { chunks = t.Chunks })
		require.NoError(t, p.Forward(ctx, s, s))
		got := testing.AllocsPerRun(3, func() { require.NoError(t, p.Inverse(context.Background(), s, s)) })
		t.Logf("%d rows: %.0f allocations, %d submissions", n, got, chunks)
		require.LessOrEqual(t, got/float64(chunks), 20.0, "%d rows", n)
	}
}

func BenchmarkForward(b *testing.B) {
	for _, ring := range []string{"pulsar", "mldsa"} {
		p := plan(b, ring)
		for _, n := range []int{1, 64, 1024, 4096, 65536} {
			b.Run(fmt.Sprintf("ring=%s/rows=%d", ring, n), func(b *testing.B) {
				s := rows(p.Ring(), n)
				ctx := context.Background()
				require.NoError(b, p.Forward(ctx, s, s))
				b.ReportAllocs()
				for b.Loop() {
					require.NoError(b, p.Forward(ctx, s, s))
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/row")
			})
		}
	}
}
