package auto

import (
	"math"
	"sync"
	"sync/atomic"
)

// A route is one operation with all that is known about it on every member. A
// candidate below the number of members is that member alone, and one above it the
// split between a device and the fastest CPU.
type route struct {
	b     *Backend
	op    string // as Timing has it
	ring  string // Ring.String; empty for hashes
	whole bool   // cannot be split
	stays bool   // a place for rows: no call of it is observed, so none is a trial

	decision atomic.Pointer[decision] // nil until it was measured
	calls    atomic.Uint32            // short ones

	mu     sync.Mutex // guards what follows
	curves []curve    // by member
	splits []split    // by device
	most   []int      // rows that a member may be sent; 0 leaves it out
	moved  bool       // the curves, since the decision was made
	wrong  bool       // the decision, at a size that was just observed
	made   []curve    // those that the decision was made of
	timed  int        // calls that were
	near   [knots]int // those of about a size
	madeAt int        // timed, when the decision was made
}

const (
	// margin is by how much a candidate must be faster to take the place of one that
	// was chosen. It is half of what a choice may cost: 1.10 times the best.
	margin = 0.05
	// trialWithin is how many times the expected time of the best a candidate may be
	// expected to take to be tried.
	trialWithin = 2
	// audit is how many timed calls of about a size there are between two that go to
	// the second best, to see whether its curve still holds: a backend that was slow
	// once, and so is never chosen, would never be seen to be fast again. Of the first
	// ones those do that a power of two comes before, since what was measured in
	// advance may have met a busy machine.
	audit = 512
	// settled is how many timed calls there are at least between two decisions of which
	// the second one only moves limits.
	settled = 64
)

func (r *route) init(b *Backend, op, ring string) {
	r.b, r.op, r.ring = b, op, ring
	n := len(b.members)
	r.curves, r.splits, r.most, r.made = make([]curve, n), make([]split, n), make([]int, n), make([]curve, n)
	for i := range r.most {
		r.most[i] = math.MaxInt
	}
}

// able reports whether member i may be sent n rows.
func (r *route) able(i, n int) bool { return n <= r.most[i] && !r.b.members[i].lost.Load() }

// usable is able for every candidate. A split is not where its device would get no
// row, or all.
func (r *route) usable(c, n int) bool {
	if m := len(r.b.members); c >= m {
		return !math.IsInf(r.expectSplit(c-m, n), 1)
	}
	return r.able(c, n)
}

// home is the CPU for n rows among the members of one plan or hasher, which always
// has the first. The caller holds mu.
func (r *route) home(n int, has func(m int) bool) int {
	if i := r.cpu(n); has(i) {
		return i
	}
	return 0
}

// cpu is the CPU that is expected to be the fastest with n rows. The first member is
// a CPU that is always able.
func (r *route) cpu(n int) int {
	best, least := -1, math.Inf(1)
	for i, m := range r.b.members {
		if m.device() || !r.able(i, n) {
			continue
		}
		if t := r.curves[i].at(n); best < 0 || t < least {
			best, least = i, t
		}
	}
	return best
}

// expect is the time of n rows on a candidate in ns, +Inf where it cannot be chosen.
func (r *route) expect(c, n int) float64 {
	m := len(r.b.members)
	if c >= m {
		return r.expectSplit(c-m, n)
	}
	if !r.able(c, n) {
		return math.Inf(1)
	}
	return r.curves[c].at(n)
}

// best is the candidate for n rows, where before was chosen until now, -1 for none.
func (r *route) best(n, before int) int {
	m := len(r.b.members)
	best, least := r.cpu(n), math.Inf(1)
	for c := range m {
		if t := r.expect(c, n); t < least {
			best, least = c, t
		}
	}
	for c := m; c < 2*m && least >= splitFrom && !r.whole; c++ {
		if t := r.expect(c, n); t*(1+margin) < least {
			best, least = c, t
		}
	}
	if before >= 0 && before != best && r.usable(before, n) && r.expect(before, n) <= least*(1+margin) {
		return before
	}
	return best
}

