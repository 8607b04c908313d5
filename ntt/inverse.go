package ntt

// The inverse kernels undo the stages of the forward transform from the last to
// the first: a butterfly takes x and y to x + y and (x - y)w. The product is in
// [0, 2q), but the bound of a sum doubles every stage. The last stage divides by
// N as well, the products in their twiddle factor and the sums by a shift.

// hasInverseHeadroom says whether a ring fits inverseLazy: its first five stages
// end below 32q, and reduce takes values up to 2^63.
func hasInverseHeadroom(q uint64) bool { return q <= 1<<58 }

// inverseLazy transforms a row, in place, of a ring with q <= 2^58. It reduces
// when the next sums could pass 2^63, which for N*q <= 2^63 is never.
func (r *Ring) inverseLazy(a []uint64) {
	q := r.q
	inverseHead(a, r.invHead, q)
	inverseSixteens(a, r.inv[r.n/32:r.n/16], q)
	for m, t, bound := r.n/64, 32, 32*q; ; m, t, bound = m/2, 2*t, 2*bound {
		if bound > 1<<62 {
			r.reduce(a)
			bound = q
		}
		if m == 1 {
			r.inverseLast(a, bound)
			return
		}
		for i, w := range r.inv[m : 2*m] {
			inverseBlock(a[2*i*t:2*i*t+t], a[2*i*t+t:2*i*t+2*t], w, q, bound)
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
func inverseHead(a []uint64, ws [][15]twiddle, q uint64) {
	for j := 0; j < len(a)-15 && j/16 < len(ws); j += 16 {
		b, w := (*[16]uint64)(a[j:]), &ws[j/16]
		b[0], b[1] = inverseButterfly(b[0], b[1], w[0], q, q)
		b[2], b[3] = inverseButterfly(b[2], b[3], w[1], q, q)
		b[4], b[5] = inverseButterfly(b[4], b[5], w[2], q, q)
		b[6], b[7] = inverseButterfly(b[6], b[7], w[3], q, q)
		b[8], b[9] = inverseButterfly(b[8], b[9], w[4], q, q)
		b[10], b[11] = inverseButterfly(b[10], b[11], w[5], q, q)
		b[12], b[13] = inverseButterfly(b[12], b[13], w[6], q, q)
		b[14], b[15] = inverseButterfly(b[14], b[15], w[7], q, q)
		w8 := w[8]
		b[0], b[2] = inverseButterfly(b[0], b[2], w8, q, 2*q)
		b[1], b[3] = inverseButterfly(b[1], b[3], w8, q, 2*q)
		w9 := w[9]
		b[4], b[6] = inverseButterfly(b[4], b[6], w9, q, 2*q)
		b[5], b[7] = inverseButterfly(b[5], b[7], w9, q, 2*q)
		w10 := w[10]
		b[8], b[10] = inverseButterfly(b[8], b[10], w10, q, 2*q)
		b[9], b[11] = inverseButterfly(b[9], b[11], w10, q, 2*q)
		w11 := w[11]
		b[12], b[14] = inverseButterfly(b[12], b[14], w11, q, 2*q)
		b[13], b[15] = inverseButterfly(b[13], b[15], w11, q, 2*q)
		w12 := w[12]
		b[0], b[4] = inverseButterfly(b[0], b[4], w12, q, 4*q)
		b[1], b[5] = inverseButterfly(b[1], b[5], w12, q, 4*q)
		b[2], b[6] = inverseButterfly(b[2], b[6], w12, q, 4*q)
		b[3], b[7] = inverseButterfly(b[3], b[7], w12, q, 4*q)
		w13 := w[13]
		b[8], b[12] = inverseButterfly(b[8], b[12], w13, q, 4*q)
		b[9], b[13] = inverseButterfly(b[9], b[13], w13, q, 4*q)
		b[10], b[14] = inverseButterfly(b[10], b[14], w13, q, 4*q)
		b[11], b[15] = inverseButterfly(b[11], b[15], w13, q, 4*q)
		w14 := w[14]
		b[0], b[8] = inverseButterfly(b[0], b[8], w14, q, 8*q)
		b[1], b[9] = inverseButterfly(b[1], b[9], w14, q, 8*q)
		b[2], b[10] = inverseButterfly(b[2], b[10], w14, q, 8*q)
		b[3], b[11] = inverseButterfly(b[3], b[11], w14, q, 8*q)
		b[4], b[12] = inverseButterfly(b[4], b[12], w14, q, 8*q)
		b[5], b[13] = inverseButterfly(b[5], b[13], w14, q, 8*q)
		b[6], b[14] = inverseButterfly(b[6], b[14], w14, q, 8*q)
		b[7], b[15] = inverseButterfly(b[7], b[15], w14, q, 8*q)
	}
}

// inverseSixteens does the stage of 16 butterflies per twiddle factor, from
// [0, 16q) to [0, 32q). Calling inverseBlock for so few costs a third more.
func inverseSixteens(a []uint64, ws []twiddle, q uint64) {
	bound := 16 * q
	for i := 0; i < len(ws) && 32*i < len(a)-31; i++ {
		b, w := (*[32]uint64)(a[32*i:]), ws[i]
		b[0], b[16] = inverseButterfly(b[0], b[16], w, q, bound)
		b[1], b[17] = inverseButterfly(b[1], b[17], w, q, bound)
		b[2], b[18] = inverseButterfly(b[2], b[18], w, q, bound)
		b[3], b[19] = inverseButterfly(b[3], b[19], w, q, bound)
		b[4], b[20] = inverseButterfly(b[4], b[20], w, q, bound)
		b[5], b[21] = inverseButterfly(b[5], b[21], w, q, bound)
		b[6], b[22] = inverseButterfly(b[6], b[22], w, q, bound)
		b[7], b[23] = inverseButterfly(b[7], b[23], w, q, bound)
		b[8], b[24] = inverseButterfly(b[8], b[24], w, q, bound)
		b[9], b[25] = inverseButterfly(b[9], b[25], w, q, bound)
		b[10], b[26] = inverseButterfly(b[10], b[26], w, q, bound)
		b[11], b[27] = inverseButterfly(b[11], b[27], w, q, bound)
		b[12], b[28] = inverseButterfly(b[12], b[28], w, q, bound)
		b[13], b[29] = inverseButterfly(b[13], b[29], w, q, bound)
		b[14], b[30] = inverseButterfly(b[14], b[30], w, q, bound)
		b[15], b[31] = inverseButterfly(b[15], b[31], w, q, bound)
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
