package wgpu

import (
	"runtime"
	"time"
)

// How a Wait passes its time: it spins while the work may be all but done, then
// it sleeps a little longer each time, so that it is late by a small part of
// what the work took.
const (
	// spinFor is how long a sleep would be a large part of the work: the kernel
	// wakes a thread some 50 to 70 microseconds late.
	spinFor  = 500 * time.Microsecond
	minSleep = 20 * time.Microsecond
	maxSleep = 2 * time.Millisecond
	lateness = 16 // it sleeps at most 1/lateness of the time so far

	// silence is when a Wait begins to doubt the device. Drivers reset one that
	// hangs after 2 to 10 seconds.
	silence = 10 * time.Second
)

// pace times the questions of one Wait.
type pace struct {
	start  time.Time
	passed time.Duration // since start
	asked  time.Duration // since start, when the driver was last asked
	probed bool
}

// pause returns after a while.
func (p *pace) pause() {
	if p.start.IsZero() {
		p.start = time.Now()
		return
	}
	p.passed = time.Since(p.start)
	if p.passed < spinFor {
		runtime.Gosched()
		yield()
		return
	}
	sleep(min(max(p.passed/lateness, minSleep), maxSleep))
}

// ask reports whether it is time to ask the driver rather than the mark. The
// spans between such questions double, because on Vulkan each costs
// allocations.
func (p *pace) ask() bool {
	if p.passed < 2*p.asked {
		return false
	}
	p.asked = max(p.passed, spinFor/8)
	return true
}

// doubt reports, once, that the work takes suspiciously long.
func (p *pace) doubt() bool {
	if p.probed || p.passed < silence {
		return false
	}
	p.probed = true
	return true
}
