package amd64

import "math/bits"

// maxBlock is the largest block of a set of kernels, in coefficients.
const maxBlock = 64

// passFunc is a pass over rows: dst may be src. The last argument is the stride
// of a column's registers, or the step from a block's table to the next, in bytes.
type passFunc func(dst, src, table, constants, parameters *uint64, blocks, stride int)

// kernels are the functions of a width, and what its tables hold.
type kernels struct {
	lanes   int // coefficients of a register
	maxBits int // of a modulus

	// By the number of stages, from 1 to 3.
	forwardColumns, inverseColumns [4]passFunc
	forwardTail                    passFunc
	inverseHead                    func(dst, src, table, constants, parameters *uint64, blocks int)
	// reduced reports whether n words, a multiple of 8, are all below q.
	reduced func(s *uint64, q uint64, n int) bool

	constants func(q uint64) []uint64
	factor    func(w, q uint64) (word, quotient uint64)
	bounds    func(q uint64, stages int) (bias uint64, folds []uint64)

	forward256, inverse256 smallFunc // nil where there is none
}

func (k *kernels) block() int { return 8 * k.lanes }

// ifmaConstants are in the order of the generator's ifma.registers.
func ifmaConstants(q uint64) []uint64 {
	const word, mask = 1 << 52, 1<<52 - 1
	return []uint64{q, word - q, -q, word / q, mask, word / 2, foldStep(q, 52), smallBias * q}
}

func ifmaFactor(w, q uint64) (uint64, uint64) {
	p, _ := bits.Div64(w>>12, w<<52, q)
	return w, p
}

func ifmaBounds(q uint64, stages int) (uint64, []uint64) { return wordBounds(q, stages, 52, q) }
