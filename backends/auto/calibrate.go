package auto

import (
	"context"
	"slices"
	"time"
)

const (
	// calibration bounds the time of the measurements for one operation, over all
	// members together, but for a single row that takes a member longer than its part.
	calibration = 500 * time.Millisecond
	// calibrationWords bounds the memory of one operand: 2 MiB, which is 1,024 rows
	// of degree 256.
	calibrationWords = 1 << 18
	// sampleTime is how long one sample should last, so that neither the grain of the
	// clock nor its cost matters; sampleCalls bounds the calls that make one up.
	sampleTime  = 200 * time.Microsecond
	sampleCalls = 64
	samples     = 9
)

// A rehearsal is calls of one operation that are made to be measured.
type rehearsal struct {
	sizes []int // rows, ascending
	has   func(m int) bool
	call  func(ctx context.Context, m, n int) error
}

// rehearsalSizes are 1, 2 and the largest number of rows that words allow, with two
// between them: where a CPU backend shares the work, and where a device is half full,
// are among those or next to them. What the second row adds bounds what they take.
func rehearsalSizes(most int) []int {
	var sizes []int
	for n := max(1, most); n > 2 && len(sizes) < 3; n /= 8 {
		sizes = append(sizes, n)
	}
	if most > 1 {
		sizes = append(sizes, 2)
	}
	sizes = append(sizes, 1)
	slices.Reverse(sizes)
	return sizes
}

// ready measures what there is to choose from, unless that was done, and returns
// the decision; nil while another call measures.
func (r *route) ready(rehearse func() rehearsal) *decision {
	if d := r.decision.Load(); d != nil {
		return d
	}
	if !r.mu.TryLock() {
		return nil
	}
	defer r.mu.Unlock()
	if d := r.decision.Load(); d != nil {
		return d
	}
	x := rehearse()
	for i := range r.most {
		if !x.has(i) {
			r.most[i] = 0
		}
	}
	if r.single() == nil && !r.recall() {
		for i := range r.most {
			if r.able(i, 1) && !r.measure(i, x, r.b.opts.calibration/time.Duration(len(r.most))) {
				return nil
			}
		}
	}
	return r.decide()
}

// measure finds the curve of member i within a budget. One that fails is left out, but
// for the first, to which calls must be able to go. It returns false where nothing can
// be said of any member, since the plan was closed meanwhile.
func (r *route) measure(i int, x rehearsal, budget time.Duration) bool {
	end, c := r.b.now()+budget, &r.curves[i]
	*c = curve{}
	for j, n := range x.sizes {
		left := end - r.b.now()
		// A size is called twice at least.
		if j > 0 && 2*bound(c, x.sizes[max(0, j-2)], x.sizes[j-1], n) > float64(left) {
			return true
		}
		ns, err := r.sample(i, n, x, left)
		switch {
		case err == nil:
			c.set(n, ns)
			continue
		case !isFault(context.Background(), err):
			return false
		case i != 0:
			r.most[i] = 0
		}
		r.b.failed(r.b.members[i], r.op, n, 0, err)
		return true
	}
	return true
}

// bound is what n rows are expected to take at most where a and b, the two sizes
// below, were measured; they may be one.
func bound(c *curve, a, b, n int) float64 {
	if a == b {
		return c.at(b) * float64(n) / float64(b)
	}
	return c.at(b) + max(0, (c.at(b)-c.at(a))/float64(b-a))*float64(n-b)
}

// sample is the median time of a call of n rows on member i.
func (r *route) sample(i, n int, x rehearsal, left time.Duration) (float64, error) {
	ctx := context.Background()
	var one time.Duration
	for range 2 { // the first one makes buffers
		start := r.b.now()
		if err := x.call(ctx, i, n); err != nil {
			return 0, err
		}
		if one = max(r.b.now()-start, 1); one > left/2 {
			break
		}
	}
	calls := min(int(sampleTime/one)+1, sampleCalls)
	// Of a call that takes longer than all is meant to, this one must do.
	times := []float64{float64(one)}
	if count := min(samples, int(left/(2*one*time.Duration(calls)))); count > 1 {
		times = make([]float64, count)
		for j := range times {
			start := r.b.now()
			for range calls {
				if err := x.call(ctx, i, n); err != nil {
					return 0, err
				}
			}
			times[j] = float64(max(r.b.now()-start, 1)) / float64(calls)
		}
	}
	slices.Sort(times)
	return times[len(times)/2], nil
}

// recall takes the curves from a table, if it has them all.
func (r *route) recall() bool {
	curves := make([]curve, len(r.curves))
	for i, m := range r.b.members {
		if !r.able(i, 1) {
			continue
		}
		points := r.b.opts.Table.points(m.info, r.op, r.ring)
		if r.b.opts.planted != nil {
			points = r.b.opts.planted(m.name, r.op)
		}
		if len(points) == 0 && !m.twin { // which is not chosen then
			return false
		}
		for _, p := range points {
			curves[i].set(p.Rows, p.Ns)
		}
	}
	copy(r.curves, curves)
	return true
}
