package ntt

import "math/bits"

// The forward kernels. A butterfly takes x and y to x + wy and x - wy, where the
// product comes out of Shoup's multiplication in [0, 2q) for any 64-bit y. So a
// value moves by less than 2q a stage, and where q leaves room for all stages,
// nothing is reduced before the end. A bias on the first operands, a multiple
// of q, keeps the differences from going below zero.
//
// The loops take eight or sixteen coefficients at a time through pointers to
// arrays, which leaves no bounds to check and a constant offset for each.

// kernelMinN is the smallest degree that all kernels take.
const kernelMinN = 64

// hasForwardHeadroom says whether a ring fits forwardLazy.
func hasForwardHeadroom(logN int, q uint64) bool { return q <= 1<<63/uint64(4*logN+1) }

// forwardLazy transforms a row, in place, of a ring with (4*logN+1)*q <= 2^63.
// With a bias of 2q for every stage, a value is in [0, (4*logN+1)*q) throughout.
func (r *Ring) forwardLazy(a []uint64) {
	q := r.q
	forwardFirst(a[:r.n/2], a[r.n/2:], r.fwd[1], q, 2*uint64(r.logN)*q)
	for m, t := 2, r.n/4; t >= 16; m, t = 2*m, t/2 {
		for i, w := range r.fwd[m : 2*m] {
			forwardBlock(a[2*i*t:2*i*t+t], a[2*i*t+t:2*i*t+2*t], w, q)
		}
	}
	forwardTail(a, r.fwdTail, q)
	r.reduce(a)
}

// forwardButterfly takes *x to x + wy and *y to x - wy mod q, both less than 2q
// away from x, which the caller has biased to at least 2q. (It spells out
// mulShoupLazy: one level of inlining less is 5 % here.)
func forwardButterfly(x, y *uint64, w twiddle, q uint64) {
	h, _ := bits.Mul64(*y, w.s)
	t := *y*w.w - h*q
	u := *x
	*x, *y = u+t, u-t
}

// forwardFirst is forwardBlock with a bias added to x first.
func forwardFirst(x, y []uint64, w twiddle, q, bias uint64) {
	for j := 0; j < len(x)-7 && j < len(y)-7; j += 8 {
		x, y := (*[8]uint64)(x[j:]), (*[8]uint64)(y[j:])
		x[0] += bias
		forwardButterfly(&x[0], &y[0], w, q)
		x[1] += bias
		forwardButterfly(&x[1], &y[1], w, q)
		x[2] += bias
		forwardButterfly(&x[2], &y[2], w, q)
		x[3] += bias
		forwardButterfly(&x[3], &y[3], w, q)
		x[4] += bias
		forwardButterfly(&x[4], &y[4], w, q)
		x[5] += bias
		forwardButterfly(&x[5], &y[5], w, q)
		x[6] += bias
		forwardButterfly(&x[6], &y[6], w, q)
		x[7] += bias
		forwardButterfly(&x[7], &y[7], w, q)
	}
}

// forwardBlock applies forwardButterfly to x[j] and y[j] for every j. The
// slices are equally long, a multiple of 8.
func forwardBlock(x, y []uint64, w twiddle, q uint64) {
	for j := 0; j < len(x)-7 && j < len(y)-7; j += 8 {
		x, y := (*[8]uint64)(x[j:]), (*[8]uint64)(y[j:])
		forwardButterfly(&x[0], &y[0], w, q)
		forwardButterfly(&x[1], &y[1], w, q)
		forwardButterfly(&x[2], &y[2], w, q)
		forwardButterfly(&x[3], &y[3], w, q)
		forwardButterfly(&x[4], &y[4], w, q)
		forwardButterfly(&x[5], &y[5], w, q)
		forwardButterfly(&x[6], &y[6], w, q)
		forwardButterfly(&x[7], &y[7], w, q)
	}
}

// forwardTail does the last four stages, which work within 16 neighbours: each
// entry of ws holds the factors of one such group, stage after stage.
func forwardTail(a []uint64, ws [][15]twiddle, q uint64) {
	for j := 0; j < len(a)-15 && j/16 < len(ws); j += 16 {
		b, w := (*[16]uint64)(a[j:]), &ws[j/16]
		w0 := w[0]
		forwardButterfly(&b[0], &b[8], w0, q)
		forwardButterfly(&b[1], &b[9], w0, q)
		forwardButterfly(&b[2], &b[10], w0, q)
		forwardButterfly(&b[3], &b[11], w0, q)
		forwardButterfly(&b[4], &b[12], w0, q)
		forwardButterfly(&b[5], &b[13], w0, q)
		forwardButterfly(&b[6], &b[14], w0, q)
		forwardButterfly(&b[7], &b[15], w0, q)
		w1 := w[1]
		forwardButterfly(&b[0], &b[4], w1, q)
		forwardButterfly(&b[1], &b[5], w1, q)
		forwardButterfly(&b[2], &b[6], w1, q)
		forwardButterfly(&b[3], &b[7], w1, q)
		w2 := w[2]
		forwardButterfly(&b[8], &b[12], w2, q)
		forwardButterfly(&b[9], &b[13], w2, q)
		forwardButterfly(&b[10], &b[14], w2, q)
		forwardButterfly(&b[11], &b[15], w2, q)
		w3 := w[3]
		forwardButterfly(&b[0], &b[2], w3, q)
		forwardButterfly(&b[1], &b[3], w3, q)
		w4 := w[4]
		forwardButterfly(&b[4], &b[6], w4, q)
		forwardButterfly(&b[5], &b[7], w4, q)
		w5 := w[5]
		forwardButterfly(&b[8], &b[10], w5, q)
		forwardButterfly(&b[9], &b[11], w5, q)
		w6 := w[6]
		forwardButterfly(&b[12], &b[14], w6, q)
		forwardButterfly(&b[13], &b[15], w6, q)
		forwardButterfly(&b[0], &b[1], w[7], q)
		forwardButterfly(&b[2], &b[3], w[8], q)
		forwardButterfly(&b[4], &b[5], w[9], q)
		forwardButterfly(&b[6], &b[7], w[10], q)
		forwardButterfly(&b[8], &b[9], w[11], q)
		forwardButterfly(&b[10], &b[11], w[12], q)
		forwardButterfly(&b[12], &b[13], w[13], q)
		forwardButterfly(&b[14], &b[15], w[14], q)
	}
}

// reduce takes every coefficient from [0, 2^63] to [0, q).
func (r *Ring) reduce(a []uint64) {
	d, q := r.div, r.q
	for j := 0; j < len(a)-7; j += 8 {
		b := (*[8]uint64)(a[j:])
		b[0] = d.mod(b[0], q)
		b[1] = d.mod(b[1], q)
		b[2] = d.mod(b[2], q)
		b[3] = d.mod(b[3], q)
		b[4] = d.mod(b[4], q)
		b[5] = d.mod(b[5], q)
		b[6] = d.mod(b[6], q)
		b[7] = d.mod(b[7], q)
	}
}
