package cpu

import (
	"sync/atomic"

	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// kernel works on rows [from, to) of a call, whose coefficients are in range.
type kernel = func(c *call, from, to int)

// call is the arguments of one operation: what its kernel reads and writes.
type call struct {
	ring      *ntt.Ring
	dst, a, b []uint64
	k, n      int          // of a matrix product
	bad       *atomic.Bool // set by checkRange
}

// rows returns rows [from, to) of s.
func (c *call) rows(s []uint64, from, to int) []uint64 {
	n := c.ring.N()
	return s[from*n : to*n]
}

func forward(c *call, from, to int) {
	c.ring.ForwardReduced(c.rows(c.dst, from, to), c.rows(c.a, from, to))
}

func inverse(c *call, from, to int) {
	c.ring.InverseReduced(c.rows(c.dst, from, to), c.rows(c.a, from, to))
}

func mForm(c *call, from, to int) {
	c.ring.MFormReduced(c.rows(c.dst, from, to), c.rows(c.a, from, to))
}

func imForm(c *call, from, to int) {
	c.ring.IMFormReduced(c.rows(c.dst, from, to), c.rows(c.a, from, to))
}

func mul(c *call, from, to int) {
	c.ring.MulReduced(c.rows(c.dst, from, to), c.rows(c.a, from, to), c.rows(c.b, from, to))
}

func mulAdd(c *call, from, to int) {
	c.ring.MulAddReduced(c.rows(c.dst, from, to), c.rows(c.a, from, to), c.rows(c.b, from, to))
}

func mulMont(c *call, from, to int) {
	c.ring.MulMontReduced(c.rows(c.dst, from, to), c.rows(c.a, from, to), c.rows(c.b, from, to))
}

func mulAddMont(c *call, from, to int) {
	c.ring.MulAddMontReduced(c.rows(c.dst, from, to), c.rows(c.a, from, to), c.rows(c.b, from, to))
}

func matMulAddMont(c *call, from, to int) {
	c.ring.MatMulAddMontReduced(c.dst, c.a, c.b, c.k, c.n, from, to)
}

// checkRange is the kernel whose coefficients are not known to be in range yet.
func checkRange(c *call, from, to int) {
	if c.ring.CheckRange("", c.rows(c.a, from, to)) != nil {
		c.bad.Store(true)
	}
}
