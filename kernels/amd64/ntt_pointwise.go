package amd64

// The pointwise operations give the bytes of package ntt's: the Montgomery family
// has R = 2^64.

// Mul sets dst = a*b mod q.
func (t *NTT) Mul(dst, a, b []uint64) (done int) { return t.binary(t.pointwise.mul, dst, a, b, nil) }

// MulAdd sets dst = dst + a*b mod q; dst must be reduced too.
func (t *NTT) MulAdd(dst, a, b []uint64) (done int) {
	return t.binary(t.pointwise.mulAdd, dst, a, b, dst)
}

// MulMont sets dst = a*b*2^-64 mod q.
func (t *NTT) MulMont(dst, a, b []uint64) (done int) {
	return t.binary(t.pointwise.mulMont, dst, a, b, nil)
}

// MulAddMont sets dst = dst + a*b*2^-64 mod q; dst must be reduced too.
func (t *NTT) MulAddMont(dst, a, b []uint64) (done int) {
	return t.binary(t.pointwise.mulAddMont, dst, a, b, dst)
}

// MForm sets dst = src*2^64 mod q: into Montgomery form.
func (t *NTT) MForm(dst, src []uint64) (done int) { return t.unary(dst, src, t.toMont) }

// IMForm sets dst = src*2^-64 mod q: out of Montgomery form.
func (t *NTT) IMForm(dst, src []uint64) (done int) { return t.unary(dst, src, t.fromMont) }

// piece is how many coefficients are checked before they are worked on: few
// enough to stay in the first-level cache meanwhile.
const piece = 1024

func (t *NTT) unary(dst, src, factor []uint64) (done int) {
	return t.rows(len(dst), func(from, to int) bool {
		return t.Reduced(src[from:to])
	}, func(from, to int) {
		t.pointwise.mulFactor(&dst[from], &src[from], &factor[0], &t.products[0], to-from)
	})
}

// binary runs f on operands that it has checked; sum is dst where that is one.
func (t *NTT) binary(f pointwiseFunc, dst, a, b, sum []uint64) (done int) {
	return t.rows(len(dst), func(from, to int) bool {
		return t.Reduced(a[from:to]) && t.Reduced(b[from:to]) && (sum == nil || t.Reduced(sum[from:to]))
	}, func(from, to int) {
		f(&dst[from], &a[from], &b[from], &t.products[0], to-from)
	})
}

// rows runs f over n coefficients, in pieces of whole rows that ok accepts, and
// over the rows before the first one that it refuses.
func (t *NTT) rows(n int, ok func(from, to int) bool, f func(from, to int)) (done int) {
	unit := max(t.n, piece)
	for from := 0; from < n; from += unit {
		to := min(from+unit, n)
		whole := ok(from, to)
		if !whole {
			for to = from; ok(to, to+t.n); to += t.n {
			}
		}
		if to > from {
			f(from, to)
		}
		if !whole {
			return to / t.n
		}
	}
	return n / t.n
}
