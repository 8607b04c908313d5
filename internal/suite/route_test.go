package suite

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/internal/report"
)

// chooser costs what a choice of four threads always would, and a little more.
func chooser(f *field) *fake {
	return &fake{clock: &f.clock, d: 2100, tau: cpuTau / 4, lazy: true,
		info: backends.Info{Name: Auto, Device: "CPU", Workers: 4}}
}

func TestRouteComparesWithTheBestOfEachSize(t *testing.T) {
	f := newField()
	cs := append(f.contestants(), chooser(f).contestant(Auto))
	for _, op := range []Op{Forward, MulAdd} {
		c := forward(t, 1, 4, 1024)
		c.Op = op
		r, err := Route(t.Context(), cs, c, f.measuring())
		require.NoError(t, err)
		require.False(t, r.Partial)
		require.Len(t, r.Rows, 3)
		require.InDelta(t, 2100+cpuTau/4, r.FirstNs, 1)
		for i, want := range []string{CPU, CPUMT, CPUMT} {
			require.Equal(t, want, r.Rows[i].Best, "%+v", r.Rows[i])
		}
		require.False(t, r.Rows[0].Within(), "four threads for one row")
		require.True(t, r.Rows[2].Within())
		require.InDelta(t, r.Rows[2].AutoNs/r.Rows[2].BestNs, r.Rows[2].Ratio.Median, 1e-3)
	}
	f.settled(t)
}

func TestRouteFailures(t *testing.T) {
	f := newField()
	_, err := Route(t.Context(), f.contestants(), forward(t, 1), f.measuring())
	require.ErrorIs(t, err, ErrNoAuto)
	_, err = Route(t.Context(), f.contestants(), forward(t, 4, 1), f.measuring())
	require.ErrorIs(t, err, ErrSizes)

	auto := chooser(f)
	cs := append(f.contestants(), auto.contestant(Auto))
	auto.failAt, auto.failure = 4, errors.New("planted")
	r, err := Route(t.Context(), cs, forward(t, 1, 4, 16), f.measuring())
	require.ErrorIs(t, err, auto.failure)
	require.Len(t, r.Rows, 1)

	auto.failure = nil
	auto.bend = func(dst []uint64, rows int) { dst[0] ^= 1 }
	_, err = Route(t.Context(), cs, forward(t, 1), f.measuring())
	require.ErrorIs(t, err, ErrMismatch)
	f.settled(t)
}

// Devices are held to the best CPU code that is here, by whatever name, and what
// chooses among all to none.
func TestCrossoversAreAgainstTheBestCPU(t *testing.T) {
	f := newField()
	simd := &fake{clock: &f.clock, d: 500, tau: cpuTau / 20, lazy: true, info: backends.Info{Name: "simd", Device: "CPU", Workers: 4}}
	cs := append(f.contestants(), simd.contestant("simd"), chooser(f).contestant(Auto))
	r, err := Sweep(t.Context(), cs, forward(t, paperSizes()...), f.measuring())
	require.NoError(t, err)
	var pairs [][2]string
	for _, c := range r.Crossovers {
		pairs = append(pairs, [2]string{c.Backend, c.Against})
	}
	require.Equal(t, [][2]string{{CPUMT, CPU}, {"metal", CPU}, {"metal", "simd"}, {"simd", CPU}}, pairs)
	require.Equal(t, report.VerdictNever, crossover(t, r, "metal", "simd").Verdict)
	require.Equal(t, report.VerdictFound, crossover(t, r, "metal", CPU).Verdict)
	require.Len(t, row(t, r.Rows, Auto, 4096).Speedup, 3, "over every CPU code, and not over itself")
	require.NotContains(t, row(t, r.Rows, "metal", 4096).Speedup, Auto)
}
