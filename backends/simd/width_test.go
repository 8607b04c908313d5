package simd

import (
	"flag"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/backends/cpu"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

var required = flag.String("require", "", "comma-separated backends; with simd among them, the widths that the processor names must be here")

// lacks skips a test where the machine lacks a width.
func lacks(t testing.TB, w Width) {
	t.Helper()
	if !slices.Contains(Widths(), w) {
		t.Skipf("this machine has no width %q", w)
	}
}

// TestWidthsAreThoseOfTheProcessor asks the kernel of the system what the processor
// has. Without this a mistake in the detection would be tests that are skipped.
func TestWidthsAreThoseOfTheProcessor(t *testing.T) {
	require.Equal(t, Scalar, Widths()[len(Widths())-1])
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil || runtime.GOARCH != "amd64" || built == "purego" {
		if slices.Contains(strings.Split(*required, ","), Name) && runtime.GOARCH == "amd64" && built != "purego" {
			t.Fatal("simd is required, but what the processor has is not known: ", err)
		}
		t.Skip("this machine has no width that is known otherwise")
	}
	_, flags, _ := strings.Cut(string(text), "\nflags")
	flags, _, _ = strings.Cut(flags, "\n")
	has := func(names ...string) bool {
		return !slices.ContainsFunc(names, func(n string) bool { return !slices.Contains(strings.Fields(flags), n) })
	}
	avx2 := has("avx2", "fma")
	avx512 := avx2 && has("avx512f", "avx512bw", "avx512dq", "avx512vl")
	want := map[Width]bool{IFMA: avx512 && has("avx512ifma"), AVX512: avx512, AVX2: avx2, Scalar: true}
	for _, l := range levels {
		require.Equal(t, want[l.width], slices.Contains(Widths(), l.width), "%s", l.width)
	}
}

func TestWidthOfARing(t *testing.T) {
	for w, want := range map[Width]map[string]string{
		IFMA:   {"pulsar": "avx512-ifma", "mldsa": "avx512-narrow", "256,0xffffffffffc0001": "scalar", "65536,0x7e00001": "avx512-narrow"},
		AVX512: {"pulsar": "avx512-float", "mldsa": "avx512-narrow", "fhe27": "avx512-narrow", "256,0xffffffffffc0001": "scalar"},
		AVX2:   {"pulsar": "avx2-float", "mldsa": "avx2-narrow", "fhe27": "avx2-narrow", "256,0xffffffffffc0001": "scalar"},
		Scalar: {"pulsar": "scalar", "mldsa": "scalar"},
	} {
		t.Run(string(w), func(t *testing.T) {
			b := atWidth(w, 1)(t)
			defer b.Close()
			for ring, kernels := range want {
				r, err := ntt.Parse(ring)
				require.NoError(t, err)
				p, err := b.NTT(r)
				require.NoError(t, err)
				require.Equal(t, kernels, PlanWidth(p), "%s", ring)
			}
		})
	}
	b, err := cpu.Open(backends.Options{})
	require.NoError(t, err)
	defer b.Close()
	p, err := b.NTT(mustRing(t, "mldsa"))
	require.NoError(t, err)
	require.Equal(t, "scalar", PlanWidth(p), "it has the same kernels")
	require.Empty(t, PlanWidth(nil))
}

func mustRing(t testing.TB, name string) *ntt.Ring {
	t.Helper()
	r, err := ntt.Parse(name)
	require.NoError(t, err)
	return r
}

// The limits that String gives are those of the kernels: no ring below them is left
// to the scalar ones.
func TestLimitsAreTheKernels(t *testing.T) {
	for _, l := range present() {
		for _, limit := range l.transforms {
			for n := 8; n <= ntt.MaxN; n *= 4 {
				r := largest(t, n, 1<<limit.bits)
				k, ok := l.kernels(r).(*vector)
				require.True(t, ok, "%s %v", l.width, r)
				require.Equal(t, limit.width, k.width, "%s %v", l.width, r)
			}
		}
	}
}

// largest returns the ring of degree n with the largest q below the limit.
func largest(t testing.TB, n int, limit uint64) *ntt.Ring {
	t.Helper()
	step := uint64(2 * n)
	for q := (limit-2)/step*step + 1; q > step; q -= step {
		if r, err := ntt.NewRing(n, q); err == nil {
			return r
		}
	}
	t.Fatalf("no ring of degree %d below %d", n, limit)
	return nil
}

func TestOpenRefuses(t *testing.T) {
	for _, o := range []Options{
		{Width: "avx1024"},
		{Width: ARM64x2, Options: backends.Options{Workers: -1}},
		{Options: backends.Options{Workers: -1}},
	} {
		_, err := New(o)
		require.ErrorIs(t, err, backends.ErrUnavailable)
		var e *backends.Error
		require.ErrorAs(t, err, &e)
		require.Equal(t, "open", e.Op)
	}
	_, err := New(Options{Width: "avx1024"})
	require.ErrorContains(t, err, `no width "avx1024"`)
}

func TestInfoNamesTheWidth(t *testing.T) {
	for _, w := range Widths() {
		b := atWidth(w, 0)(t)
		info := b.Info()
		require.NoError(t, b.Close())
		require.Equal(t, Name, info.Name)
		require.Equal(t, runtime.GOMAXPROCS(0), info.Workers, "all cores by default")
		if w == Scalar {
			require.Contains(t, info.Driver, "scalar Go, as no vector kernel applies")
		} else if w != ARM64x2 {
			require.Contains(t, info.Driver, string(w)+map[bool]string{true: " ", false: "-"}[w == IFMA])
		}
	}
	b, err := backends.Open(Name, backends.Options{Workers: 2})
	require.NoError(t, err)
	defer b.Close()
	require.Equal(t, 2, b.Info().Workers)
}
