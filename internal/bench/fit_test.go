package bench

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFitLineExact(t *testing.T) {
	var ps []FitPoint
	for _, n := range []int{65536, 1, 64, 4096} {
		ps = append(ps, FitPoint{N: n, T: 5e6 + 850*float64(n)})
	}
	f, err := FitLine(ps)
	require.NoError(t, err)
	require.InEpsilon(t, 5e6, f.D, 1e-9)
	require.InEpsilon(t, 850, f.Tau, 1e-9)
	require.Less(t, f.MaxError, 1e-9)
	require.Equal(t, [2]int{1, 65536}, [2]int{f.From, f.To})
	require.InEpsilon(t, 5e6+8500, f.At(10), 1e-9)
}

// Catches an unweighted fit, which lets the largest batch decide and puts D at
// many times its value, and a Weight of 0 that means nought.
func TestFitLineIsRelative(t *testing.T) {
	ps := []FitPoint{{N: 1, T: 1000}, {N: 10, T: 1900}, {N: 100, T: 10900}, {N: 100000, T: 12e6}}
	f, err := FitLine(ps)
	require.NoError(t, err)
	require.InEpsilon(t, 900, f.D, 0.15)

	for i := range ps {
		ps[i].Weight = 1
	}
	same, err := FitLine(ps)
	require.NoError(t, err)
	require.Equal(t, f, same)

	for i := range ps { // weights that undo the division by T²
		ps[i].Weight = ps[i].T * ps[i].T
	}
	absolute, err := FitLine(ps)
	require.NoError(t, err)
	require.Greater(t, math.Abs(absolute.D-900), 0.15*900)
	require.Greater(t, absolute.MaxError, f.MaxError)
}

// The sum of the weights is 1 exactly here; catches a division by sum - 1.
func TestFitLineWeightsSumToOne(t *testing.T) {
	f, err := FitLine([]FitPoint{{N: 1, T: 1, Weight: 0.5}, {N: 3, T: 2, Weight: 2}})
	require.NoError(t, err)
	require.InDelta(t, 0.5, f.D, 1e-12)
	require.InDelta(t, 0.5, f.Tau, 1e-12)
}

func TestFitLineErrors(t *testing.T) {
	ok := FitPoint{N: 1, T: 1}
	for name, ps := range map[string][]FitPoint{
		"none":            nil,
		"one":             {ok},
		"one size twice":  {ok, {N: 1, T: 2}},
		"no time":         {ok, {N: 2}},
		"negative time":   {ok, {N: 2, T: -1}},
		"time NaN":        {ok, {N: 2, T: math.NaN()}},
		"time infinite":   {ok, {N: 2, T: math.Inf(1)}},
		"negative weight": {ok, {N: 2, T: 1, Weight: -1}},
		"weight NaN":      {ok, {N: 2, T: 1, Weight: math.NaN()}},
		"weight infinite": {ok, {N: 2, T: 1, Weight: math.Inf(1)}},
		"overflow":        {{N: 1, T: 1e-300}, {N: 2, T: 1e-300}},
	} {
		_, err := FitLine(ps)
		require.ErrorIs(t, err, ErrFit, name)
	}
}

func TestGoodFit(t *testing.T) {
	require.True(t, Fit{Tau: 1, MaxError: GoodFit}.Good())
	require.False(t, Fit{Tau: 1, MaxError: 0.21}.Good())
	require.False(t, Fit{Tau: 0}.Good())
	require.False(t, Fit{Tau: -1}.Good())
	require.False(t, Fit{Tau: 1, MaxError: math.NaN()}.Good())
}

// Catches ref and sub exchanged, and a meeting at which ref overtakes sub.
func TestPredict(t *testing.T) {
	for _, c := range []struct {
		name     string
		ref, sub Fit
		n        float64
		ok       bool
	}{
		{"overtakes", Fit{D: 100, Tau: 3}, Fit{D: 1100, Tau: 1}, 500, true},
		{"falls behind", Fit{D: 1100, Tau: 1}, Fit{D: 100, Tau: 3}, 0, false},
		{"parallel", Fit{D: 1, Tau: 2}, Fit{D: 2, Tau: 2}, 0, false},
		{"equal", Fit{D: 1, Tau: 2}, Fit{D: 1, Tau: 2}, 0, false},
		{"ahead from the start", Fit{D: 9, Tau: 3}, Fit{D: 1, Tau: 1}, 0, false},
		{"ahead from half a row", Fit{D: 2, Tau: 3}, Fit{D: 3, Tau: 1}, 0, false},
		{"slower throughout", Fit{D: 1, Tau: 1}, Fit{D: 9, Tau: 3}, 0, false},
		{"NaN", Fit{D: math.NaN(), Tau: 1}, Fit{}, 0, false},
	} {
		n, ok := Predict(c.ref, c.sub)
		require.Equal(t, c.ok, ok, c.name)
		require.InDelta(t, c.n, n, 1e-9, c.name)
	}
}
