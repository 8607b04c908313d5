package bench

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Task is one thing to be measured.
type Task struct {
	// Name is copied to the Result; it need not be unique.
	Name string
	// Run does the whole batch once. It is called many times in a row, from one
	// goroutine, and must do the same work each time.
	Run func(ctx context.Context) error
}

// Options says how long and how finely to measure. The zero value is usable.
type Options struct {
	// Clock is read around every sample; nil means Wall().
	Clock Clock
	// MinSamples is the number of rounds at least taken. Fewer than 11 would
	// make a poor interval, so a smaller value (zero, too) means 11. The interval
	// of 11 withstands one stalled round on either side, that of 21 five: take
	// 21 where other processes share the cores.
	MinSamples int
	// Budget is the time to spend on samples per task. Rounds are added to
	// MinSamples until all tasks together have used Budget times their number,
	// or 1001 rounds are there. Zero means no more than MinSamples.
	Budget time.Duration
	// MinSample is how long one sample should last: a task that is faster is
	// repeated within the sample, so that neither the grain of the clock nor the
	// cost of reading it matters. Zero means 1 ms.
	MinSample time.Duration
	// Warmup is the number of calls made before any is timed; less than 1 means 1.
	Warmup int
	// Seed draws the order of the tasks within each round. Equal seeds give
	// equal orders.
	Seed uint64
}

// Result is what Measure found out about one task.
type Result struct {
	Name string
	// Stats are per call of Run, over the samples of all complete rounds.
	Stats Stats
	// Warmup is the time of the very first call in ns. It is no sample.
	Warmup float64
	// Reps is the number of calls that each sample averages over.
	Reps int
	// Err is nil if the task was measured in full. Otherwise Stats must not be
	// quoted: it is that of no samples (all NaN) if the task failed, and of fewer
	// than MinSamples if the measurement was cancelled.
	Err error
}

var (
	// ErrOptions is wrapped by errors about an Options or Task that makes no sense.
	ErrOptions = errors.New("bench: bad options")
	// ErrClock is wrapped by a Result's error if the clock stood still over a
	// sample, so that no time per call can be given.
	ErrClock = errors.New("bench: clock did not advance")
)

// Measure runs the tasks in rounds, one sample of each task per round, in an
// order drawn anew for every round, and returns one Result per task in the
// order given. Sample i of every result was taken in round i, so that results
// can be compared by PairedRatio.
//
// A task that fails is named in its own Result.Err and left out from then on;
// the others go on. Measure itself fails on bad options (wrapping ErrOptions)
// and when ctx ends: it then returns ctx's error and all results, each with
// the rounds that were complete by then.
func Measure(ctx context.Context, tasks []Task, o Options) ([]Result, error) {
	if err := check(tasks, o); err != nil {
		return nil, err
	}
	m := newMeter(tasks, o)
	for i := range m.runs {
		m.prepare(ctx, &m.runs[i])
	}
	for ctx.Err() == nil && !m.enough() {
		m.round(ctx)
	}
	return m.results(ctx), m.stopped(ctx)
}

func check(tasks []Task, o Options) error {
	if o.Budget < 0 || o.MinSample < 0 {
		return fmt.Errorf("%w: negative time (Budget %v, MinSample %v)", ErrOptions, o.Budget, o.MinSample)
	}
	for i, t := range tasks {
		if t.Run == nil {
			return fmt.Errorf("%w: task %d (%q) has no Run", ErrOptions, i, t.Name)
		}
	}
	return nil
}
