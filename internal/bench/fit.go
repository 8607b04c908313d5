package bench

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"
)

// Fit is the line T(n) = D + Tau·n through the times of a batch of n.
type Fit struct {
	// D is the time that a batch costs whatever its size, in ns; Tau is what
	// each row adds, in ns. Either may come out slightly negative.
	D, Tau float64
	// MaxError is the largest |D + Tau·N - T| / T over the points fitted.
	MaxError float64
	// From and To are the smallest and the largest N fitted.
	From, To int
}

// GoodFit is the largest MaxError at which a line still describes what was
// measured. One that misses a point by more explains nothing, and predicts less.
const GoodFit = 0.20

// Good reports whether f describes its points: D + Tau·n misses none by more than
// GoodFit, and more rows take more time.
func (f Fit) Good() bool { return f.Tau > 0 && f.MaxError <= GoodFit }

// FitPoint is one batch size and the time that it took.
type FitPoint struct {
	N int
	// T is the time of the whole batch in ns, positive.
	T float64
	// Weight multiplies the square of the point's relative error; 0 means 1.
	Weight float64
}

// ErrFit is wrapped by the errors of FitLine.
var ErrFit = errors.New("bench: no line can be fitted")

// FitLine returns the line that minimises the weighted sum of squared relative
// errors, sum Weight·((D + Tau·N - T)/T)². Relative, since times span five
// powers of ten between a batch of 1 and one of 65,536: by absolute errors the
// largest batch alone would decide, and D would be its rounding error.
//
// It returns an error wrapping ErrFit for fewer than two distinct N, a T that
// is not positive and finite, or a Weight that is negative or not finite.
func FitLine(points []FitPoint) (Fit, error) {
	var x, y, w []float64
	var sum float64
	for _, p := range points {
		if !isDuration(p.T) {
			return Fit{}, fmt.Errorf("%w: time %v ns at batch %d", ErrFit, p.T, p.N)
		}
		if !(p.Weight >= 0) || math.IsInf(p.Weight, 1) {
			return Fit{}, fmt.Errorf("%w: weight %v at batch %d", ErrFit, p.Weight, p.N)
		}
		wi := 1 / (p.T * p.T)
		if p.Weight > 0 {
			wi *= p.Weight
		}
		x, y, w = append(x, float64(p.N)), append(y, p.T), append(w, wi)
		sum += wi
	}
	f, distinct := span(points)
	if !distinct {
		return Fit{}, fmt.Errorf("%w: fewer than two distinct batch sizes", ErrFit)
	}
	// stat.LinearRegression divides by (sum of weights - 1) on the way.
	for i := range w {
		w[i] *= float64(len(w)) / sum
	}
	f.D, f.Tau = stat.LinearRegression(x, y, w, false)
	if math.IsNaN(f.D) || math.IsInf(f.D, 0) || math.IsNaN(f.Tau) || math.IsInf(f.Tau, 0) {
		return Fit{}, fmt.Errorf("%w: times or weights too far apart", ErrFit)
	}
	for i := range x {
		f.MaxError = max(f.MaxError, math.Abs(f.At(x[i])-y[i])/y[i])
	}
	return f, nil
}

// span returns a Fit with From and To set, and whether they differ.
func span(points []FitPoint) (Fit, bool) {
	if len(points) == 0 {
		return Fit{}, false
	}
	f := Fit{From: points[0].N, To: points[0].N}
	for _, p := range points {
		f.From, f.To = min(f.From, p.N), max(f.To, p.N)
	}
	return f, f.From < f.To
}

// At returns the fitted time of a batch of n, in ns.
func (f Fit) At(n float64) float64 { return f.D + f.Tau*n }

// Predict returns the batch size from which sub is faster than ref, where
// their lines meet. It returns false if sub does not overtake ref: it is no
// faster per row, or it is faster from the first row on.
func Predict(ref, sub Fit) (n float64, ok bool) {
	gain := ref.Tau - sub.Tau
	n = (sub.D - ref.D) / gain
	if !(gain > 0) || !(n >= 1) || math.IsInf(n, 1) {
		return 0, false
	}
	return n, true
}
