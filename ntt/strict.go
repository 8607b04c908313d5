package ntt

// The strict kernels serve the rings that lack the headroom of the lazy ones.
// They need 8q < 2^64, which every ring has, and keep every value below 4q in
// the forward and below 2q in the inverse direction, as Harvey's butterflies do
// (arXiv:1205.2926).

// forwardStrict transforms a row, in place, of any ring.
func (r *Ring) forwardStrict(a []uint64) {
	for m, t := 1, r.n/2; t >= 16; m, t = 2*m, t/2 {
		for i, w := range r.fwd[m : 2*m] {
			forwardBlockStrict(a[2*i*t:2*i*t+t], a[2*i*t+t:2*i*t+2*t], w, r.q)
		}
	}
	forwardTailStrict(a, r.fwdTail, r.q)
	r.reduce(a)
}

// inverseStrict transforms a row, in place, of any ring.
func (r *Ring) inverseStrict(a []uint64) {
	inverseHeadStrict(a, r.invHead, r.q)
	for m, t := r.n/32, 16; m > 1; m, t = m/2, 2*t {
		for i, w := range r.inv[m : 2*m] {
			inverseBlockStrict(a[2*i*t:2*i*t+t], a[2*i*t+t:2*i*t+2*t], w, r.q)
		}
	}
	r.inverseLast(a, 2*r.q)
}

// forwardButterflyStrict takes *x to x + wy and *y to x - wy mod q, from
// [0, 4q) to [0, 4q).
func forwardButterflyStrict(x, y *uint64, w twiddle, q uint64) {
	t := mulShoupLazy(*y, w, q)
	u := reduceOnce(*x, 2*q)
	*x, *y = u+t, u+2*q-t
}

// inverseButterflyStrict takes *x to x + y and *y to (x - y)w mod q, from
// [0, 2q) to [0, 2q).
func inverseButterflyStrict(x, y *uint64, w twiddle, q uint64) {
	u, v := *x, *y
	*x = reduceOnce(u+v, 2*q)
	*y = mulShoupLazy(u+2*q-v, w, q)
}

// forwardBlockStrict applies forwardButterflyStrict to x[j] and y[j] for every
// j. The slices are equally long, a multiple of 8.
func forwardBlockStrict(x, y []uint64, w twiddle, q uint64) {
	for j := 0; j < len(x)-7 && j < len(y)-7; j += 8 {
		x, y := (*[8]uint64)(x[j:]), (*[8]uint64)(y[j:])
		forwardButterflyStrict(&x[0], &y[0], w, q)
		forwardButterflyStrict(&x[1], &y[1], w, q)
		forwardButterflyStrict(&x[2], &y[2], w, q)
		forwardButterflyStrict(&x[3], &y[3], w, q)
		forwardButterflyStrict(&x[4], &y[4], w, q)
		forwardButterflyStrict(&x[5], &y[5], w, q)
		forwardButterflyStrict(&x[6], &y[6], w, q)
		forwardButterflyStrict(&x[7], &y[7], w, q)
	}
}

// inverseBlockStrict applies inverseButterflyStrict to x[j] and y[j] for every
// j. The slices are equally long, a multiple of 8.
func inverseBlockStrict(x, y []uint64, w twiddle, q uint64) {
	for j := 0; j < len(x)-7 && j < len(y)-7; j += 8 {
		x, y := (*[8]uint64)(x[j:]), (*[8]uint64)(y[j:])
		inverseButterflyStrict(&x[0], &y[0], w, q)
		inverseButterflyStrict(&x[1], &y[1], w, q)
		inverseButterflyStrict(&x[2], &y[2], w, q)
		inverseButterflyStrict(&x[3], &y[3], w, q)
		inverseButterflyStrict(&x[4], &y[4], w, q)
		inverseButterflyStrict(&x[5], &y[5], w, q)
		inverseButterflyStrict(&x[6], &y[6], w, q)
		inverseButterflyStrict(&x[7], &y[7], w, q)
	}
}

