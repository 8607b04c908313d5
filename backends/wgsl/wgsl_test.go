package wgsl_test

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
	"github.com/crosspoint-kernels/crosspoint/backends/wgsl"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

var required = flag.String("require", "", "names of backends, parted by commas, that must be available")

// shared opens one backend for all tests that leave it open.
var shared = sync.OnceValues(func() (backends.Backend, error) {
	return wgsl.Open(backends.Options{AllowSoftware: true})
})

// open returns the shared backend, or skips the test and says why.
func open(t testing.TB) backends.Backend {
	t.Helper()
	b, err := shared()
	if err != nil && slices.Contains(strings.Split(*required, ","), wgsl.Name) {
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
	i := slices.IndexFunc(backends.Drivers(), func(d backends.Driver) bool { return d.Name == wgsl.Name })
	require.GreaterOrEqual(t, i, 0)
	require.Equal(t, 30, backends.Drivers()[i].Rank)
}

// TestUnavailable: without a device that is allowed the error says what there is.
func TestUnavailable(t *testing.T) {
	_, err := wgsl.Open(backends.Options{Device: "no device is called so", AllowSoftware: true})
	require.ErrorIs(t, err, backends.ErrUnavailable)
	var e *backends.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, "wgsl", e.Backend)

	b, err := wgsl.Open(backends.Options{})
	if err == nil {
		require.False(t, b.Info().Software)
		require.NoError(t, b.Close())
		t.Skipf("%s is no software", b.Info().Device)
	}
	require.ErrorIs(t, err, backends.ErrUnavailable)
	if open(t).Info().Software {
		require.ErrorContains(t, err, "(software)")
	}
}

func TestDegrees(t *testing.T) {
	b := open(t)
	require.Equal(t, 2048, b.Info().MaxN)
	r, err := ntt.Parse("4096,40961")
	require.NoError(t, err)
	for _, err := range []error{
		b.Supports(backends.Op{Kind: backends.NTT, Ring: r}),
		func() error { _, err := b.NTT(r); return err }(),
	} {
		require.ErrorIs(t, err, backends.ErrUnsupported)
		require.ErrorContains(t, err, "N up to 2048")
		require.ErrorContains(t, err, "a row must fit one workgroup")
	}
}

// TestAllocations: a submission takes few allocations of the host, however
// large it is, and a call of many chunks no more for each.
func TestAllocations(t *testing.T) {
	p := plan(t, "mldsa")
	for _, n := range []int{1, 64, 1024, 9000} {
		s := rows(p.Ring(), n)
		chunks := 0
		ctx := backends.WithTiming(context.Background(), func(t backends.Timing) { chunks = t.Chunks })
		require.NoError(t, p.Forward(ctx, s, s))
		got := testing.AllocsPerRun(3, func() { require.NoError(t, p.Inverse(context.Background(), s, s)) })
		t.Logf("%d rows: %.0f allocations, %d submissions", n, got, chunks)
		require.LessOrEqual(t, got/float64(chunks), 200.0, "%d rows", n)
	}
}

// TestAggregator holds what 64 signers send an aggregator: a batch of 96 MB,
// close to the largest buffer that every device has.
func TestAggregator(t *testing.T) {
	const signers, each = 64, 735
	p := plan(t, "pulsar")
	ctx, r := context.Background(), p.Ring()
	b, err := p.NewBatch(signers * each)
	require.NoError(t, err)
	defer b.Release()
	src := rows(r, each)
	for i := range signers {
		require.NoError(t, b.Write(ctx, i*each, src))
	}
	require.NoError(t, b.Forward(ctx, 0, signers*each))
	want := slices.Clone(src)
	r.ForwardReduced(want, src)
	got := make([]uint64, len(src))
	for _, i := range []int{0, 31, signers - 1} {
		require.NoError(t, b.Read(ctx, i*each, got))
		require.True(t, slices.Equal(want, got), "signer %d", i)
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

// BenchmarkResident is a transform of rows that stay on the device.
func BenchmarkResident(b *testing.B) {
	p := plan(b, "pulsar")
	ctx := context.Background()
	for _, n := range []int{735, 2688, 4096} {
		b.Run(fmt.Sprintf("ring=pulsar/rows=%d", n), func(b *testing.B) {
			x, err := p.NewBatch(n)
			require.NoError(b, err)
			defer x.Release()
			require.NoError(b, x.Write(ctx, 0, rows(p.Ring(), n)))
			for b.Loop() {
				require.NoError(b, x.Forward(ctx, 0, n))
				require.NoError(b, x.Sync(ctx))
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/row")
		})
	}
}

// BenchmarkProduct is the matrix product of one signature of Ringtail, resident.
func BenchmarkProduct(b *testing.B) {
	p := plan(b, "pulsar")
	ctx := context.Background()
	const m, k, n = 8, 7, 49
	var batches [3]backends.Batch
	for i, size := range [3]int{m * n, m * k, k * n} {
		var err error
		batches[i], err = p.NewBatch(size)
		require.NoError(b, err)
		defer batches[i].Release()
		require.NoError(b, batches[i].Write(ctx, 0, rows(p.Ring(), size)))
	}
	for b.Loop() {
		require.NoError(b, batches[0].MatMulAddMont(ctx, batches[1], batches[2], m, k, n))
		require.NoError(b, batches[0].Sync(ctx))
	}
}
