package ntt

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
	copy(dst, src)
	for i := 0; i+r.n <= len(dst); i += r.n {
		r.forwardRow(dst[i : i+r.n])
	}
}

// InverseReduced is Inverse for arguments that CheckUnary has accepted.
func (r *Ring) InverseReduced(dst, src []uint64) {
	copy(dst, src)
	for i := 0; i+r.n <= len(dst); i += r.n {
		r.inverseRow(dst[i : i+r.n])
	}
}

func (r *Ring) forwardRow(a []uint64) {
	q := r.q
	for m, t := 1, r.n/2; m < r.n; m, t = 2*m, t/2 {
		for i := range m {
			w := r.fwd[m+i]
			x, y := a[2*i*t:2*i*t+t], a[2*i*t+t:2*i*t+2*t]
			for j := range x {
				v := reduceOnce(mulShoupLazy(y[j], w, q), q)
				x[j], y[j] = reduceOnce(x[j]+v, q), reduceOnce(x[j]+q-v, q)
			}
		}
	}
}

func (r *Ring) inverseRow(a []uint64) {
	q := r.q
	for h, t := r.n/2, 1; h >= 1; h, t = h/2, 2*t {
		for i := range h {
			w := r.inv[h+i]
			x, y := a[2*i*t:2*i*t+t], a[2*i*t+t:2*i*t+2*t]
			for j := range x {
				u, v := x[j], y[j]
				x[j] = reduceOnce(u+v, q)
				y[j] = reduceOnce(mulShoupLazy(u+q-v, w, q), q)
			}
		}
	}
	for j := range a {
		a[j] = reduceOnce(mulShoupLazy(a[j], r.nInv, q), q)
	}
}
