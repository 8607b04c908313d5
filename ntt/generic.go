package ntt

// forwardGeneric transforms a row, in place, as textbooks do: every value is in [0, q) at every step. A stage splits the ring
// modulo X^2t - w^2 into those modulo X^t - w and X^t + w, which is what puts
// the twiddle factors and the output in bit-reversed order. It is the reference
// for the kernels, and what serves degrees below kernelMinN.
func (r *Ring) forwardGeneric(a []uint64) {
	for m, t := 1, r.n/2; m < r.n; m, t = 2*m, t/2 {
		for i, w := range r.fwd[m : 2*m] {
			x, y := a[2*i*t:2*i*t+t], a[2*i*t+t:2*i*t+2*t]
			for j := range x {
				v := mulShoup(y[j], w, r.q)
				x[j], y[j] = reduceOnce(x[j]+v, r.q), subMod(x[j], v, r.q)
			}
		}
	}
}

// inverseGeneric transforms a row, in place. It undoes the stages of forwardGeneric from the last to the first, each up to a
// factor of 2, and divides by N at the end.
func (r *Ring) inverseGeneric(a []uint64) {
	for m, t := r.n/2, 1; m >= 1; m, t = m/2, 2*t {
		for i, w := range r.inv[m : 2*m] {
			x, y := a[2*i*t:2*i*t+t], a[2*i*t+t:2*i*t+2*t]
			for j := range x {
				u, v := x[j], y[j]
				x[j], y[j] = reduceOnce(u+v, r.q), mulShoup(subMod(u, v, r.q), w, r.q)
			}
		}
	}
	for j := range a {
		a[j] = mulShoup(a[j], r.nInv, r.q)
	}
}
