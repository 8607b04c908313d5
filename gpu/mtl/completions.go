//go:build (darwin || metalsim) && cgo

package mtl

// #include <stdbool.h>
// #include <stdint.h>
// #include <stdlib.h>
import "C"

import (
	"sync"
	"sync/atomic"
)

// completions is what Metal's handlers have said. It has a lock of its own: a
// handler never waits for a call of Metal.
type completions struct {
	count atomic.Uint64 // of all so far: a cheap way to see whether there is news

	mu   sync.Mutex
	news []completion  // that the device has not taken
	wake chan struct{} // closed by the next one; nil while nobody sleeps
}

// completion is the end of a batch.
type completion struct {
	seq uint64
	err error
}

// add is called by a handler.
func (c *completions) add(news completion) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.news = append(c.news, news)
	c.count.Add(1)
	if c.wake != nil {
		close(c.wake)
		c.wake = nil
	}
}

// take appends the news to those of before.
func (c *completions) take(before []completion) []completion {
	c.mu.Lock()
	defer c.mu.Unlock()
	before = append(before, c.news...)
	clear(c.news)
	c.news = c.news[:0]
	return before
}

// after returns a channel that is closed once there were more completions than
// count.
func (c *completions) after(count uint64) <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.count.Load() > count {
		return over
	}
	if c.wake == nil {
		c.wake = make(chan struct{})
	}
	return c.wake
}

// over is a channel that is closed.
var over = func() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

// registry finds the device of a handler: it is given a number, since C must not
// keep a pointer of Go's. A handler whose device was closed finds none.
var registry = struct {
	sync.RWMutex
	devices map[uint64]*device
	last    uint64
}{devices: map[uint64]*device{}}

func register(d *device) {
	registry.Lock()
	defer registry.Unlock()
	registry.last++
	d.id = registry.last
	registry.devices[d.id] = d
}

func unregister(d *device) {
	registry.Lock()
	defer registry.Unlock()
	delete(registry.devices, d.id)
}

// mtlCompleted is what the bridge calls when a command buffer is done.
//
//export mtlCompleted
func mtlCompleted(id, seq C.uint64_t, hasFailed C.bool, code C.int64_t, text *C.char) {
	var err error
	if words := goString(text); hasFailed {
		err = failed(int64(code), words)
	}
	registry.RLock()
	d := registry.devices[uint64(id)]
	registry.RUnlock()
	if d != nil {
		d.completions.add(completion{uint64(seq), err})
	}
}
