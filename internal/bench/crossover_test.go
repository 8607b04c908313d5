package bench

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// curve builds points at 1, 2, 4, ... from one letter each: s where the subject
// wins outright, r where the reference does, = where the interval holds 1 and
// ? where there is no ratio.
func curve(outcomes string) []Point {
	var ps []Point
	for i, o := range outcomes {
		r := map[rune]Ratio{
			's': {0.8, 0.7, 0.9}, 'r': {1.25, 1.1, 1.4}, '=': {1, 0.9, 1.1},
			'?': {math.NaN(), math.NaN(), math.NaN()},
		}[o]
		ps = append(ps, Point{N: 1 << i, Ratio: r})
	}
	return ps
}

// Catches, among others: the first win taken for the last (rsrs), a tie taken
// for a win (s=s, rr=), a tie at the end taken for never, the sign changes of
// ties, and a verdict over an undecided range of any width.
func TestFindCrossover(t *testing.T) {
	for _, c := range []struct {
		outcomes string
		verdict  Verdict
		lo, hi   int
		changes  []int
	}{
		{"", Noise, 0, 0, nil},
		{"s", Always, 0, 1, nil},
		{"r", Never, 1, 0, nil},
		{"=", Noise, 0, 0, nil},
		{"?", Noise, 0, 0, nil},
		{"ssss", Always, 0, 1, nil},
		{"rrrr", Never, 8, 0, nil},
		{"====", Noise, 0, 0, nil},
		{"rrss", Found, 2, 4, []int{2}},
		{"rsrs", Found, 4, 8, []int{1, 2, 4}},
		{"srrs", Found, 4, 8, []int{1, 4}},
		{"rssr", Never, 8, 0, []int{1, 4}},
		{"sr", Never, 2, 0, []int{1}},
		{"==r", Never, 4, 0, nil},
		{"rrr=", Noise, 4, 0, nil},
		{"rss=", Noise, 1, 0, []int{1}},
		{"ss?", Noise, 0, 0, nil},
		{"==ss", Noise, 0, 4, nil},
		{"s=s", Noise, 0, 4, nil},
		{"r=s", Noise, 1, 4, []int{1}},
		{"r==ss", Noise, 1, 8, []int{1}},
		{"rs=s", Noise, 1, 8, []int{1}},
		{"r=r=rs", Found, 16, 32, []int{16}},
	} {
		t.Run(c.outcomes, func(t *testing.T) {
			ps := curve(c.outcomes)
			got := FindCrossover(ps)
			require.Equal(t, c.verdict, got.Verdict)
			require.Equal(t, [2]int{c.lo, c.hi}, [2]int{got.Lo, got.Hi})
			require.Equal(t, c.changes, got.SignChanges)
			wins := len(c.outcomes) - len(strings.TrimLeft(c.outcomes, "s"))
			require.Equal(t, append([]int{0}, sizes(ps)...)[wins], got.WonTo)
			require.Nil(t, got.Predicted)
			require.Equal(t, c.verdict == Found, got.Batch != nil)
			if got.Batch != nil {
				require.Greater(t, *got.Batch, got.Lo)
				require.LessOrEqual(t, *got.Batch, got.Hi)
			}
			if len(ps) > 0 {
				require.Equal(t, ps[len(ps)-1].N, got.UpTo)
			}
			slices.Reverse(ps)
			require.Equal(t, got, FindCrossover(ps), "any order")
		})
	}
}

// sizes are those of ascending points.
func sizes(ps []Point) []int {
	var ns []int
	for _, p := range ps {
		ns = append(ns, p.N)
	}
	return ns
}

func TestFindCrossoverAcrossNarrowTie(t *testing.T) {
	ps := []Point{
		{N: 1000, Ratio: Ratio{1.10, 1.02, 1.2}},
		{N: 1400, Ratio: Ratio{1.00, 0.95, 1.05}},
		{N: 2000, Ratio: Ratio{0.91, 0.85, 0.98}},
	}
	c := FindCrossover(ps)
	require.Equal(t, Found, c.Verdict)
	require.InEpsilon(t, 1414, *c.Batch, 0.02)

	ps[2].N = 2001
	require.Equal(t, Noise, FindCrossover(ps).Verdict, "wider than an octave")
}

func TestFindCrossoverKeepsLastOfEqualSizes(t *testing.T) {
	ps := append(curve("rr"), curve("ss")...)
	require.Equal(t, Always, FindCrossover(ps).Verdict)
	require.Len(t, ps, 4)
	require.Equal(t, reference, ps[0].winner(), "the caller's points are left alone")
}

func TestSizesBelowOneAreIgnored(t *testing.T) {
	win := Ratio{0.8, 0.7, 0.9}
	ps := []Point{{N: -4, Ratio: Ratio{2, 2, 2}}, {N: 0, Ratio: win}, {N: 2, Ratio: win}, {N: 3, Ratio: win}}
	require.Equal(t, Crossover{Verdict: Always, Hi: 2, WonTo: 3, UpTo: 3}, FindCrossover(ps))
	require.Equal(t, Noise, FindCrossover(ps[:2]).Verdict)
	got, _, err := Bisect(t.Context(), ps, 5, func(context.Context, int) (Point, error) {
		return Point{}, errors.New("nothing to measure")
	})
	require.NoError(t, err)
	require.Len(t, got, 2)
}

