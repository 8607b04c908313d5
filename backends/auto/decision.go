package auto

import "math"

// A decision is which candidate is chosen for which number of rows. It is made of
// the curves, and replaced as a whole when they have moved.
type decision struct {
	upTo []int // ascending; the last one is all there is
	pick []int // the candidate for no more rows than that

	// quickTo is the largest call of which the pick is a CPU alone and that is
	// expected to take less than quick: these are sent on without a look at anything
	// else.
	quickTo int
	only    bool // there is no choice
}

// quick is the time below which one call in sampled is timed.
const (
	quick   = 10e3 // ns
	sampled = 64
)

// at is the candidate for n rows. Most calls are short, and found first.
func (d *decision) at(n int) int {
	for i, most := range d.upTo {
		if n <= most {
			return d.pick[i]
		}
	}
	return d.pick[len(d.pick)-1]
}

// perOctave is how many sizes are judged between one power of two and the next.
// Between two that are judged alike, the winner is taken to be the same.
const perOctave = 4

// largest is the largest size that is judged.
const largest = 1 << (knots - 1)

// sizesJudged ascend from 1 to largest.
var sizesJudged = func() []int {
	sizes := []int{1}
	for i := 1; i <= perOctave*(knots-1); i++ {
		if n := int(math.Round(math.Exp2(float64(i) / perOctave))); n > sizes[len(sizes)-1] {
			sizes = append(sizes, n)
		}
	}
	return sizes
}()

// newDecision asks best for the candidate of each size.
func newDecision(best func(n int) int) *decision {
	d := &decision{}
	at, pick := 1, best(1)
	for _, n := range sizesJudged[1:] {
		next := best(n)
		if next != pick {
			d.upTo = append(d.upTo, last(at, n, func(n int) bool { return best(n) == pick }))
			d.pick = append(d.pick, pick)
		}
		at, pick = n, next
	}
	d.upTo, d.pick = append(d.upTo, math.MaxInt), append(d.pick, pick)
	return d
}

// last returns the largest of [lo, hi) for which ok holds, where it does for lo and
// from some size on for none.
func last(lo, hi int, ok func(int) bool) int {
	for hi-lo > 1 {
		if mid := lo + (hi-lo)/2; ok(mid) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}
