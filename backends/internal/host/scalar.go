package host

import "github.com/crosspoint-kernels/crosspoint/ntt"

// Scalar returns package ntt's kernels. They do not look at their operands.
func Scalar(r *ntt.Ring) Kernels { return scalar{r} }

type scalar struct{ ring *ntt.Ring }

func (s scalar) rows(dst []uint64) int { return len(dst) / s.ring.N() }

func (s scalar) Forward(dst, src []uint64) int {
	s.ring.ForwardReduced(dst, src)
	return s.rows(dst)
}

func (s scalar) Inverse(dst, src []uint64) int {
	s.ring.InverseReduced(dst, src)
	return s.rows(dst)
}

func (s scalar) MForm(dst, src []uint64) int {
	s.ring.MFormReduced(dst, src)
	return s.rows(dst)
}

func (s scalar) IMForm(dst, src []uint64) int {
	s.ring.IMFormReduced(dst, src)
	return s.rows(dst)
}

func (s scalar) Mul(dst, a, b []uint64) int {
	s.ring.MulReduced(dst, a, b)
	return s.rows(dst)
}

func (s scalar) MulAdd(dst, a, b []uint64) int {
	s.ring.MulAddReduced(dst, a, b)
	return s.rows(dst)
}

func (s scalar) MulMont(dst, a, b []uint64) int {
	s.ring.MulMontReduced(dst, a, b)
	return s.rows(dst)
}

func (s scalar) MulAddMont(dst, a, b []uint64) int {
	s.ring.MulAddMontReduced(dst, a, b)
	return s.rows(dst)
}

func (s scalar) MatMulAddMont(dst, a, b []uint64, k, n, from, to int) {
	s.ring.MatMulAddMontReduced(dst, a, b, k, n, from, to)
}

func (s scalar) Reduced(x []uint64) bool { return s.ring.CheckRange("", x) == nil }

func (s scalar) Checks() bool { return false }
