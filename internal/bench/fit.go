package bench

import "errors"

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
// errors, sum Weight·((D + Tau·N - T)/T)².
func FitLine(points []FitPoint) (Fit, error) {
	return Fit{}, ErrFit
}

// Predict returns the batch size from which sub is faster than ref, where
// their lines meet.
func Predict(ref, sub Fit) (n float64, ok bool) {
	return 0, false
}
