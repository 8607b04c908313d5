package blocksim

// throttle is that of package blockstm, whose comments say why: it puts a chain on
// one worker, takes workers away while much is in vain, and bounds how far execution
// runs ahead of the commits.
type throttle struct {
	size, limit, window int
	seen, final, lost   int
	left, span          int
}

const (
	throttleWindow = 64
	throttleFirst  = 128
	throttleLast   = 1 << 13

	firstWindow = 256
	lastWindow  = 1 << 20
)

func newThrottle(size int) throttle {
	return throttle{size: size, limit: size, span: throttleFirst, window: firstWindow + 16*size}
}

func (t *throttle) active() bool { return t.left > 0 || t.limit < t.size }

// note takes note of a commit, and returns how many workers may run from now on; 0
// is as many as before.
func (t *throttle) note(final bool, lost int) int {
	if t.size < 2 {
		return 0
	}
	if t.left > 0 {
		if t.left--; t.left == 0 {
			return t.limit
		}
		return 0
	}
	t.seen++
	t.lost += lost
	if final {
		t.final++
	}
	if t.seen < throttleWindow {
		return 0
	}
	next := t.decide()
	t.seen, t.final, t.lost = 0, 0, 0
	return next
}

func (t *throttle) decide() int {
	chain := 16*t.final >= 15*t.seen
	if 8*t.lost <= t.seen {
		t.window = min(2*t.window, lastWindow)
	} else if 2*t.lost > t.seen {
		t.window = firstWindow + 16*t.size
	}
	vain := 2*t.lost > t.seen && t.limit > 2 || 4*t.lost > 3*t.seen
	switch {
	case chain || vain && t.limit == 2:
		t.left = t.span
		t.span = min(2*t.span, throttleLast)
		return 1
	case vain:
		t.limit /= 2
		return t.limit
	}
	t.span = throttleFirst
	if t.limit < t.size && 8*t.lost <= t.seen {
		t.limit = min(2*t.limit, t.size)
		return t.limit
	}
	return 0
}
