package ntt

import (
	"fmt"
	"math/bits"
)

// matBlock is the number of coefficients whose 128-bit sums are kept at once:
// 1 KiB of accumulators, well inside the first-level cache.
const matBlock = 64

// MatMulAddMont adds the matrix product A*B/2^64 to dst. a holds A, m by k
// polynomials in row-major order, b holds B, k by n, and dst C, m by n; their
// lengths are exactly m*k*N, k*n*N and m*n*N. The product of two polynomials is
// pointwise, so the operands are transforms. a and b may share memory; dst may
// share none with either, because an operand is read after a part of dst is
// written. The error is a *ShapeError or a *RangeError, and dst is then
// untouched.
//
// It equals lattigo's MulCoeffsMontgomeryThenAdd in a triple loop, but reduces
// once for as many products as 64 bits above q allow, rather than once each.
func (r *Ring) MatMulAddMont(dst, a, b []uint64, m, k, n int) error {
	if err := r.CheckMatMul(dst, a, b, m, k, n); err != nil {
		return err
	}
	r.MatMulAddMontReduced(dst, a, b, k, n, 0, len(dst)/r.n)
	return nil
}

// CheckMatMul checks the arguments of MatMulAddMont: lengths, then overlaps,
// then the coefficients of a, of b and of dst.
func (r *Ring) CheckMatMul(dst, a, b []uint64, m, k, n int) error {
	for _, x := range []struct {
		arg           string
		s             []uint64
		rows, columns int
	}{{"a", a, m, k}, {"b", b, k, n}, {"dst", dst, m, n}} {
		if !r.isMatrix(x.s, x.rows, x.columns) {
			return &ShapeError{x.arg, fmt.Sprintf("length %d is not that of %d×%d rows of N=%d", len(x.s), x.rows, x.columns, r.n)}
		}
	}
	if overlap(dst, a) {
		return &ShapeError{"dst", "overlaps a"}
	}
	if overlap(dst, b) {
		return &ShapeError{"dst", "overlaps b"}
	}
	if err := r.CheckRange("a", a); err != nil {
		return err
	}
	if err := r.CheckRange("b", b); err != nil {
		return err
	}
	return r.CheckRange("dst", dst)
}

// isMatrix reports whether s is exactly rows by columns polynomials. It divides,
// because the product of the three could overflow.
func (r *Ring) isMatrix(s []uint64, rows, columns int) bool {
	switch {
	case rows < 0 || columns < 0 || len(s)%r.n != 0:
		return false
	case rows == 0 || columns == 0:
		return len(s) == 0
	}
	polys := len(s) / r.n
	return polys%columns == 0 && polys/columns == rows
}

// MatMulAddMontReduced is MatMulAddMont for rows [from, to) of dst alone, where
// 0 <= from <= to <= m*n, and for arguments that CheckMatMul has accepted; each
// of them may have more rows behind those of its matrix.
func (r *Ring) MatMulAddMontReduced(dst, a, b []uint64, k, n, from, to int) {
	if k == 0 {
		return // an empty sum, and no row of a to slice
	}
	for row := from; row < to; row++ {
		c := dst[row*r.n : (row+1)*r.n]
		for off := 0; off < r.n; off += matBlock {
			end := min(off+matBlock, r.n)
			r.dotBlock(c[off:end], a[row/n*k*r.n+off:], b[row%n*r.n+off:], k, n)
		}
	}
}

// dotBlock adds to dst, at most matBlock coefficients, the sum over t in [0, k)
// of a[t*N+i]*b[t*n*N+i]*2^-64 mod q.
func (r *Ring) dotBlock(dst, a, b []uint64, k, n int) {
	// The high word stays below q, as Montgomery's reduction asks, while
	// terms*q < 2^64.
	terms := int(min(^uint64(0)/r.q, uint64(k)))
	for t := 0; t < k; t += terms {
		var s sums
		u, end := t, min(t+terms, k)
		for ; u+1 < end; u += 2 {
			s.add2(a[u*r.n:][:len(dst)], b[u*n*r.n:][:len(dst)], a[(u+1)*r.n:][:len(dst)], b[(u+1)*n*r.n:][:len(dst)])
		}
		if u < end {
			s.add(a[u*r.n:][:len(dst)], b[u*n*r.n:][:len(dst)])
		}
		for i := range dst {
			h, _ := bits.Mul64(s.lo[i%matBlock]*r.qInv, r.q)
			v := subMod(s.hi[i%matBlock], h, r.q)
			dst[i] = reduceOnce(dst[i]+v, r.q)
		}
	}
}

// sums holds 128-bit sums of products, one for each coefficient of a block.
type sums struct{ hi, lo [matBlock]uint64 }

// add adds the products of two slices of at most matBlock coefficients.
func (s *sums) add(x, y []uint64) {
	y = y[:len(x)]
	for i, xi := range x {
		h, l := bits.Mul64(xi, y[i])
		lo, c := bits.Add64(s.lo[i%matBlock], l, 0)
		s.lo[i%matBlock] = lo
		s.hi[i%matBlock] += h + c
	}
}

// add2 is add twice, with half as much traffic to the sums.
func (s *sums) add2(x0, y0, x1, y1 []uint64) {
	y0, x1, y1 = y0[:len(x0)], x1[:len(x0)], y1[:len(x0)]
	for i, xi := range x0 {
		h0, l0 := bits.Mul64(xi, y0[i])
		h1, l1 := bits.Mul64(x1[i], y1[i])
		lo, c0 := bits.Add64(s.lo[i%matBlock], l0, 0)
		lo, c1 := bits.Add64(lo, l1, 0)
		s.lo[i%matBlock] = lo
		s.hi[i%matBlock] += h0 + h1 + c0 + c1
	}
}
