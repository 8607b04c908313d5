package bench

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
	// UpTo is the largest measured size: all that is said holds up to there.
	UpTo int
	// Predicted is where two fitted lines meet. FindCrossover leaves it nil; a
	// caller that has fits sets it from Predict.
	Predicted *float64
	// SignChanges are the sizes after which the winner changes, ascending: each
	// is the last size won outright by one side before the other wins outright.
	SignChanges []int
}

// FindCrossover judges points (any order; the last of equal sizes counts).
func FindCrossover(points []Point) Crossover {
	return Crossover{Verdict: Noise}
}