// decide makes the decision anew. The caller holds mu.
func (r *route) decide() *decision {
	if d := r.single(); d != nil {
		r.decision.Store(d)
		return d
	}
	r.modelSplits()
	old := r.decision.Load()
	d := newDecision(func(n int) int {
		if old == nil {
			return r.best(n, -1)
		}
		return r.best(n, old.at(n))
	})
	for _, n := range sizesJudged {
		c := d.at(n)
		if c >= len(r.b.members) || r.b.members[c].device() || r.expect(c, n) >= quick {
			break
		}
		d.quickTo = n
	}
	copy(r.made, r.curves)
	r.moved, r.wrong, r.madeAt = false, false, r.timed
	r.decision.Store(d)
	return d
}

// single returns the decision where only one member can be sent anything, else nil.
func (r *route) single() *decision {
	one := -1
	for i := range r.b.members {
		if r.able(i, 1) {
			if one >= 0 {
				return nil
			}
			one = i
		}
	}
	return &decision{upTo: []int{math.MaxInt}, pick: []int{one}, quickTo: math.MaxInt, only: true}
}

// A pick is what is chosen for one call.
type pick struct {
	member   int
	reason   Reason
	part     int     // rows of a split that the member, a device, gets; 0: no split
	expected float64 // ns, of a split
}

// choose is the choice for a call that is timed, by a plan or hasher on the members
// that has names. A dry one is not counted among the calls, and why says that someone
// wants to know the reason.
func (r *route) choose(n int, has func(m int) bool, dry, why bool) pick {
	d := r.decision.Load()
	if d.only {
		return pick{member: d.at(n), reason: Only}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if d = r.decision.Load(); r.wrong || r.moved && r.timed-r.madeAt >= settled || !r.usable(d.at(n), n) {
		d = r.decide()
	}
	c, reason := d.at(n), Fastest
	if !r.usable(c, n) { // at this size, between two that were judged
		c = r.best(n, -1)
	}
	if x := r.trial(n, c); x >= 0 {
		c, reason = x, Trial
	} else if why && r.best(n, -1) != c {
		reason = Kept
	}
	if !dry {
		r.timed++
		r.near[knot(n)]++
	}
	m := len(r.b.members)
	switch {
	case !has(c % m):
		return pick{member: r.home(n, has), reason: Fastest}
	case c < m:
		return pick{member: c, reason: reason}
	case reason == Fastest:
		reason = Split
	}
	return pick{member: c - m, reason: reason, part: r.share(c-m, n), expected: r.expect(c, n)}
}

// trial returns a candidate that is worth a call to see what it takes, although c is
// chosen: one that was never seen near so many rows, or the second best when its
// turn has come. It returns -1 for none.
func (r *route) trial(n, c int) int {
	due := r.auditAt(n)
	for x := range r.curves {
		due = due || x != c && n > 2*r.curves[x].top && r.able(x, n)
	}
	if !due || r.stays || r.b.opts.frozen {
		return -1
	}
	limit := trialWithin * r.expect(c, n)
	second, least := -1, math.Inf(1)
	for x := range 2 * len(r.b.members) {
		if x == c || x >= len(r.b.members) && (r.whole || limit < trialWithin*splitFrom) {
			continue
		}
		t := r.expect(x, n)
		if !(t <= limit) {
			continue
		}
		if x < len(r.b.members) && n > 2*r.curves[x].top {
			return x
		}
		if t < least {
			second, least = x, t
		}
	}
	if r.auditAt(n) {
		return second
	}
	return -1
}

// auditAt reports whether the turn of the second best has come with n rows.
func (r *route) auditAt(n int) bool {
	k := r.near[knot(n)]
	return k >= 2 && k < audit && k&(k-1) == 0 || k%audit == audit-1
}

// observe learns from a call that took that time, on a candidate alone.
func (r *route) observe(c, n int, ns float64) {
	if r.b.opts.frozen {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	x := &r.curves[c]
	x.observe(n, ns)
	k := knot(n)
	if was := r.made[c].t[k]; was == 0 || math.Abs(x.t[k]/was-1) > margin {
		r.moved = true
	}
	r.judge(n)
}

// judge notes whether the decision is wrong at n rows by what was just observed.
func (r *route) judge(n int) {
	if d := r.decision.Load(); d != nil {
		r.wrong = r.wrong || r.best(n, d.at(n)) != d.at(n)
	}
}

// exclude keeps calls of n rows or more from member i.
func (r *route) exclude(i, n int) {
	if r.b.opts.frozen {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.most[i] = min(r.most[i], n-1)
	r.decide()
}
