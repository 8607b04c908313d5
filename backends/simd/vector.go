package simd

import (
	"github.com/crosspoint-kernels/crosspoint/kernels/amd64"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// vector is the kernels of a ring at one width. They look at their operands.
type vector struct {
	*amd64.NTT
	ring  *ntt.Ring
	width amd64.Width
}

func (v *vector) Checks() bool { return true }

// MatMulAddMont adds one product after the other, which keeps a row of dst in the
// first-level cache.
func (v *vector) MatMulAddMont(dst, a, b []uint64, k, n, from, to int) {
	degree := v.ring.N()
	row := func(s []uint64, i int) []uint64 { return s[i*degree : (i+1)*degree] }
	for r := from; r < to; r++ {
		for t := range k {
			v.MulAddMont(row(dst, r), row(a, r/n*k+t), row(b, t*n+r%n))
		}
	}
}
