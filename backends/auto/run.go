package auto

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/keccak"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// work is the rows or messages of one call, its shapes checked.
type work interface {
	has(m int) bool // whether member m can do any of it
	// part does those in [from, to) on member m.
	part(ctx context.Context, m, from, to int) error
	// check looks at every value, as a call would that does it all.
	check() error
}

// A run is one call on its way through the members.
type run struct {
	*route
	work
	timing *timing // nil: nobody asked
}

// do does n > 0 rows where they finish first. It returns how many are final, and
// why no more are, in the terms of the whole call. d is the decision, nil where none
// could be made yet.
func (c *run) do(ctx context.Context, d *decision, n int) (int, error) {
	if d == nil {
		c.timing.because(Unmeasured)
		return c.on(ctx, 0, 0, n)
	}
	p := c.choose(n, c.has, false, c.timing != nil)
	c.timing.because(p.reason)
	switch {
	case p.part > 0:
		return c.shared(ctx, n, p)
	case p.reason == Only:
		return c.on(ctx, p.member, 0, n)
	}
	start := c.b.now()
	done, err := c.on(ctx, p.member, 0, n)
	if err == nil && c.ableNow(p.member, n) {
		c.observe(p.member, n, float64(max(c.b.now()-start, 1)))
	}
	return done, err
}

// homeNow is the CPU that n rows are resumed on.
func (c *run) homeNow(n int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.home(n, c.has)
}

// on does rows [from, to) on member m and, where that is a device that fails, those
// that it left on the CPU.
func (c *run) on(ctx context.Context, m, from, to int) (int, error) {
	err := c.part(ctx, m, from, to)
	if err == nil {
		c.timing.part(c.b.members[m].name, from, to)
		return to, nil
	}
	done, known := doneOf(err)
	if !known || done < 0 || done > to-from {
		return from, fmt.Errorf("%s: %w", c.b.members[m].name, err)
	}
	c.timing.part(c.b.members[m].name, from, from+done)
	if !c.b.members[m].device() || !isFault(ctx, err) {
		return from + done, moveRow(inner(err), from)
	}
	c.timing.because(Resumed)
	if c.b.failed(c.b.members[m], c.op, to-from, done, err) {
		c.exclude(m, c.sizeLeftOut(to-from, err))
	}
	if from += done; from == to {
		return to, nil
	}
	return c.on(ctx, c.homeNow(to-from), from, to)
}

// sizeLeftOut is the least size of call that a device is no longer sent which failed
// one of n rows without being lost. Smaller calls may well fit its memory.
func (c *run) sizeLeftOut(n int, err error) int {
	if errors.Is(err, backends.ErrMemory) {
		return n
	}
	return 1
}

// failed notes what a device did to a call; it reports whether the device is left.
func (b *Backend) failed(m *member, op string, rows, done int, err error) bool {
	if errors.Is(err, backends.ErrDeviceLost) {
		b.lose(m, op, rows, done, err)
		return false
	}
	b.add(Event{Backend: m.name, Kind: Failed, Op: op, Rows: rows, Done: done, Err: err})
	return true
}

// isFault reports whether err says that a device failed, rather than that the call
// is wrong or was given up.
func isFault(ctx context.Context, err error) bool {
	if errors.Is(err, backends.ErrDeviceLost) {
		return true
	}
	if over := ctx.Err(); over != nil && errors.Is(err, over) {
		return false
	}
	for _, own := range []error{ntt.ErrShape, ntt.ErrRange, keccak.ErrShape, keccak.ErrClosed, context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, own) {
			return false
		}
	}
	return true
}

// doneOf is how many rows the error of a call says are final, if it says.
func doneOf(err error) (int, bool) {
	var rows *backends.Error
	if errors.As(err, &rows) {
		return rows.Done, true
	}
	var digests *keccak.Error
	if errors.As(err, &digests) {
		return digests.Done, true
	}
	return 0, false
}

// moveRow makes the row that an *ntt.RangeError names one of the whole call, of
// which the part with the error began at row from.
func moveRow(err error, from int) error {
	var e *ntt.RangeError
	if from > 0 && errors.As(err, &e) {
		return &ntt.RangeError{Arg: e.Arg, Row: e.Row + from, Index: e.Index}
	}
	return err
}

// shared splits n rows between the CPU, which takes the first ones of each round,
// and the device of p.
func (c *run) shared(ctx context.Context, n int, p pick) (int, error) {
	if err := c.check(); err != nil {
		return 0, err
	}
	d, step := p.member, roundRows(n, p.expected)
	start := c.b.now()
	var host, device time.Duration
	for from := 0; from < n; from += step {
		if err := ctx.Err(); err != nil {
			return from, err
		}
		to := min(from+step, n)
		k := int(math.Round(float64(p.part) / float64(n) * float64(to-from)))
		if !c.ableNow(d, k) {
			return c.on(ctx, c.homeNow(n-from), from, n)
		}
		t, err := c.round(ctx, d, from, to-k, to)
		if err.err != nil {
			return err.done, err.err
		}
		host, device = host+t[0], device+t[1]
	}
	if c.ableNow(d, p.part) {
		c.observeSplit(d, n, p.part, float64(max(c.b.now()-start, 1)), float64(device), float64(host))
	}
	return n, nil
}

// roundRows is how many of n rows that are expected to take ns there are in a round.
func roundRows(n int, ns float64) int {
	rounds := int(min(math.Ceil(ns/round), float64(min(n, math.MaxInt32))))
	return (n-1)/rounds + 1
}

// ableNow is able for a caller that does not hold mu.
func (c *run) ableNow(m, n int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.able(m, n)
}

// outcome is how a part of a call ended: done rows of the call are final.
type outcome struct {
	done int
	err  error
}

// round does rows [from, mid) on the CPU and [mid, to) on device d at once, without
// a look at the context: were the CPU to stop, the rows of the device would not be
// untouched. It returns the times of the two. The CPU has nothing to fail on then, and
// what the device leaves is resumed.
func (c *run) round(ctx context.Context, d, from, mid, to int) (times [2]time.Duration, failed outcome) {
	ctx = context.WithoutCancel(ctx)
	home := c.homeNow(mid - from)
	var wg sync.WaitGroup
	var theirs outcome
	wg.Go(func() {
		start := c.b.now()
		theirs.done, theirs.err = c.on(ctx, d, mid, to)
		times[1] = c.b.now() - start
	})
	start := c.b.now()
	done, err := c.on(ctx, home, from, mid)
	times[0] = c.b.now() - start
	wg.Wait()
	if err != nil {
		return times, outcome{done, err}
	}
	return times, theirs
}
