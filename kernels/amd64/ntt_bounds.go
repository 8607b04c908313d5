package amd64

// The values of a transform are taken modulo 2^W, W the bits that a kernel's
// multiplier reads (52 or 32), and stand for true integers in [0, 2^W).
//
// A butterfly takes x and y to x+t and x-t with t = y*w - h*q - c, where
// h = floor(y*p/2^W), p = floor(w*2^W/q) and y < 2^W, so that y*w - h*q is in
// [0, q+q*y/2^W), below 2q: with c = q, t is in [-q, q); with c = 0 in [0, 2q).
// A stage therefore widens the range by g = q or 2q on either side, and a bias
// of k*g, added to the left operands of the first stage alone, keeps the values
// of k stages from falling below zero: the bias of a right operand is of no
// account, because only its residue matters.
//
// Where the range would pass 2^W, a stage folds: a left operand of 2^(W-1) or
// more loses F, the largest multiple of q up to 2^(W-1), and each gets a new bias
// for the stages up to the next fold. Right operands need no folding. For
// q <= 2^50 and c = q, or q <= 2^29 and c = 0 with W = 32, every stage but the
// first can fold: 2^(W-1) + 2g <= 2^W. Lanes of 32 bits, which have nothing above
// bit W, take F from any left operand that it does not make negative, and so stay
// within the same bounds.
//
// For larger moduli, up to 2^31, lanes of 32 bits are strict: values are canonical
// between stages, at a subtraction and a minimum for each product, sum and
// difference.

// wordBounds returns the bias of the first stage, and for each stage the bias of
// its fold, 0 where it has none. The stages fold as late as they can.
func wordBounds(q uint64, stages int, word uint, grow uint64) (bias uint64, folds []uint64) {
	folds = make([]uint64, stages)
	top, fold := uint64(1)<<word-1, foldStep(q, word)
	high := q - 1 // the largest value so far, without the bias of the run of stages
	start := 0    // where the run started
	for s := range stages + 1 {
		k := uint64(s - start)
		if s < stages && high+2*(k+1)*grow <= top {
			continue
		}
		if start == 0 {
			bias = k * grow
		} else {
			folds[start] = k * grow
		}
		high = max(1<<(word-1)-1, high+2*k*grow-fold)
		start = s
	}
	return bias, folds
}

// forwardBounds returns bounds for the forward direction: where the last stage
// reduces its left operands itself, it neither widens the range nor folds.
func (k *kernels) forwardBounds(q uint64, stages int) (bias uint64, folds []uint64) {
	if !k.lastReduces {
		return k.bounds(q, stages)
	}
	bias, folds = k.bounds(q, stages-1)
	return bias, append(folds, 0)
}

// foldStep returns the largest multiple of q up to 2^(word-1).
func foldStep(q uint64, word uint) uint64 { return 1 << (word - 1) / q * q }

// floatBounds returns for each stage of floating-point numbers whether it folds,
// and 1 for the bias, which tells the first pass from the others. A product is
// less than q from zero for a right operand of at most 2^52: the quotient's two
// roundings move it by less than half. A stage therefore widens the range by q,
// and a fold leaves less than q.
func floatBounds(q uint64, stages int) (bias uint64, folds []uint64) {
	folds = make([]uint64, stages)
	high := q
	for s := range folds {
		if high+q > 1<<52 {
			folds[s], high = 1, q
		}
		high += q
	}
	return 1, folds
}
