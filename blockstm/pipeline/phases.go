package pipeline

import "time"

// Phase is the time of one phase of a block, as the goroutine that led it saw it.
type Phase struct {
	// Busy is how long it worked, whether or not another phase went on beside it.
	Busy time.Duration
	// Exposed is its end minus the end of the phase before: what it adds to the
	// time of the block.
	Exposed time.Duration
}

// Phases are the times of a block.
type Phases struct {
	Exec, Commit, Root Phase
}

// EndToEnd is the time from the block to its root.
func (p *Phases) EndToEnd() time.Duration { return p.Exec.Exposed + p.Tail() }

// Tail is what follows the execution.
func (p *Phases) Tail() time.Duration { return p.Commit.Exposed + p.Root.Exposed }

// stopwatch measures the phases that follow one another.
type stopwatch struct {
	now  func() time.Duration
	last time.Duration
}

// lap returns the time since the last lap.
func (s *stopwatch) lap() time.Duration {
	t := s.now()
	d := t - s.last
	s.last = t
	return d
}

// sinceStart is a monotonic clock.
func sinceStart() func() time.Duration {
	start := time.Now()
	return func() time.Duration { return time.Since(start) }
}
