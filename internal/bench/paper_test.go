package bench

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// paperRows are the batch times, in µs, of the table "NTT throughput by batch
// size, M1 Max, 2026-05-04" of the Lux blockchain scaling-laws paper.
var paperRows = []struct {
	n                int
	cpu, metal, wgsl float64
}{
	{1, 1.36, 1481.36, 2731.92},
	{4, 5.35, 2020.93, 2771.13},
	{16, 21.76, 2985.26, 2758.04},
	{64, 86.75, 5728.54, 3604.07},
	{256, 346.59, 6029.91, 3914.81},
	{1024, 1445.17, 6706.20, 4688.74},
	{2688, 3705.77, 8588.15, 7117.69},
	{4096, 6328.00, 9509.79, 9215.33},
	{16384, 24473.82, 19518.02, 27534.67},
	{65536, 90652.03, 61190.16, 103545.52},
}

// paperFit fits column times (µs) of the rows from n on.
func paperFit(t *testing.T, from int, time func(i int) float64) Fit {
	var ps []FitPoint
	for i, r := range paperRows {
		if r.n >= from {
			ps = append(ps, FitPoint{N: r.n, T: 1e3 * time(i)})
		}
	}
	f, err := FitLine(ps)
	require.NoError(t, err)
	require.Equal(t, [2]int{from, 65536}, [2]int{f.From, f.To})
	return f
}

func paperPoints(time func(i int) float64) []Point {
	var ps []Point
	for i, r := range paperRows {
		ps = append(ps, NewPoint(r.n, NewStats([]float64{1e3 * time(i)}), NewStats([]float64{1e3 * r.cpu})))
	}
	return ps
}

func paperCPU(i int) float64   { return paperRows[i].cpu }
func paperMetal(i int) float64 { return paperRows[i].metal }
func paperWGSL(i int) float64  { return paperRows[i].wgsl }

// Below n = 64 the Metal times grow with n far faster than from there on:
// another regime, which the fit leaves out. Catches an unweighted fit, whose D
// is 5.91 ms.
func TestPaperMetal(t *testing.T) {
	metal := paperFit(t, 64, paperMetal)
	require.InEpsilon(t, 5.85e6, metal.D, 0.005)
	require.InEpsilon(t, 853, metal.Tau, 0.005)
	require.InDelta(t, 0.0518, metal.MaxError, 1e-4)

	// 1.38 µs per polynomial is the paper's own figure at 2,688 and at 65,536.
	n, ok := Predict(Fit{Tau: 1380}, metal)
	require.True(t, ok)
	require.InEpsilon(t, 11100, n, 0.01)
	// The CPU's fitted line holds its slow rows, 4,096 and 16,384, as well.
	n, ok = Predict(paperFit(t, 1, paperCPU), metal)
	require.True(t, ok)
	require.InEpsilon(t, 11100, n, 0.05)

	c := FindCrossover(paperPoints(paperMetal))
	require.Equal(t, Found, c.Verdict)
	require.Equal(t, [2]int{4096, 16384}, [2]int{c.Lo, c.Hi})
	require.Equal(t, []int{4096}, c.SignChanges)
	require.InEpsilon(t, 11100, *c.Batch, 0.11, "interpolated over a factor of 4")
}

func TestPaperWGSL(t *testing.T) {
	c := FindCrossover(paperPoints(paperWGSL))
	require.Equal(t, Crossover{Verdict: Never, Lo: 65536, UpTo: 65536}, c)
	wgsl := paperFit(t, 64, paperWGSL)
	require.InEpsilon(t, 3.4e6, wgsl.D, 0.01)
	require.InEpsilon(t, 1460, wgsl.Tau, 0.01)
	_, ok := Predict(paperFit(t, 1, paperCPU), wgsl)
	require.False(t, ok)
}
