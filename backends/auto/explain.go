package auto

import (
	"fmt"
	"math"
	"time"

	"github.com/crosspoint-kernels/crosspoint/backends"
)

// Reason is why a call goes where it goes.
type Reason string

// The reasons.
const (
	Only       Reason = "only"       // no other backend can do it
	Fastest    Reason = "fastest"    // it is expected to finish first
	Split      Reason = "split"      // two backends together are
	Kept       Reason = "kept"       // another one is expected to be faster, but by too little to change
	Trial      Reason = "trial"      // to see what this one takes
	Resumed    Reason = "resumed"    // on a CPU, since a device failed
	Unmeasured Reason = "unmeasured" // on a CPU, while another call measures
)

// Part is rows, messages or leaves [From, To) of a call on one backend.
type Part struct {
	Backend  string
	From, To int
}

// Candidate is what a call could be sent to.
type Candidate struct {
	Backend string // as registered; of a split, both joined by "+"
	// Expected is the time of the call, 0 where it cannot be sent there or where there
	// is no other choice, so that nothing was measured.
	Expected time.Duration
	// D and Tau are the piece of the curve that the call lies on: D + Tau·rows. They
	// are those of one backend alone, and 0 for a split.
	D, Tau time.Duration
	// Why says why the call cannot be sent there; empty where it can.
	Why string
}

// Choice is what a call would be sent to, and why.
type Choice struct {
	// Parts are in the order of the rows. Those of a split are the rows that each of
	// the two gets in all; a call that takes long gets them in rounds.
	Parts      []Part
	Reason     Reason
	Candidates []Candidate // the members, then the splits with devices
}

// String says it in a line, as Timing.Route does.
func (c Choice) String() string { return routeText(c.Parts, c.Reason) }

// Explain says where a call of a plan with so many rows would go now, and does not
// make it. op is what Timing calls the operation ("forward", "muladdmont", ...), or
// "batch" for where NewBatch would put so many rows. The first question about an
// operation of a ring measures what the first call would. The error wraps
// backends.ErrUnsupported where there is no such operation or the plan is no plan of
// this backend, backends.ErrShape for fewer rows than one, and backends.ErrClosed.
func Explain(p backends.Plan, op string, rows int) (Choice, error) {
	x, ok := p.(*plan)
	if !ok {
		return Choice{}, &backends.Error{Backend: Name, Op: "explain",
			Err: fmt.Errorf("%w: not a plan of this backend", backends.ErrUnsupported)}
	}
	c, err := x.explain(op, rows)
	return c, x.b.fail("explain", 0, err)
}

func (p *plan) explain(name string, rows int) (Choice, error) {
	if p.closed.Load() {
		return Choice{}, backends.ErrClosed
	}
	if rows < 1 {
		return Choice{}, fmt.Errorf("%w: %d rows", backends.ErrShape, rows)
	}
	if name == residentName {
		r := &p.routes.resident
		return r.explain(r.ready(p.rehearseResident), rows, p.holds(rows)), nil
	}
	o, err := parseOp(name)
	if err != nil {
		return Choice{}, err
	}
	r := &p.routes.ops[o]
	return r.explain(r.ready(func() rehearsal { return p.rehearse(o) }), rows, p.has), nil
}

// explain states what choose would return for n rows.
func (r *route) explain(d *decision, n int, has func(m int) bool) Choice {
	if d == nil {
		return Choice{Parts: []Part{{r.b.members[0].name, 0, n}}, Reason: Unmeasured}
	}
	p := r.choose(n, has, true, true)
	r.mu.Lock()
	defer r.mu.Unlock()
	c := Choice{Reason: p.reason}
	name := r.b.members[p.member].name
	if mid := n - p.part; p.part > 0 {
		c.Parts = []Part{{r.b.members[r.home(mid, has)].name, 0, mid}, {name, mid, n}}
	} else {
		c.Parts = []Part{{name, 0, n}}
	}
	for i := range 2 * len(r.b.members) {
		if x, ok := r.candidate(i, n, has); ok {
			c.Candidates = append(c.Candidates, x)
		}
	}
	return c
}

// candidate describes candidate c; false for a split that there is not.
func (r *route) candidate(c, n int, has func(m int) bool) (Candidate, bool) {
	m := len(r.b.members)
	x := Candidate{}
	if t := r.expect(c, n); has(c%m) && !math.IsInf(t, 1) {
		x.Expected = duration(t)
	}
	if c >= m {
		x.Backend = r.b.members[r.cpu(n)].name + "+" + r.b.members[c-m].name
		return x, x.Expected > 0
	}
	x.Backend = r.b.members[c].name
	switch {
	case r.b.members[c].lost.Load():
		x.Why = "lost"
	case r.most[c] == 0 || !has(c):
		x.Why = "not supported there, or it failed"
	case n > r.most[c]:
		x.Why = fmt.Sprintf("it failed with %d rows", r.most[c]+1)
	case x.Expected > 0:
		d, tau := r.curves[c].line(n)
		x.D, x.Tau = duration(d), duration(tau)
	}
	return x, true
}

// duration is ns as a Duration, the nearest there is: a line that is continued far
// enough leaves them all behind.
func duration(ns float64) time.Duration {
	const most = 1 << 62
	return time.Duration(max(-most, min(ns, most)))
}
