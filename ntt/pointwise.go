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

// The loops below take four or eight coefficients at a time through pointers to
// arrays, as the transform's kernels do: a sixth to a third faster than one by
// one.

// MulReduced is Mul for arguments that CheckBinary has accepted.
func (r *Ring) MulReduced(dst, a, b []uint64) {
	m, q := r.barrett, r.q
	for j := 0; j < len(dst)-3 && j < len(a)-3 && j < len(b)-3; j += 4 {
		dst, a, b := (*[4]uint64)(dst[j:]), (*[4]uint64)(a[j:]), (*[4]uint64)(b[j:])
		dst[0] = m.mul(a[0], b[0], q)
		dst[1] = m.mul(a[1], b[1], q)
		dst[2] = m.mul(a[2], b[2], q)
		dst[3] = m.mul(a[3], b[3], q)
	}
}

// MulAddReduced is MulAdd for arguments that CheckAccumulate has accepted.
func (r *Ring) MulAddReduced(dst, a, b []uint64) {
	m, q := r.barrett, r.q
	for j := 0; j < len(dst)-3 && j < len(a)-3 && j < len(b)-3; j += 4 {
		dst, a, b := (*[4]uint64)(dst[j:]), (*[4]uint64)(a[j:]), (*[4]uint64)(b[j:])
		dst[0] = reduceOnce(dst[0]+m.mul(a[0], b[0], q), q)
		dst[1] = reduceOnce(dst[1]+m.mul(a[1], b[1], q), q)
		dst[2] = reduceOnce(dst[2]+m.mul(a[2], b[2], q), q)
		dst[3] = reduceOnce(dst[3]+m.mul(a[3], b[3], q), q)
	}
}

// MulMontReduced is MulMont for arguments that CheckBinary has accepted.
func (r *Ring) MulMontReduced(dst, a, b []uint64) {
	q, qInv := r.q, r.qInv
	for j := 0; j < len(dst)-7 && j < len(a)-7 && j < len(b)-7; j += 8 {
		dst, a, b := (*[8]uint64)(dst[j:]), (*[8]uint64)(a[j:]), (*[8]uint64)(b[j:])
		dst[0] = mred(a[0], b[0], q, qInv)
		dst[1] = mred(a[1], b[1], q, qInv)
		dst[2] = mred(a[2], b[2], q, qInv)
		dst[3] = mred(a[3], b[3], q, qInv)
		dst[4] = mred(a[4], b[4], q, qInv)
		dst[5] = mred(a[5], b[5], q, qInv)
		dst[6] = mred(a[6], b[6], q, qInv)
		dst[7] = mred(a[7], b[7], q, qInv)
	}
}

// MulAddMontReduced is MulAddMont for arguments that CheckAccumulate has accepted.
func (r *Ring) MulAddMontReduced(dst, a, b []uint64) {
	q, qInv := r.q, r.qInv
	for j := 0; j < len(dst)-7 && j < len(a)-7 && j < len(b)-7; j += 8 {
		dst, a, b := (*[8]uint64)(dst[j:]), (*[8]uint64)(a[j:]), (*[8]uint64)(b[j:])
		dst[0] = reduceOnce(dst[0]+mred(a[0], b[0], q, qInv), q)
		dst[1] = reduceOnce(dst[1]+mred(a[1], b[1], q, qInv), q)
		dst[2] = reduceOnce(dst[2]+mred(a[2], b[2], q, qInv), q)
		dst[3] = reduceOnce(dst[3]+mred(a[3], b[3], q, qInv), q)
		dst[4] = reduceOnce(dst[4]+mred(a[4], b[4], q, qInv), q)
		dst[5] = reduceOnce(dst[5]+mred(a[5], b[5], q, qInv), q)
		dst[6] = reduceOnce(dst[6]+mred(a[6], b[6], q, qInv), q)
		dst[7] = reduceOnce(dst[7]+mred(a[7], b[7], q, qInv), q)
	}
}

// MFormReduced is MForm for arguments that CheckUnary has accepted.
func (r *Ring) MFormReduced(dst, src []uint64) {
	w, q := r.r1, r.q
	src = src[:len(dst)]
	for i := range dst {
		dst[i] = mulShoup(src[i], w, q)
	}
}

// IMFormReduced is IMForm for arguments that CheckUnary has accepted.
func (r *Ring) IMFormReduced(dst, src []uint64) {
	q, qInv := r.q, r.qInv
	src = src[:len(dst)]
	for i := range dst {
		dst[i] = mredOne(src[i], q, qInv)
	}
}
