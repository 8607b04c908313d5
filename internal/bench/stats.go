package bench

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Stats summarises the samples of one task.
type Stats struct {
	// Median, in ns per call.
	Median float64
	// Lo and Hi bound the true median with a confidence of at least 95 %, in ns
	// per call: order statistics of the samples, see NewStats.
	Lo, Hi float64
	// N is len(Samples).
	N int
	// Samples are in ns per call, in the order in which they were taken: entry i
	// comes from round i of the measurement, for every task of it.
	Samples []float64
}

// Ratio is the median of paired ratios with its interval of at least 95 %
// confidence. All three are NaN where there is nothing to compare, which
// decides for neither side.
type Ratio struct{ Median, Lo, Hi float64 }

// NewStats returns the median of samples (ns per call, any order) and the
// distribution-free interval of the true median. It keeps a copy of samples.
// Without samples the three numbers are NaN.
//
// With n samples, the number that falls below the true median is binomial
// B(n, 1/2), so the l-th smallest and the l-th largest enclose it with
// probability 1 - 2·P(B <= l-1) (David and Nagaraja, Order Statistics, 3rd
// ed., section 7.1). The largest l that leaves at least 95 % is taken: ranks 2
// and 10 for n = 11, which cover 98.8 %. Below 6 samples no pair of ranks
// reaches 95 %; the interval is then the whole range of the samples.
func NewStats(samples []float64) Stats {
	s := Stats{N: len(samples), Samples: slices.Clone(samples)}
	s.Median, s.Lo, s.Hi = medianInterval(samples)
	return s
}

// PairedRatio compares a with b through the ratios a[i]/b[i] of samples taken
// in the same round: what slowed both cancels. Surplus samples of the longer
// one have no partner and are left out. The interval is that of NewStats over
// the ratios. A sample that is not a positive finite number is no duration,
// and makes the result NaN.
func PairedRatio(a, b Stats) Ratio {
	n := min(len(a.Samples), len(b.Samples))
	ratios := make([]float64, n)
	for i := range ratios {
		x, y := a.Samples[i], b.Samples[i]
		if !isDuration(x) || !isDuration(y) {
			return Ratio{math.NaN(), math.NaN(), math.NaN()}
		}
		ratios[i] = x / y
	}
	var r Ratio
	r.Median, r.Lo, r.Hi = medianInterval(ratios)
	return r
}

// medianInterval returns the median of xs and the bounds of its interval, all
// NaN for an empty xs. The mean of the two middle values is the median of an
// even number.
func medianInterval(xs []float64) (median, lo, hi float64) {
	n := len(xs)
	if n == 0 {
		return math.NaN(), math.NaN(), math.NaN()
	}
	s := slices.Clone(xs)
	slices.Sort(s)
	l, u := medianRanks(n)
	return (s[(n-1)/2] + s[n/2]) / 2, s[l-1], s[u-1]
}

// medianRanks returns the ranks, counted from 1, of the order statistics that
// enclose the median of n >= 1 samples with at least 95 %, or 1 and n where
// none do.
func medianRanks(n int) (l, u int) {
	below := distuv.Binomial{N: float64(n), P: 0.5}
	l = 1
	for l < n/2 && 2*below.CDF(float64(l)) <= 0.05 {
		l++ // rank l+1 leaves out l samples on either side
	}
	return l, n + 1 - l
}

func isDuration(x float64) bool { return x > 0 && !math.IsInf(x, 1) }
