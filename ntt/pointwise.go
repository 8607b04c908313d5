package ntt

// The pointwise operations work coefficient by coefficient on whole rows, in
// either order of the coefficients. Their slices are equally long; dst may be
// the same slice as an operand, any other overlap is a *ShapeError, and a
// coefficient not in [0, q) is a *RangeError. After an error dst is untouched.
//
// The Montgomery family has R = 2^64 and gives the bytes of lattigo's MForm,
// IMForm, MulCoeffsMontgomery and MulCoeffsMontgomeryThenAdd.

// Mul sets dst = a*b mod q.
func (r *Ring) Mul(dst, a, b []uint64) error {
	if err := r.CheckBinary(dst, a, b); err != nil {
		return err
	}
	r.MulReduced(dst, a, b)
	return nil
}

// MulAdd sets dst = dst + a*b mod q; dst must be reduced too.
func (r *Ring) MulAdd(dst, a, b []uint64) error {
	if err := r.CheckAccumulate(dst, a, b); err != nil {
		return err
	}
	r.MulAddReduced(dst, a, b)
	return nil
}

// MulMont sets dst = a*b*2^-64 mod q.
func (r *Ring) MulMont(dst, a, b []uint64) error {
	if err := r.CheckBinary(dst, a, b); err != nil {
		return err
	}
	r.MulMontReduced(dst, a, b)
	return nil
}

// MulAddMont sets dst = dst + a*b*2^-64 mod q; dst must be reduced too.
func (r *Ring) MulAddMont(dst, a, b []uint64) error {
	if err := r.CheckAccumulate(dst, a, b); err != nil {
		return err
	}
	r.MulAddMontReduced(dst, a, b)
	return nil
}

// MForm sets dst = src*2^64 mod q: into Montgomery form.
func (r *Ring) MForm(dst, src []uint64) error {
	if err := r.CheckUnary(dst, src); err != nil {
		return err
	}
	r.MFormReduced(dst, src)
	return nil
}

// IMForm sets dst = src*2^-64 mod q: out of Montgomery form.
func (r *Ring) IMForm(dst, src []uint64) error {
	if err := r.CheckUnary(dst, src); err != nil {
		return err
	}
	r.IMFormReduced(dst, src)
	return nil
}

// MulReduced is Mul for arguments that CheckBinary has accepted.
func (r *Ring) MulReduced(dst, a, b []uint64) {
	q, qInv, r2 := r.q, r.qInv, r.r2
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = mred(mredLazy(a[i], b[i], q, qInv), r2, q, qInv)
	}
}

// MulAddReduced is MulAdd for arguments that CheckAccumulate has accepted.
func (r *Ring) MulAddReduced(dst, a, b []uint64) {
	q, qInv, r2 := r.q, r.qInv, r.r2
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = reduceOnce(dst[i]+mred(mredLazy(a[i], b[i], q, qInv), r2, q, qInv), q)
	}
}

// MulMontReduced is MulMont for arguments that CheckBinary has accepted.
func (r *Ring) MulMontReduced(dst, a, b []uint64) {
	q, qInv := r.q, r.qInv
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = mred(a[i], b[i], q, qInv)
	}
}

// MulAddMontReduced is MulAddMont for arguments that CheckAccumulate has accepted.
func (r *Ring) MulAddMontReduced(dst, a, b []uint64) {
	q, qInv := r.q, r.qInv
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = reduceOnce(dst[i]+mred(a[i], b[i], q, qInv), q)
	}
}

// MFormReduced is MForm for arguments that CheckUnary has accepted.
func (r *Ring) MFormReduced(dst, src []uint64) { r.scaleMont(dst, src, r.r2) }

// IMFormReduced is IMForm for arguments that CheckUnary has accepted.
func (r *Ring) IMFormReduced(dst, src []uint64) { r.scaleMont(dst, src, 1) }

// scaleMont sets dst = src*c*2^-64 mod q for c in [0, q).
func (r *Ring) scaleMont(dst, src []uint64, c uint64) {
	q, qInv := r.q, r.qInv
	src = src[:len(dst)]
	for i := range dst {
		dst[i] = mred(src[i], c, q, qInv)
	}
}
