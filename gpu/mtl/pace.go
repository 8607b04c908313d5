//go:build (darwin || metalsim) && cgo

package mtl

// #include <sched.h>
import "C"

import (
	"context"
	"runtime"
	"time"
)

// How a Wait passes its time. Work that is done within spinFor is noticed without
// a sleep, which costs the time in which the system wakes a thread up.
const (
	spinFor = 200 * time.Microsecond
	// busy is the sleep where another call has the lock of the device.
	busy = 20 * time.Microsecond
)

// pace is the time of one Wait.
type pace struct {
	start time.Time
}

// pause returns when there may be news since heard, which looked says that the
// caller has taken, or when the context ends.
func (p *pace) pause(ctx context.Context, c *completions, heard uint64, looked bool) {
	if p.start.IsZero() {
		p.start = time.Now()
	}
	for time.Since(p.start) < spinFor {
		runtime.Gosched()
		C.sched_yield() // the simulator computes on the processors that we spin on
		if c.count.Load() > heard || !looked || ctx.Err() != nil {
			return
		}
	}
	if !looked {
		time.Sleep(busy)
		return
	}
	select {
	case <-c.after(heard):
	case <-ctx.Done():
	}
}
