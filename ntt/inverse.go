package ntt

// The inverse kernels undo the stages of the forward transform from the last to
// the first: a butterfly takes x and y to x + y and (x - y)w. The product is in
// [0, 2q), but the bound of a sum doubles every stage. The last stage divides by
// N as well, the products in their twiddle factor and the sums by a shift.

// hasInverseHeadroom says whether a ring fits inverseLazy. It runs for any
// q <= 2^59, but has to reduce so often above 2^58 that inverseStrict is faster.
func hasInverseHeadroom(q uint64) bool { return q <= 1<<58 }

// inverseLazy transforms a row of a ring with q <= 2^58 from src to dst, which
// may be the same. It reduces when the next sums could pass 2^63: for N*q up to
// 2^63 that is never.
func (r *Ring) inverseLazy(dst, src []uint64) {
	q := r.q
	inverseHead(dst, src, r.invHead, q)
	for m, t, bound := r.n/32, 16, 16*q; ; m, t, bound = m/2, 2*t, 2*bound {
		if bound > 1<<62 {
			r.reduce(dst)
			bound = q
		}
		if m == 1 {
			r.inverseLast(dst, bound)
			return
		}
		for i, w := range r.inv[m : 2*m] {
			inverseBlock(dst[2*i*t:2*i*t+t], dst[2*i*t+t:2*i*t+2*t], w, q, bound)
		}
	}
}

// inverseButterfly returns x + y, below 2b, and (x - y)w mod q, below 2q, for x
// and y below b, where b is a multiple of q and 2b <= 2^64.
func inverseButterfly(x, y uint64, w twiddle, q, b uint64) (uint64, uint64) {
	return x + y, mulShoupLazy(x+b-y, w, q)
}

// inverseHead does the first four stages, which work within 16 neighbours, from
// [0, q) to [0, 16q): each entry of ws holds the factors of one such group,
// stage after stage.
func inverseHead(dst, src []uint64, ws [][15]twiddle, q uint64) {
	for j := 0; j < len(dst)-15 && j < len(src)-15 && j/16 < len(ws); j += 16 {
		b, s, w := (*[16]uint64)(dst[j:]), (*[16]uint64)(src[j:]), &ws[j/16]
		b[0], b[1] = inverseButterfly(s[0], s[1], w[0], q, q)
		b[2], b[3] = inverseButterfly(s[2], s[3], w[1], q, q)
		b[4], b[5] = inverseButterfly(s[4], s[5], w[2], q, q)
		b[6], b[7] = inverseButterfly(s[6], s[7], w[3], q, q)
		b[8], b[9] = inverseButterfly(s[8], s[9], w[4], q, q)
		b[10], b[11] = inverseButterfly(s[10], s[11], w[5], q, q)
		b[12], b[13] = inverseButterfly(s[12], s[13], w[6], q, q)
		b[14], b[15] = inverseButterfly(s[14], s[15], w[7], q, q)
		b[0], b[2] = inverseButterfly(b[0], b[2], w[8], q, 2*q)
		b[1], b[3] = inverseButterfly(b[1], b[3], w[8], q, 2*q)
		b[4], b[6] = inverseButterfly(b[4], b[6], w[9], q, 2*q)
		b[5], b[7] = inverseButterfly(b[5], b[7], w[9], q, 2*q)
		b[8], b[10] = inverseButterfly(b[8], b[10], w[10], q, 2*q)
		b[9], b[11] = inverseButterfly(b[9], b[11], w[10], q, 2*q)
		b[12], b[14] = inverseButterfly(b[12], b[14], w[11], q, 2*q)
		b[13], b[15] = inverseButterfly(b[13], b[15], w[11], q, 2*q)
		b[0], b[4] = inverseButterfly(b[0], b[4], w[12], q, 4*q)
		b[1], b[5] = inverseButterfly(b[1], b[5], w[12], q, 4*q)
		b[2], b[6] = inverseButterfly(b[2], b[6], w[12], q, 4*q)
		b[3], b[7] = inverseButterfly(b[3], b[7], w[12], q, 4*q)
		b[8], b[12] = inverseButterfly(b[8], b[12], w[13], q, 4*q)
		b[9], b[13] = inverseButterfly(b[9], b[13], w[13], q, 4*q)
		b[10], b[14] = inverseButterfly(b[10], b[14], w[13], q, 4*q)
		b[11], b[15] = inverseButterfly(b[11], b[15], w[13], q, 4*q)
		b[0], b[8] = inverseButterfly(b[0], b[8], w[14], q, 8*q)
		b[1], b[9] = inverseButterfly(b[1], b[9], w[14], q, 8*q)
		b[2], b[10] = inverseButterfly(b[2], b[10], w[14], q, 8*q)
		b[3], b[11] = inverseButterfly(b[3], b[11], w[14], q, 8*q)
		b[4], b[12] = inverseButterfly(b[4], b[12], w[14], q, 8*q)
		b[5], b[13] = inverseButterfly(b[5], b[13], w[14], q, 8*q)
		b[6], b[14] = inverseButterfly(b[6], b[14], w[14], q, 8*q)
		b[7], b[15] = inverseButterfly(b[7], b[15], w[14], q, 8*q)
	}
}

