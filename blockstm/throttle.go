package blockstm

import "time"

// throttle takes workers away from a block that gains nothing by them. Every
// throttleWindow commits, but not before throttlePause, it decides again, by two
// signs:
//
//   - Nearly every transaction began to run when all before it were committed:
//     then no two ran at the same time, and the block is a chain. It goes on with
//     one worker for a while, then tries again with more, and waits longer each
//     time that this brings nothing.
//   - Many incarnations were in vain although execution was kept close to the
//     commits, as follows. Half the workers go on, until few are.
//
// It also bounds how far execution may run ahead of the commits. A transaction far
// ahead loses its maxLost incarnations before those that it depends on have settled;
// then it waits for its turn, and runs while nothing commits. With many workers it is
// this that costs time, not their number. So where one in four incarnations is in
// vain the window is cut, before workers are. Nor does much run in vain, then, when a
// commit is held up by a long transaction or by the operating system. The window
// doubles while little is in vain.
//
// Its methods are called by the holder of the baton.
type throttle struct {
	size  int // workers of the block; fewer than 2: it is left alone
	limit int // how many of them may run, when not down to one for a while
	seen  int // transactions committed since the last decision
	final int // how many of them ran in turn
	lost  int // incarnations of theirs that did not stand
	left  int // transactions to commit with one worker
	times int // how many windows that will be next time

	clock func() time.Time
	since time.Time // when the workers that may run were told so

	window int // transactions that may be started and not committed
}

const (
	throttleWindow = 64
	throttleFirst  = 2   // windows
	throttleLast   = 128 // windows

	// throttlePause is several times what it takes to wake a worker. Without it
	// a block of short transactions would be judged before the others are awake.
	throttlePause = 300 * time.Microsecond

	leastWindow = 32
	firstWindow = 256
	lastWindow  = 1 << 20
)

func newThrottle(size int) throttle {
	return throttle{size: size, limit: size, times: throttleFirst, window: firstWindow + 4*size,
		clock: time.Now, since: time.Now()}
}

// active reports whether not all the workers may run.
func (t *throttle) active() bool { return t.left > 0 || t.limit < t.size }

// note takes note of a commit, and returns how many workers may run from now on;
// 0 is as many as before.
func (t *throttle) note(final bool, lost int) int {
	if t.size < 2 {
		return 0
	}
	if t.left > 0 {
		if t.left--; t.left > 0 {
			return 0
		}
		t.since = t.clock()
		return t.limit
	}
	t.seen++
	t.lost += lost
	if final {
		t.final++
	}
	if t.seen%throttleWindow != 0 {
		return 0
	}
	now := t.clock()
	if now.Sub(t.since) < throttlePause {
		return 0
	}
	next := t.decide()
	t.since = now
	t.seen, t.final, t.lost = 0, 0, 0
	return next
}

func (t *throttle) decide() int {
	chain := 16*t.final >= 15*t.seen
	// Of two workers, one may lose more before it is better off alone.
	vain := t.window == leastWindow && (2*t.lost > t.seen && t.limit > 2 || 4*t.lost > 3*t.seen)
	if 16*t.lost <= t.seen {
		t.window = min(2*t.window, lastWindow)
	} else if 4*t.lost > t.seen {
		t.window = max(3*min(t.window, firstWindow)/4, leastWindow)
	}
	switch {
	case chain || vain && t.limit == 2:
		t.left = t.times * t.seen
		t.times = min(2*t.times, throttleLast)
		return 1
	case vain:
		t.limit = max(t.limit/2, 2) // one is for a while
		return t.limit
	}
	t.times = throttleFirst
	if t.limit < t.size && 8*t.lost <= t.seen {
		t.limit = min(2*t.limit, t.size)
		return t.limit
	}
	return 0
}
