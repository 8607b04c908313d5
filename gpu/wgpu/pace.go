package wgpu

import (
	"runtime"
	"time"
)

// How a Wait passes its time: it spins while the work may be all but done, then
// it sleeps a little longer each time, and looks whether the work is done after
// every pause. It looks at the mark where there is one, else it asks the driver.
// Either way it is late by at most 1/lateness of what the work took, or by
// minSleep where that is more, and by what the system adds to a sleep: 50
// microseconds on Linux by default (PR_SET_TIMERSLACK of prctl).
const (
	spinFor  = 500 * time.Microsecond // while what the system adds would be much
	minSleep = 20 * time.Microsecond
	maxSleep = 2 * time.Millisecond
	lateness = 16 // it sleeps at most 1/lateness of the time so far

	// silence is when a Wait begins to doubt the device. Drivers reset one that
	// hangs after 2 to 10 seconds.
	silence = 10 * time.Second
)

// clock is the time that a Wait passes. Tests have one of their own.
type clock interface {
	now() time.Time
	yield() // lets others run
	sleep(time.Duration)
}

// systemClock is the time as it is.
type systemClock struct{}

func (systemClock) now() time.Time        { return time.Now() }
func (systemClock) sleep(d time.Duration) { sleep(d) }

func (systemClock) yield() {
	runtime.Gosched()
	yield()
}

// pace times the questions of one Wait.
type pace struct {
	clock  clock
	marked bool // there is a mark to look at
	start  time.Time
	passed time.Duration // since start
	asked  time.Duration // since start, when the driver was last asked
	probed bool
}

// pause returns after a while.
func (p *pace) pause() {
	if p.start.IsZero() {
		p.start = p.clock.now()
		return
	}
	p.passed = p.clock.now().Sub(p.start)
	if p.passed < spinFor {
		p.clock.yield()
		return
	}
	p.clock.sleep(min(max(p.passed/lateness, minSleep), maxSleep))
}

// ask reports whether to ask the driver for its progress, and takes it that
// this is then done. Where a mark says the same, the driver is asked all the
// same, in case the mark is not seen, but in spans that double: on Vulkan, which
// has the mark, each question allocates.
func (p *pace) ask() bool {
	if p.marked && p.passed < 2*p.asked {
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
