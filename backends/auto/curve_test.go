package auto

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestKnotIsTheNearestByFactor(t *testing.T) {
	for n, want := range map[int]int{
		-1: 0, 0: 0, 1: 0, 2: 1, 3: 2, 4: 2, 5: 2, 6: 3, 11: 3, 12: 4, 181: 7, 182: 8, 2688: 11, 65536: 16,
		1 << 24: 24, 1 << 40: 24, math.MaxInt: 24,
	} {
		require.Equal(t, want, knot(n), n)
	}
}

func TestCurveIsALineBetweenWhatWasMeasured(t *testing.T) {
	var c curve
	require.True(t, math.IsInf(c.at(7), 1), "nothing is known")
	c.set(4, 400)
	require.Equal(t, 400.0, c.at(1), "fewer rows take no longer")
	require.Equal(t, 800.0, c.at(8), "in proportion, as long as there is but one")
	c.set(16, 1000)
	for n, want := range map[int]float64{1: 400, 4: 400, 10: 700, 16: 1000, 32: 1800} {
		require.Equal(t, want, c.at(n), n)
	}
	d, tau := c.line(10)
	require.InDelta(t, 200, d, 1e-9)
	require.InDelta(t, 50, tau, 1e-9)
	c.set(64, 900) // less for more rows is noise, and no slope to go on with
	require.Equal(t, 900*2.0, c.at(128))
	require.Equal(t, 64, c.top)
}

func TestCurveLearns(t *testing.T) {
	var c curve
	c.set(1, 100)
	c.set(1024, 1024*100)
	c.observe(64, 64*50) // near no measured size: it counts in full
	require.Equal(t, 64*50.0, c.at(64))
	for range 40 {
		c.observe(1024, 1024*200)
	}
	require.InDelta(t, 1024*200, c.at(1024), 1024*3)
	was := c.at(1024)
	c.observe(1024, 1e12) // descheduled
	require.LessOrEqual(t, c.at(1024), was*(1+1.0/weighted)+1)
	c.set(2688, 1) // a size between: scaled along the curve
	require.Positive(t, c.at(2048))
}

func TestDecisionFindsWhereLinesCross(t *testing.T) {
	for _, c := range []struct{ d, tau, cross float64 }{{300_000, 200, 375}, {10_000, 900, 100}, {1e9, 500, 2e6}} {
		d := newDecision(func(n int) int {
			if 1000*float64(n) <= c.d+c.tau*float64(n) {
				return 0
			}
			return 1
		})
		require.Equal(t, []int{int(c.cross), math.MaxInt}, d.upTo)
		require.Equal(t, 0, d.at(1))
		require.Equal(t, 0, d.at(int(c.cross)))
		require.Equal(t, 1, d.at(int(c.cross)+1))
		require.Equal(t, 1, d.at(math.MaxInt))
	}
	always := newDecision(func(int) int { return 3 })
	require.Equal(t, 3, always.at(1))
	require.Equal(t, 3, always.at(1<<40))
}

func TestRehearsalSizes(t *testing.T) {
	for most, want := range map[int][]int{
		0: {1}, 1: {1}, 2: {1, 2}, 4: {1, 2, 4}, 64: {1, 2, 8, 64}, 1024: {1, 2, 16, 128, 1024}, 32768: {1, 2, 512, 4096, 32768},
	} {
		require.Equal(t, want, rehearsalSizes(most))
	}
}
