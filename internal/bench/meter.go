package bench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"
)

const (
	// minSamples is the least number of samples whose interval leaves out one
	// extreme on either side with room to spare (98.8 %).
	minSamples = 11
	// maxSamples bounds a generous Budget over quick tasks.
	maxSamples = 1001
	// maxReps bounds the repetitions within a sample: a task that takes no
	// time, or a clock that stands still, would otherwise be repeated for ever.
	maxReps = 1 << 20
)

// A run is a task with what has been learnt about it so far.
type run struct {
	task    Task
	warmup  time.Duration
	reps    int
	samples []float64     // ns per call, one per round
	spent   time.Duration // in samples
	err     error         // the task failed: it is left out from here on
}

// A meter is one measurement in progress.
type meter struct {
	Options
	runs   []run
	order  []int // of the tasks in a round, shuffled in place
	rng    *rand.Rand
	rounds int // complete ones
}

func newMeter(tasks []Task, o Options) *meter {
	if o.Clock == nil {
		o.Clock = Wall()
	}
	if o.MinSample == 0 {
		o.MinSample = time.Millisecond
	}
	o.MinSamples = max(o.MinSamples, minSamples)
	o.Warmup = max(o.Warmup, 1)
	m := &meter{
		Options: o,
		runs:    make([]run, len(tasks)),
		order:   make([]int, len(tasks)),
		rng:     rand.New(rand.NewPCG(o.Seed, 0)),
	}
	for i, t := range tasks {
		m.runs[i].task = t
		m.order[i] = i
	}
	return m
}

// prepare makes the calls that come before any sample and settles how often a
// sample repeats the task. Whatever it times, but for the first call, is
// forgotten.
func (m *meter) prepare(ctx context.Context, r *run) {
	for i := range m.Warmup {
		d, ok := m.time(ctx, r, 1)
		if !ok {
			return
		}
		if i == 0 {
			r.warmup = d
		}
	}
	r.reps = 1
	for {
		d, ok := m.time(ctx, r, r.reps)
		if !ok || d >= m.MinSample || r.reps == maxReps {
			return
		}
		r.reps = nextReps(r.reps, d, m.MinSample)
	}
}

// nextReps returns how often to repeat a task, more than reps times, given that
// reps repetitions took d, less than want. A fifth is added, since the next
// time may be a little shorter; a growth of more than a hundredfold would trust
// too much in a time that the grain of the clock may have made.
func nextReps(reps int, d, want time.Duration) int {
	most := min(100*reps, maxReps)
	if d <= 0 {
		return most
	}
	est := 1.2 * float64(reps) * float64(want) / float64(d)
	return max(reps+1, int(min(est, float64(most))))
}

// time runs the task reps times and returns how long that took. It returns
// false if ctx ended or the task failed, and notes the failure.
func (m *meter) time(ctx context.Context, r *run, reps int) (time.Duration, bool) {
	if ctx.Err() != nil {
		return 0, false
	}
	start := m.Clock.Now()
	for range reps {
		if err := r.task.Run(ctx); err != nil {
			if ctx.Err() == nil { // else it was told to stop, which is no failure of its own
				r.err = fmt.Errorf("bench: task %q: %w", r.task.Name, err)
			}
			return 0, false
		}
	}
	return m.Clock.Now() - start, true
}

// round takes one sample of every task that still runs. A round that ctx cuts
// short does not count, so that all tasks have equally many samples.
func (m *meter) round(ctx context.Context) {
	m.rng.Shuffle(len(m.order), func(i, j int) { m.order[i], m.order[j] = m.order[j], m.order[i] })
	for _, i := range m.order {
		r := &m.runs[i]
		if r.err != nil {
			continue
		}
		d, ok := m.time(ctx, r, r.reps)
		switch {
		case ctx.Err() != nil && !ok:
			return
		case !ok:
			continue
		case d <= 0:
			r.err = fmt.Errorf("%w over %d calls of task %q", ErrClock, r.reps, r.task.Name)
		default:
			r.spent += d
			r.samples = append(r.samples, float64(d)/float64(r.reps))
		}
	}
	m.rounds++
}

// enough reports whether no more rounds are needed.
func (m *meter) enough() bool {
	live, spent := 0, time.Duration(0)
	for i := range m.runs {
		if m.runs[i].err == nil {
			live++
			spent += m.runs[i].spent
		}
	}
	if live == 0 || m.rounds >= maxSamples && m.rounds >= m.MinSamples {
		return true
	}
	return m.rounds >= m.MinSamples && spent/time.Duration(live) >= m.Budget
}

// stopped returns the error of a measurement that ctx cut short, else nil.
func (m *meter) stopped(ctx context.Context) error {
	if ctx.Err() == nil || m.enough() {
		return nil
	}
	return fmt.Errorf("bench: stopped after %d rounds: %w", m.rounds, ctx.Err())
}

func (m *meter) results(ctx context.Context) []Result {
	out := make([]Result, len(m.runs))
	for i := range m.runs {
		r := &m.runs[i]
		out[i] = Result{Name: r.task.Name, Warmup: float64(r.warmup), Reps: r.reps, Err: r.err}
		if r.err != nil {
			out[i].Stats = NewStats(nil)
			continue
		}
		out[i].Stats = NewStats(r.samples[:m.rounds])
		if m.rounds < m.MinSamples {
			out[i].Err = m.stopped(ctx)
		}
	}
	return out
}
