package bench

import "time"

// Clock is a monotonic clock. Only differences of its readings are used. Tests
// inject one that tasks advance themselves, so that a measurement is exact.
type Clock interface {
	// Now returns the time since a fixed but arbitrary start; it never decreases.
	Now() time.Duration
}

// Wall returns the machine's monotonic clock. One reading costs some tens of
// nanoseconds, which Options.MinSample keeps out of the result.
func Wall() Clock { return wall{start: time.Now()} }

type wall struct{ start time.Time }

func (w wall) Now() time.Duration { return time.Since(w.start) }
