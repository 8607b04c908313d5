package bench

import (
	"math"
	"math/big"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat"
)

// Values from printed tables of the sign test's interval for the median.
// Catches a rank too far in or out, and < for <= in the coverage.
func TestMedianRanks(t *testing.T) {
	for _, c := range []struct{ n, l, u int }{
		{1, 1, 1}, {2, 1, 2}, {5, 1, 5}, {6, 1, 6}, {8, 1, 8}, {9, 2, 8},
		{11, 2, 10}, {12, 3, 10}, {15, 4, 12}, {20, 6, 15}, {25, 8, 18}, {100, 40, 61},
	} {
		l, u := medianRanks(c.n)
		require.Equal(t, [2]int{c.l, c.u}, [2]int{l, u}, "n = %d", c.n)
	}
}

// Coverage counted in integers: of the 2^n equally likely ways in which n
// samples fall to either side of the median, the ranks miss those with fewer
// than l below, and as many mirrored.
func TestMedianRanksCoverage(t *testing.T) {
	covers := func(n, l int) float64 {
		missed := new(big.Int)
		for k := range l {
			missed.Add(missed, new(big.Int).Binomial(int64(n), int64(k)))
		}
		all := new(big.Int).Lsh(big.NewInt(1), uint(n))
		f, _ := new(big.Rat).SetFrac(missed.Lsh(missed, 1), all).Float64()
		return 1 - f
	}
	for n := 6; n <= 300; n++ {
		l, u := medianRanks(n)
		require.Equal(t, n+1, l+u)
		require.GreaterOrEqual(t, covers(n, l), 0.95, "n = %d", n)
		require.Less(t, covers(n, l+1), 0.95, "n = %d could be narrower", n)
	}
	require.InDelta(t, 0.988, covers(11, 2), 0.0005)
}

func TestNewStats(t *testing.T) {
	in := []float64{9, 1, 8, 2, 7, 3, 6, 4, 5, 11, 10}
	s := NewStats(in)
	require.Equal(t, 6.0, s.Median)
	require.Equal(t, 2.0, s.Lo)
	require.Equal(t, 10.0, s.Hi)
	require.Equal(t, 11, s.N)
	require.Equal(t, 9.0, s.Samples[0], "samples stay in order of time")
	require.Equal(t, []float64{9, 1, 8, 2, 7, 3, 6, 4, 5, 11, 10}, in)
	in[0] = 100
	require.Equal(t, 9.0, s.Samples[0], "samples are a copy")

	require.Equal(t, 2.5, NewStats([]float64{4, 1, 3, 2}).Median)
	require.Equal(t, 7.0, NewStats([]float64{7}).Median)
	require.True(t, math.IsNaN(NewStats(nil).Median))
	require.Zero(t, NewStats(nil).N)
}

// A stall in one sample moves neither the median nor its interval. The mutant
// with a mean for the median fails this check, as is shown on the spot.
func TestStallDoesNotMoveMedian(t *testing.T) {
	v := &virtual{}
	stall := v.task("stalls once", func(k int) time.Duration {
		if k == 7 {
			return time.Second
		}
		return time.Millisecond
	}, nil)
	rs, err := Measure(t.Context(), []Task{stall}, Options{Clock: v})
	require.NoError(t, err)
	s := rs[0].Stats
	require.Contains(t, s.Samples, 1e9, "the stall was sampled")
	holds := func(x float64) bool { return math.Abs(x-1e6) < 1 }
	require.True(t, holds(s.Median))
	require.True(t, holds(s.Lo) && holds(s.Hi))
	require.False(t, holds(stat.Mean(s.Samples, nil)), "a mean would pass")
}

// The machine slows threefold during the measurement. Both tasks suffer, and
// the paired ratio does not show it. Two mutants fail the check: dividing the
// two intervals, and running one task after the other.
func TestSharedDriftLeavesPairedRatio(t *testing.T) {
	v := &virtual{}
	drifting := func(d time.Duration) func(int) time.Duration {
		return func(int) time.Duration {
			slow := 1 + 2*min(v.now.Seconds(), 1)
			return time.Duration(float64(d) * slow)
		}
	}
	tasks := func() []Task {
		return []Task{
			v.task("a", drifting(12*time.Millisecond), nil),
			v.task("b", drifting(10*time.Millisecond), nil),
		}
	}
	holds := func(r Ratio) bool { return r.Lo > 1.05 && r.Median < 1.35 && r.Hi < 1.5 }

	rs, err := Measure(t.Context(), tasks(), Options{Clock: v, MinSamples: 41})
	require.NoError(t, err)
	a, b := rs[0].Stats, rs[1].Stats
	require.True(t, holds(PairedRatio(a, b)), "%v", PairedRatio(a, b))
	require.False(t, holds(Ratio{a.Median / b.Median, a.Lo / b.Hi, a.Hi / b.Lo}), "dividing intervals would pass")

	v.now = 0
	var apart []Stats
	for _, task := range tasks() {
		rs, err := Measure(t.Context(), []Task{task}, Options{Clock: v, MinSamples: 41})
		require.NoError(t, err)
		apart = append(apart, rs[0].Stats)
	}
	require.False(t, holds(PairedRatio(apart[0], apart[1])), "one after the other would pass")
}

func TestPairedRatio(t *testing.T) {
	a, b := NewStats([]float64{2, 4, 6, 99}), NewStats([]float64{1, 1, 1})
	require.Equal(t, Ratio{4, 2, 6}, PairedRatio(a, b), "sample 4 of a has no partner")

	nan := func(r Ratio) bool { return math.IsNaN(r.Median) && math.IsNaN(r.Lo) && math.IsNaN(r.Hi) }
	require.True(t, nan(PairedRatio(NewStats(nil), b)))
	for _, x := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		bad := NewStats([]float64{1, x, 1})
		require.True(t, nan(PairedRatio(bad, b)), "%v", x)
		require.True(t, nan(PairedRatio(b, bad)), "%v", x)
	}
}

func TestWallAdvances(t *testing.T) {
	c := Wall()
	start := c.Now()
	require.GreaterOrEqual(t, start, time.Duration(0))
	for c.Now() == start {
	}
	require.Greater(t, c.Now(), start)
}
