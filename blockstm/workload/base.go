package workload

import (
	"time"

	"github.com/crosspoint-kernels/crosspoint/blockstm"
)

// Base returns the state before the block. Its reads take Config.Latency. It is
// safe for concurrent use.
func (w *Workload) Base() blockstm.Base[Key, Value] {
	if w.config.Latency > 0 {
		return slowState{w.genesis, w.config.Latency}
	}
	return state(w.genesis)
}

// Genesis returns the number of keys of the state before the block.
func (w *Workload) Genesis() int { return len(w.genesis) }

// state is a base state in memory.
type state map[Key]Value

func (s state) Get(k Key) (Value, bool, error) {
	value, ok := s[k]
	return value, ok, nil
}

// slowState is a base state on something that answers late.
type slowState struct {
	state
	latency time.Duration
}

func (s slowState) Get(k Key) (Value, bool, error) {
	block(s.latency)
	return s.state.Get(k)
}

// MeasureLatency returns how long a read of a latency d really takes here when
// nothing else runs: the mean of n, which is at least 1.
func MeasureLatency(d time.Duration, n int) time.Duration {
	start := time.Now()
	for range n {
		block(d)
	}
	return time.Since(start) / time.Duration(n)
}
