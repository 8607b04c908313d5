package bench

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// Point compares a subject with a reference at one batch size.
type Point struct {
	// N is the batch size, at least 1.
	N int
	// Ratio is the subject's time over the reference's: below 1 the subject wins.
	Ratio Ratio
	// Sub and Ref are the times that Ratio was made from.
	Sub, Ref Stats
}

// NewPoint pairs the samples of a subject with those of a reference, measured
// in the same rounds at batch size n.
func NewPoint(n int, sub, ref Stats) Point {
	return Point{N: n, Ratio: PairedRatio(sub, ref), Sub: sub, Ref: ref}
}

// Verdict says in one word how a subject stands against a reference.
type Verdict string

const (
	// Found: the reference wins outright at Lo, the subject at Hi and from there on.
	Found Verdict = "found"
	// Never: the reference still wins outright at the largest measured size.
	Never Verdict = "never"
	// Always: the subject wins outright at every measured size.
	Always Verdict = "always"
	// Noise: the measurements do not decide.
	Noise Verdict = "noise"
)

// Crossover is where, along the batch size, a subject overtakes a reference.
type Crossover struct {
	Verdict Verdict
	// Lo is the largest measured size at which the reference wins outright, 0 if
	// there is none.
	Lo int
	// Hi is the smallest measured size from which the subject wins outright at
	// every measured size, 0 if there is none.
	Hi int
	// Batch is the estimate of the crossover, Lo <= Batch <= Hi; nil unless Found.
	Batch *int
	// WonTo is the largest size up to which the subject wins outright at every
	// measured size, 0 if it does not at the smallest.
	WonTo int
	// UpTo is the largest measured size: all that is said holds up to there.
	UpTo int
	// Predicted is where two fitted lines meet. FindCrossover leaves it nil; a
	// caller that has fits sets it from Predict.
	Predicted *float64
	// SignChanges are the sizes after which the winner changes, ascending: each
	// is the last size won outright by one side before the other wins outright.
	SignChanges []int
}

// octave is the widest bracket, Hi/Lo, that still counts as found when sizes
// within it were measured and came out undecided. A wider one says no more than
// that the two are about equal over a long range.
const octave = 2

// FindCrossover judges points, in any order. The last of equal sizes counts;
// sizes below 1 do not.
//
// The reference's last outright win is Lo; the first of the subject's outright
// wins that no other outcome follows is Hi. The verdict is
//
//   - Always, if the subject wins everywhere;
//   - Never, if the reference wins at the largest size, whatever came before
//     (SignChanges tells);
//   - Found, if there are both Lo and Hi, and either no size between them was
//     measured or all those between are undecided within Hi/Lo <= 2;
//   - Noise otherwise: nothing was measured, the largest size is undecided, the
//     reference wins nowhere, or a wide range is undecided.
//
// Batch is where the line through log Ratio over log N, from Lo to Hi, passes
// 1, held within (Lo, Hi].
func FindCrossover(points []Point) Crossover {
	ps := sorted(points)
	if len(ps) == 0 {
		return Crossover{Verdict: Noise}
	}
	lo, hi := bracket(ps)
	c := Crossover{UpTo: ps[len(ps)-1].N, SignChanges: signChanges(ps)}
	if lo >= 0 {
		c.Lo = ps[lo].N
	}
	if hi < len(ps) {
		c.Hi = ps[hi].N
	}
	for _, p := range ps {
		if p.winner() != subject {
			break
		}
		c.WonTo = p.N
	}
	switch {
	case hi == 0:
		c.Verdict = Always
	case lo == len(ps)-1:
		c.Verdict = Never
	case lo < 0 || hi == len(ps):
		c.Verdict = Noise
	case hi-lo > 1 && c.Hi > octave*c.Lo:
		c.Verdict = Noise
	default:
		c.Verdict = Found
		n := passesOne(ps[lo : hi+1])
		c.Batch = &n
	}
	return c
}

// winner is who is outright faster at a point.
type winner int

const (
	nobody winner = iota
	subject
	reference
)

func (p Point) winner() winner {
	switch {
	case p.Ratio.Hi < 1:
		return subject
	case p.Ratio.Lo > 1:
		return reference
	}
	return nobody // also where the ratio is NaN
}

// sorted returns the points with N >= 1 ascending, the last of equal ones alone.
func sorted(points []Point) []Point {
	ps := slices.Clone(points)
	ps = slices.DeleteFunc(ps, func(p Point) bool { return p.N < 1 })
	slices.Reverse(ps)
	slices.SortStableFunc(ps, func(a, b Point) int { return a.N - b.N })
	return slices.CompactFunc(ps, func(a, b Point) bool { return a.N == b.N })
}

// bracket returns the index of the reference's last win, -1 if it has none, and
// that of the first point of the subject's wins at the end, len(ps) if it does
// not win at the end. lo < hi always.
func bracket(ps []Point) (lo, hi int) {
	hi = len(ps)
	for hi > 0 && ps[hi-1].winner() == subject {
		hi--
	}
	lo = hi - 1
	for lo >= 0 && ps[lo].winner() != reference {
		lo--
	}
	return lo, hi
}

// signChanges returns each size after which the winner changes.
func signChanges(ps []Point) []int {
	var changes []int
	last := Point{}
	var who winner
	for _, p := range ps {
		w := p.winner()
		if w == nobody {
			continue
		}
		if who != nobody && w != who {
			changes = append(changes, last.N)
		}
		last, who = p, w
	}
	return changes
}

// passesOne returns the size in (first, last] of ps at which the ratio passes
// 1 on a straight line in logarithms: between two points an interpolation,
// with undecided points between them a least-squares line. The ratio of
// (D + tau·n) to c·n is nearly straight there over one octave.
func passesOne(ps []Point) int {
	var x, y []float64
	for _, p := range ps {
		if isDuration(p.Ratio.Median) {
			x = append(x, math.Log(float64(p.N)))
			y = append(y, math.Log(p.Ratio.Median))
		}
	}
	lo, hi := ps[0].N, ps[len(ps)-1].N
	n := math.Sqrt(float64(lo) * float64(hi))
	if len(x) >= 2 {
		if a, b := stat.LinearRegression(x, y, nil, false); b < 0 {
			n = math.Exp(-a / b)
		}
	}
	return int(math.Round(min(max(n, float64(lo)+1), float64(hi))))
}
