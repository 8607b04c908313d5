package ntt

import "math/bits"

// Forward writes the forward transform of every row of src to dst. Both hold
// the same whole number of rows, natural order in and bit-reversed out, reduced
// in and out. dst may be src; any other overlap is a *ShapeError. A coefficient
// that is not in [0, q) is a *RangeError. After an error dst is untouched.
func (r *Ring) Forward(dst, src []uint64) error {
	if err := r.CheckUnary(dst, src); err != nil {
		return err
	}
	r.ForwardReduced(dst, src)
	return nil
}

// Inverse writes the inverse transform of every row of src to dst, under the
// conditions of Forward: bit-reversed order in, natural order out.
func (r *Ring) Inverse(dst, src []uint64) error {
	if err := r.CheckUnary(dst, src); err != nil {
		return err
	}
	r.InverseReduced(dst, src)
	return nil
}

// ForwardReduced is Forward for arguments that CheckUnary has accepted.
func (r *Ring) ForwardReduced(dst, src []uint64) {
	for i := 0; i+r.n <= len(dst); i += r.n {
		row := dst[i : i+r.n]
		copy(row, src[i:i+r.n])
		switch r.forward {
		case lazy:
			r.forwardLazy(row)
		case strict:
			r.forwardStrict(row)
		default:
			r.forwardGeneric(row)
		}
	}
}

// InverseReduced is Inverse for arguments that CheckUnary has accepted.
func (r *Ring) InverseReduced(dst, src []uint64) {
	for i := 0; i+r.n <= len(dst); i += r.n {
		row := dst[i : i+r.n]
		copy(row, src[i:i+r.n])
		switch r.inverse {
		case lazy:
			r.inverseLazy(row)
		case strict:
			r.inverseStrict(row)
		default:
			r.inverseGeneric(row)
		}
	}
}

// kernel is a way to transform a row. All give the same result.
type kernel int

const (
	generic kernel = iota // the textbook transform, for any ring
	strict                // reduces a little in every butterfly, for any ring of degree >= kernelMinN
	lazy                  // lets values grow, where the ring has the headroom
)

// chooseKernels returns the fastest kernels for a ring.
func chooseKernels(n int, q uint64) (forward, inverse kernel) {
	if n < kernelMinN {
		return generic, generic
	}
	forward, inverse = strict, strict
	if hasForwardHeadroom(bits.TrailingZeros(uint(n)), q) {
		forward = lazy
	}
	if hasInverseHeadroom(q) {
		inverse = lazy
	}
	return forward, inverse
}
