package blockstm

// throttle puts the block on one worker while nothing is gained by more. The
// sign is that nearly every transaction began to run when all before it were
// committed: then no two ran at the same time. After a while it tries again with
// all workers, and waits longer each time that this brings nothing. Its methods
// are called by the holder of the baton.
type throttle struct {
	off         bool
	seen, final int // transactions committed since the last decision, and how many ran in turn
	left        int // transactions to commit before the other workers may go on
	span        int // how many there will be next time
}

const (
	throttleWindow = 64
	throttleFirst  = 128
	throttleLast   = 1 << 13
)

// throttled reports whether the block runs on one worker.
func (t *throttle) throttled() bool { return t.left > 0 }

// note takes note of a commit, and returns how many workers may run from now
// on: one, all (-1), or as many as before (0).
func (t *throttle) note(final bool) int {
	if t.off {
		return 0
	}
	if t.left > 0 {
		if t.left--; t.left == 0 {
			return -1
		}
		return 0
	}
	t.seen++
	if final {
		t.final++
	}
	if t.seen < throttleWindow {
		return 0
	}
	chain := 16*t.final >= 15*t.seen
	t.seen, t.final = 0, 0
	if !chain {
		t.span = throttleFirst
		return 0
	}
	t.left = t.span
	t.span = min(2*t.span, throttleLast)
	return 1
}