// An interval that touches 1 decides nothing. Catches <= for <.
func TestTouchingOneIsNoWin(t *testing.T) {
	require.Equal(t, nobody, Point{Ratio: Ratio{0.9, 0.8, 1}}.winner())
	require.Equal(t, nobody, Point{Ratio: Ratio{1.1, 1, 1.2}}.winner())
}

// steps bisects exact ratios of f, tied within the fraction noise of 1, and
// returns the sizes measured, too.
func steps(t *testing.T, start []int, most int, noise float64, f func(n int) float64) ([]int, Crossover) {
	point := func(n int) Point {
		return Point{N: n, Ratio: Ratio{f(n), f(n) * (1 - noise), f(n) * (1 + noise)}}
	}
	var ps []Point
	for _, n := range start {
		ps = append(ps, point(n))
	}
	var asked []int
	all, c, err := Bisect(t.Context(), ps, most, func(_ context.Context, n int) (Point, error) {
		require.NotContains(t, append(asked, start...), n, "measured twice")
		asked = append(asked, n)
		return point(n), nil
	})
	require.NoError(t, err)
	require.Len(t, all, len(start)+len(asked))
	require.True(t, slices.IsSortedFunc(all, func(a, b Point) int { return a.N - b.N }))
	return asked, c
}

func TestBisect(t *testing.T) {
	at := func(x float64) func(int) float64 {
		return func(n int) float64 { return math.Sqrt(x / float64(n)) }
	}
	// A factor of 4 needs ceil(log2(log 4/log 1.1)) = 4 halvings in logarithms.
	asked, c := steps(t, []int{4096, 16384}, 20, 0, at(11100))
	require.Len(t, asked, 4)
	require.Equal(t, 8192, asked[0])
	require.Equal(t, Found, c.Verdict)
	require.LessOrEqual(t, float64(c.Hi)/float64(c.Lo), 1.10)
	require.InEpsilon(t, 11100, *c.Batch, 0.01)

	asked, c = steps(t, []int{4096, 16384}, 2, 0, at(11100))
	require.Len(t, asked, 2, "no more than maxSteps")
	require.Equal(t, [2]int{8192, 11585}, [2]int{c.Lo, c.Hi})

	for _, most := range []int{0, -1} {
		asked, _ = steps(t, []int{4096, 16384}, most, 0, at(11100))
		require.Empty(t, asked)
	}
	// Small sizes: no integer is left although Hi/Lo is 2.
	asked, c = steps(t, []int{1, 4}, 20, 0, at(1.5))
	require.Equal(t, []int{2}, asked)
	require.Equal(t, [3]int{1, 2, 2}, [3]int{c.Lo, c.Hi, *c.Batch})

	// Nothing to bisect.
	for _, x := range []float64{0.5, 1e9} {
		asked, _ = steps(t, []int{1, 4096, 16384}, 20, 0, at(x))
		require.Empty(t, asked)
	}
}

// Sizes within 16 % of the crossover are undecided: noise stops the bisection,
// with both edges of the undecided range known to 10 %. Catches a search that
// ends at the first undecided size, and one that asks for ever within the range.
func TestBisectStopsAtNoise(t *testing.T) {
	f := func(n int) float64 { return math.Sqrt(11100 / float64(n)) }
	asked, c := steps(t, []int{1024, 4096, 16384, 65536}, 20, 0.08, f)
	require.Less(t, len(asked), 12)
	require.Equal(t, Found, c.Verdict)
	require.InEpsilon(t, 11100*0.85, c.Lo, 0.1)
	require.InEpsilon(t, 11100*1.18, c.Hi, 0.1)
	require.InEpsilon(t, 11100, *c.Batch, 0.1)

	// Noise over more than an octave is called that.
	_, c = steps(t, []int{1024, 4096, 16384, 65536}, 20, 0.3, f)
	require.Equal(t, Noise, c.Verdict)
	require.Nil(t, c.Batch)
	require.NotZero(t, c.Lo)
	require.NotZero(t, c.Hi)
}

func TestBisectReturnsWhatFinished(t *testing.T) {
	broken := errors.New("device lost")
	ps := curve("rrrrrr......ss")
	ps = slices.DeleteFunc(ps, func(p Point) bool { return p.Ratio == Ratio{} })
	calls := 0
	all, c, err := Bisect(t.Context(), ps, 9, func(_ context.Context, n int) (Point, error) {
		if calls++; calls == 3 {
			return Point{}, broken
		}
		return Point{N: -n, Ratio: Ratio{2, 2, 2}}, nil // the wrong N is put right
	})
	require.ErrorIs(t, err, broken)
	require.True(t, strings.Contains(err.Error(), "batch"))
	require.Len(t, all, len(ps)+2)
	require.Positive(t, all[0].N)
	require.Equal(t, Found, c.Verdict)

	ctx, cancel := context.WithCancel(t.Context())
	calls = 0
	all, _, err = Bisect(ctx, ps, 9, func(_ context.Context, n int) (Point, error) {
		cancel()
		calls++
		return Point{N: n, Ratio: Ratio{2, 2, 2}}, nil
	})
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, 1, calls)
	require.Len(t, all, len(ps)+1)

	_, _, err = Bisect(t.Context(), ps, 9, nil)
	require.ErrorIs(t, err, ErrOptions)
}