// forwardTailStrict is forwardTail with forwardButterflyStrict.
func forwardTailStrict(a []uint64, ws [][15]twiddle, q uint64) {
	for j := 0; j < len(a)-15 && j/16 < len(ws); j += 16 {
		b, w := (*[16]uint64)(a[j:]), &ws[j/16]
		w0 := w[0]
		forwardButterflyStrict(&b[0], &b[8], w0, q)
		forwardButterflyStrict(&b[1], &b[9], w0, q)
		forwardButterflyStrict(&b[2], &b[10], w0, q)
		forwardButterflyStrict(&b[3], &b[11], w0, q)
		forwardButterflyStrict(&b[4], &b[12], w0, q)
		forwardButterflyStrict(&b[5], &b[13], w0, q)
		forwardButterflyStrict(&b[6], &b[14], w0, q)
		forwardButterflyStrict(&b[7], &b[15], w0, q)
		w1 := w[1]
		forwardButterflyStrict(&b[0], &b[4], w1, q)
		forwardButterflyStrict(&b[1], &b[5], w1, q)
		forwardButterflyStrict(&b[2], &b[6], w1, q)
		forwardButterflyStrict(&b[3], &b[7], w1, q)
		w2 := w[2]
		forwardButterflyStrict(&b[8], &b[12], w2, q)
		forwardButterflyStrict(&b[9], &b[13], w2, q)
		forwardButterflyStrict(&b[10], &b[14], w2, q)
		forwardButterflyStrict(&b[11], &b[15], w2, q)
		w3 := w[3]
		forwardButterflyStrict(&b[0], &b[2], w3, q)
		forwardButterflyStrict(&b[1], &b[3], w3, q)
		w4 := w[4]
		forwardButterflyStrict(&b[4], &b[6], w4, q)
		forwardButterflyStrict(&b[5], &b[7], w4, q)
		w5 := w[5]
		forwardButterflyStrict(&b[8], &b[10], w5, q)
		forwardButterflyStrict(&b[9], &b[11], w5, q)
		w6 := w[6]
		forwardButterflyStrict(&b[12], &b[14], w6, q)
		forwardButterflyStrict(&b[13], &b[15], w6, q)
		forwardButterflyStrict(&b[0], &b[1], w[7], q)
		forwardButterflyStrict(&b[2], &b[3], w[8], q)
		forwardButterflyStrict(&b[4], &b[5], w[9], q)
		forwardButterflyStrict(&b[6], &b[7], w[10], q)
		forwardButterflyStrict(&b[8], &b[9], w[11], q)
		forwardButterflyStrict(&b[10], &b[11], w[12], q)
		forwardButterflyStrict(&b[12], &b[13], w[13], q)
		forwardButterflyStrict(&b[14], &b[15], w[14], q)
	}
}

// inverseHeadStrict is inverseHead, in place, with inverseButterflyStrict.
func inverseHeadStrict(a []uint64, ws [][15]twiddle, q uint64) {
	for j := 0; j < len(a)-15 && j/16 < len(ws); j += 16 {
		b, w := (*[16]uint64)(a[j:]), &ws[j/16]
		inverseButterflyStrict(&b[0], &b[1], w[0], q)
		inverseButterflyStrict(&b[2], &b[3], w[1], q)
		inverseButterflyStrict(&b[4], &b[5], w[2], q)
		inverseButterflyStrict(&b[6], &b[7], w[3], q)
		inverseButterflyStrict(&b[8], &b[9], w[4], q)
		inverseButterflyStrict(&b[10], &b[11], w[5], q)
		inverseButterflyStrict(&b[12], &b[13], w[6], q)
		inverseButterflyStrict(&b[14], &b[15], w[7], q)
		w8 := w[8]
		inverseButterflyStrict(&b[0], &b[2], w8, q)
		inverseButterflyStrict(&b[1], &b[3], w8, q)
		w9 := w[9]
		inverseButterflyStrict(&b[4], &b[6], w9, q)
		inverseButterflyStrict(&b[5], &b[7], w9, q)
		w10 := w[10]
		inverseButterflyStrict(&b[8], &b[10], w10, q)
		inverseButterflyStrict(&b[9], &b[11], w10, q)
		w11 := w[11]
		inverseButterflyStrict(&b[12], &b[14], w11, q)
		inverseButterflyStrict(&b[13], &b[15], w11, q)
		w12 := w[12]
		inverseButterflyStrict(&b[0], &b[4], w12, q)
		inverseButterflyStrict(&b[1], &b[5], w12, q)
		inverseButterflyStrict(&b[2], &b[6], w12, q)
		inverseButterflyStrict(&b[3], &b[7], w12, q)
		w13 := w[13]
		inverseButterflyStrict(&b[8], &b[12], w13, q)
		inverseButterflyStrict(&b[9], &b[13], w13, q)
		inverseButterflyStrict(&b[10], &b[14], w13, q)
		inverseButterflyStrict(&b[11], &b[15], w13, q)
		w14 := w[14]
		inverseButterflyStrict(&b[0], &b[8], w14, q)
		inverseButterflyStrict(&b[1], &b[9], w14, q)
		inverseButterflyStrict(&b[2], &b[10], w14, q)
		inverseButterflyStrict(&b[3], &b[11], w14, q)
		inverseButterflyStrict(&b[4], &b[12], w14, q)
		inverseButterflyStrict(&b[5], &b[13], w14, q)
		inverseButterflyStrict(&b[6], &b[14], w14, q)
		inverseButterflyStrict(&b[7], &b[15], w14, q)
	}
}
