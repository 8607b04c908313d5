package bench

import (
	"context"
	"errors"
)

// Bisect measures between the ends of the crossover that points show until
// Hi/Lo <= 1.10, until noise stops it, or until maxSteps sizes were measured.
// It returns all points, ascending in N, and the verdict over them; on an error
// of measure or of ctx it returns those of the points so far beside the error.
func Bisect(ctx context.Context, points []Point, maxSteps int,
	measure func(ctx context.Context, n int) (Point, error)) ([]Point, Crossover, error) {
	return points, FindCrossover(points), errors.ErrUnsupported
}
