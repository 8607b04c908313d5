package bench

import (
	"context"
	"time"
)

// virtual is a clock that only its tasks advance, so that every time in a test
// is exact and no test waits.
type virtual struct {
	now   time.Duration
	grain time.Duration // readings are rounded down to it, if set
	log   []string      // names of the tasks run, call by call
}

func (v *virtual) Now() time.Duration {
	if v.grain > 0 {
		return v.now.Truncate(v.grain)
	}
	return v.now
}

// task returns a Task whose call number k, from 0, takes cost(k) and then
// returns fail(k), where fail may be nil.
func (v *virtual) task(name string, cost func(k int) time.Duration, fail func(k int) error) Task {
	k := 0
	return Task{Name: name, Run: func(context.Context) error {
		v.log = append(v.log, name)
		v.now += cost(k)
		k++
		if fail != nil {
			return fail(k - 1)
		}
		return nil
	}}
}

// steady is the cost of a task that always takes d.
func steady(d time.Duration) func(int) time.Duration {
	return func(int) time.Duration { return d }
}
