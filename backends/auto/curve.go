package auto

import (
	"math"
	"math/bits"
)

// knots is the number of sizes at which a curve holds a time: 1, 2, 4, ..., 2^24
// rows.
const knots = 25

// A curve is the time of a call on one backend over its number of rows: a straight
// line between the sizes that were measured, and beyond the largest of them the last
// such line continued.
//
// One line T(n) = D + τ·n for all n is poor where a backend changes what it does with
// n. A CPU backend starts its other threads from some number of rows on, so that its
// time at 16 rows may be that at 8; a device is flat until it is full. A line through
// two such points misses the rows between by a factor, and that is where the
// crossover lies. With points, D and τ are those of the piece that n lies in.
type curve struct {
	t    [knots]float64 // ns at 2^k rows; 0: not measured near there
	seen [knots]uint8   // measurements behind t, no more counted than weighted
	top  int            // the largest size that was measured, 0 for none
}

const (
	// A measurement counts at least one part in weighted, so that a curve follows a
	// machine that changes.
	weighted = 8
	// A measurement counts for no more than outlier times what was expected, nor for
	// less than a part in outlier: one call that was descheduled says little.
	outlier = 2
)

// knot is the one nearest to n rows, by factor.
func knot(n int) int {
	k := bits.Len(uint(max(n, 1))) - 1
	if k >= knots-1 {
		return knots - 1
	}
	if n > (1<<k)*181/128 { // 2^(k+1/2)
		k++
	}
	return k
}

// around returns the measured knots next to n rows: the last two at or below it and
// the first above it, -1 where there is none.
func (c *curve) around(n int) (before, lo, hi int) {
	before, lo, hi = -1, -1, -1
	for k, t := range c.t {
		if t == 0 {
			continue
		}
		if 1<<k > n {
			return before, lo, k
		}
		before, lo = lo, k
	}
	return before, lo, hi
}

// at is the time of n rows in ns, +Inf where nothing is known.
func (c *curve) at(n int) float64 {
	before, lo, hi := c.around(n)
	x := float64(n)
	switch {
	case lo < 0 && hi < 0:
		return math.Inf(1)
	case lo < 0:
		return c.t[hi]
	case hi >= 0:
		return c.t[lo] + c.slope(lo, hi)*(x-size(lo))
	}
	tau := c.t[lo] / size(lo)
	if before >= 0 {
		if s := c.slope(before, lo); s > 0 {
			tau = s
		}
	}
	return c.t[lo] + tau*(x-size(lo))
}

// slope is the time of a row between two knots.
func (c *curve) slope(lo, hi int) float64 { return (c.t[hi] - c.t[lo]) / (size(hi) - size(lo)) }

// line states the piece that n lies in as T = D + τ·n.
func (c *curve) line(n int) (d, tau float64) {
	n = min(n, math.MaxInt-1)
	tau = c.at(n+1) - c.at(n)
	return c.at(n) - tau*float64(n), tau
}

func size(k int) float64 { return float64(uint64(1) << k) }

// set makes ns the time of n rows, whatever was known.
func (c *curve) set(n int, ns float64) {
	k := knot(n)
	scaled := ns * size(k) / float64(n)
	if 1<<k != n && c.top > 0 { // along what is known, rather than in proportion
		if p := c.at(n); p > 0 {
			scaled = ns * c.at(1<<k) / p
		}
	}
	c.t[k], c.seen[k] = scaled, 1
	c.top = max(c.top, 1<<k)
}

// observe lets the curve learn that n rows took ns.
func (c *curve) observe(n int, ns float64) {
	k, p := knot(n), c.at(n)
	if c.t[k] == 0 || !(p > 0) || math.IsInf(p, 1) {
		c.set(n, ns)
		return
	}
	ratio := min(max(ns/p, 1.0/outlier), outlier)
	c.seen[k] = min(c.seen[k]+1, weighted)
	c.t[k] *= 1 + (ratio-1)/float64(c.seen[k])
}
