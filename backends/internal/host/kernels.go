package host

import (
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// Kernels compute on whole rows of one ring, on the goroutine that calls them. dst
// is an operand's own slice or overlaps none. They are safe for concurrent use.
//
// Each of those that take slices of equal length returns how many rows are final.
// Where Checks is true that is all of them, or else the next row is the first
// one of which an operand has a coefficient not in [0, q), and dst is untouched from
// that row on. Otherwise operands are in range, and it is all of them.
type Kernels interface {
	Forward(dst, src []uint64) (done int)
	Inverse(dst, src []uint64) (done int)
	MForm(dst, src []uint64) (done int)
	IMForm(dst, src []uint64) (done int)
	Mul(dst, a, b []uint64) (done int)
	MulAdd(dst, a, b []uint64) (done int)
	MulMont(dst, a, b []uint64) (done int)
	MulAddMont(dst, a, b []uint64) (done int)
	// MatMulAddMont adds rows [from, to) of the product of a, with k columns, and b,
	// with n of them, to those of dst. All operands are in range.
	MatMulAddMont(dst, a, b []uint64, k, n, from, to int)
	// Checks says that they look at their operands themselves. Otherwise a call looks
	// at all of them before it computes.
	Checks() bool
	// Reduced reports whether every coefficient of s is in [0, q).
	Reduced(s []uint64) bool
}

// kernel works on rows [from, to) of a call and returns how many are final.
type kernel = func(c *call, from, to int) (done int)

// call is the arguments of one operation: what its kernel reads and writes.
type call struct {
	ring      *ntt.Ring
	kernels   Kernels
	dst, a, b []uint64
	k, n      int  // of a matrix product
	sum       bool // dst is an operand
	trusted   bool // every operand is in range

	// undo is the kernel that restores dst, which is then the only operand, so that
	// workers need not look at rows before any after them is computed. With that look
	// two threads reach 0.6 of two goroutines' throughput at 65,536 rows, and 1.0 without
	// it; at 64 rows noise hides the difference (Pulsar ring, AVX-512, 2 vCPUs of an AMD
	// EPYC (Zen 4); go test -bench TwoThreads ./backends/simd, with and without undo turn
	// about). Restoring is exact, as every kernel that has one permutes [0, q); until a
	// call that fails returns, rows after the bad one may have been changed and not yet
	// be restored. It is nil where there is none.
	undo kernel
}

// rows returns rows [from, to) of s.
func (c *call) rows(s []uint64, from, to int) []uint64 {
	n := c.ring.N()
	return s[from*n : to*n]
}

// inRange returns how many rows from from on, up to to, have every coefficient of
// every operand in range.
func (c *call) inRange(from, to int) (rows int) {
	if c.reduced(from, to) {
		return to - from
	}
	for c.reduced(from+rows, from+rows+1) {
		rows++
	}
	return rows
}

func (c *call) reduced(from, to int) bool {
	return c.kernels.Reduced(c.rows(c.a, from, to)) &&
		(c.b == nil || c.kernels.Reduced(c.rows(c.b, from, to))) &&
		(!c.sum || c.kernels.Reduced(c.rows(c.dst, from, to)))
}

func forward(c *call, from, to int) int {
	return c.kernels.Forward(c.rows(c.dst, from, to), c.rows(c.a, from, to))
}

func inverse(c *call, from, to int) int {
	return c.kernels.Inverse(c.rows(c.dst, from, to), c.rows(c.a, from, to))
}

func mForm(c *call, from, to int) int {
	return c.kernels.MForm(c.rows(c.dst, from, to), c.rows(c.a, from, to))
}

func imForm(c *call, from, to int) int {
	return c.kernels.IMForm(c.rows(c.dst, from, to), c.rows(c.a, from, to))
}

func mul(c *call, from, to int) int {
	return c.kernels.Mul(c.rows(c.dst, from, to), c.rows(c.a, from, to), c.rows(c.b, from, to))
}

func mulAdd(c *call, from, to int) int {
	return c.kernels.MulAdd(c.rows(c.dst, from, to), c.rows(c.a, from, to), c.rows(c.b, from, to))
}

func mulMont(c *call, from, to int) int {
	return c.kernels.MulMont(c.rows(c.dst, from, to), c.rows(c.a, from, to), c.rows(c.b, from, to))
}

func mulAddMont(c *call, from, to int) int {
	return c.kernels.MulAddMont(c.rows(c.dst, from, to), c.rows(c.a, from, to), c.rows(c.b, from, to))
}

func matMulAddMont(c *call, from, to int) int {
	c.kernels.MatMulAddMont(c.dst, c.a, c.b, c.k, c.n, from, to)
	return to - from
}

// checkRange only looks.
func checkRange(c *call, from, to int) int { return c.inRange(from, to) }