// inverseBlock takes x[j] and y[j], below bound, to their sum and to their
// difference times w, for every j, as inverseButterfly does. (It spells that
// out: with the sum stored first it takes four fifths of the time.) The slices
// are equally long, a multiple of 4.
func inverseBlock(x, y []uint64, w twiddle, q, bound uint64) {
	for j := 0; j < len(x)-3 && j < len(y)-3; j += 4 {
		x, y := (*[4]uint64)(x[j:]), (*[4]uint64)(y[j:])
		x0, y0 := x[0], y[0]
		x[0] = x0 + y0
		y[0] = mulShoupLazy(x0+bound-y0, w, q)
		x1, y1 := x[1], y[1]
		x[1] = x1 + y1
		y[1] = mulShoupLazy(x1+bound-y1, w, q)
		x2, y2 := x[2], y[2]
		x[2] = x2 + y2
		y[2] = mulShoupLazy(x2+bound-y2, w, q)
		x3, y3 := x[3], y[3]
		x[3] = x3 + y3
		y[3] = mulShoupLazy(x3+bound-y3, w, q)
	}
}

// inverseLast does the last stage and the division by N, from [0, bound) to
// [0, q), where bound is a multiple of q, 2*bound <= N*q and 2*bound < 2^64.
func (r *Ring) inverseLast(a []uint64, bound uint64) {
	x, y := a[:r.n/2], a[r.n/2:]
	d, w, q := r.divN, r.invLast, r.q
	for j := 0; j < len(x)-7 && j < len(y)-7; j += 8 {
		x, y := (*[8]uint64)(x[j:]), (*[8]uint64)(y[j:])
		x[0], y[0] = d.div(x[0]+y[0], q), mulShoup(x[0]+bound-y[0], w, q)
		x[1], y[1] = d.div(x[1]+y[1], q), mulShoup(x[1]+bound-y[1], w, q)
		x[2], y[2] = d.div(x[2]+y[2], q), mulShoup(x[2]+bound-y[2], w, q)
		x[3], y[3] = d.div(x[3]+y[3], q), mulShoup(x[3]+bound-y[3], w, q)
		x[4], y[4] = d.div(x[4]+y[4], q), mulShoup(x[4]+bound-y[4], w, q)
		x[5], y[5] = d.div(x[5]+y[5], q), mulShoup(x[5]+bound-y[5], w, q)
		x[6], y[6] = d.div(x[6]+y[6], q), mulShoup(x[6]+bound-y[6], w, q)
		x[7], y[7] = d.div(x[7]+y[7], q), mulShoup(x[7]+bound-y[7], w, q)
	}
}
