package bench

import (
	"context"
	"fmt"
	"math"
)

// closeEnough is the Hi/Lo at which a crossover is known well enough.
const closeEnough = 1.10

// Bisect measures between the ends of the crossover that points show until
// Hi/Lo <= 1.10, until noise stops it, or until maxSteps sizes were measured.
// It returns all points, ascending in N, and FindCrossover's verdict over them;
// on an error of measure or of ctx it returns those of the points so far beside
// the error. measure returns the Point at size n; its N is taken to be n.
//
// Undecided sizes between Lo and Hi do not end the search: it goes on at either
// edge of the undecided range, where a side still wins outright, until both
// edges are known to 10 %. That is where noise stops it.
//
// A curve with steps, as a device that works in waves gives, may cross several
// times. Bisect closes in on one crossing between the two sizes it starts from;
// SignChanges lists those that the measured sizes show. Who knows the step
// measures more sizes first.
func Bisect(ctx context.Context, points []Point, maxSteps int,
	measure func(ctx context.Context, n int) (Point, error)) ([]Point, Crossover, error) {
	ps := sorted(points)
	if measure == nil {
		return ps, FindCrossover(ps), fmt.Errorf("%w: nothing to bisect with", ErrOptions)
	}
	for range maxSteps {
		n := nextSize(ps)
		if n == 0 {
			break
		}
		err := ctx.Err()
		var p Point
		if err == nil {
			p, err = measure(ctx, n)
		}
		if err != nil {
			return ps, FindCrossover(ps), fmt.Errorf("bench: bisecting at batch %d: %w", n, err)
		}
		p.N = n
		ps = sorted(append(ps, p))
	}
	return ps, FindCrossover(ps), nil
}

// nextSize returns the size to measure next, 0 if there is none worth it.
func nextSize(ps []Point) int {
	lo, hi := bracket(ps)
	if lo < 0 || hi == len(ps) || ratio(ps[lo].N, ps[hi].N) <= closeEnough {
		return 0
	}
	// Without undecided sizes between them the two gaps are one.
	n, width := middle(ps[lo].N, ps[lo+1].N)
	if n2, width2 := middle(ps[hi-1].N, ps[hi].N); width2 > width {
		n, width = n2, width2
	}
	if width <= closeEnough {
		return 0
	}
	return n
}

// middle returns the geometric middle of 1 <= a < b and b/a, zeros if no integer
// lies strictly between.
func middle(a, b int) (n int, width float64) {
	if b-a < 2 {
		return 0, 0
	}
	// Between a + 1/2, as b >= a+2, and (a+b)/2: strictly inside when rounded.
	return int(math.Round(math.Sqrt(float64(a) * float64(b)))), ratio(a, b)
}

func ratio(a, b int) float64 { return float64(b) / float64(a) }
