package ntt

import (
	"fmt"
	"unsafe"
)

// CheckRows returns a *ShapeError unless s is a whole number of rows.
func (r *Ring) CheckRows(arg string, s []uint64) error {
	if len(s)%r.n != 0 {
		return &ShapeError{arg, fmt.Sprintf("length %d is no multiple of N=%d", len(s), r.n)}
	}
	return nil
}

// CheckRange returns a *RangeError that names the first coefficient of s that
// is not in [0, q), or nil. It does not branch on a coefficient until it has
// found that one of them must be refused.
func (r *Ring) CheckRange(arg string, s []uint64) error {
	if r.reduced(s) {
		return nil
	}
	for i, x := range s {
		if x >= r.q {
			return &RangeError{Arg: arg, Row: i / r.n, Index: i % r.n}
		}
	}
	return nil
}

// reduced reports whether every coefficient of s is in [0, q).
func (r *Ring) reduced(s []uint64) bool {
	var top uint64
	for j := 0; j < len(s)-7; j += 8 {
		b := (*[8]uint64)(s[j:])
		top = max(top, max(b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7]))
	}
	for _, x := range s[len(s)&^7:] {
		top = max(top, x)
	}
	return top < r.q
}

// CheckUnary checks the arguments of an operation from src to dst: whole rows,
// equal lengths, no overlap but dst == src, every coefficient of src in range.
func (r *Ring) CheckUnary(dst, src []uint64) error {
	if err := r.CheckShape(dst, "src", src); err != nil {
		return err
	}
	return r.CheckRange("src", src)
}

// CheckShape checks that dst and src are whole rows, equally many, and do not
// overlap unless they are the same slice. It looks at no coefficient.
func (r *Ring) CheckShape(dst []uint64, arg string, src []uint64) error {
	if err := r.CheckRows(arg, src); err != nil {
		return err
	}
	if len(dst) != len(src) {
		return &ShapeError{"dst", fmt.Sprintf("length %d differs from %s's %d", len(dst), arg, len(src))}
	}
	if inexactOverlap(dst, src) {
		return &ShapeError{"dst", fmt.Sprintf("overlaps %s without being the same slice", arg)}
	}
	return nil
}

// inexactOverlap reports whether x and y, equally long, share memory at
// different offsets.
func inexactOverlap(x, y []uint64) bool {
	return overlap(x, y) && &x[0] != &y[0]
}

// overlap reports whether x and y share memory.
func overlap(x, y []uint64) bool {
	if len(x) == 0 || len(y) == 0 {
		return false
	}
	x0, y0 := uintptr(unsafe.Pointer(&x[0])), uintptr(unsafe.Pointer(&y[0]))
	x1, y1 := uintptr(unsafe.Pointer(&x[len(x)-1])), uintptr(unsafe.Pointer(&y[len(y)-1]))
	return x0 <= y1 && y0 <= x1
}

// CheckBinary checks the arguments of an operation from a and b to dst.
func (r *Ring) CheckBinary(dst, a, b []uint64) error {
	if err := r.CheckShape(dst, "a", a); err != nil {
		return err
	}
	if err := r.CheckShape(dst, "b", b); err != nil {
		return err
	}
	if err := r.CheckRange("a", a); err != nil {
		return err
	}
	return r.CheckRange("b", b)
}

// CheckAccumulate is CheckBinary for an operation that reads dst as well.
func (r *Ring) CheckAccumulate(dst, a, b []uint64) error {
	if err := r.CheckBinary(dst, a, b); err != nil {
		return err
	}
	return r.CheckRange("dst", dst)
}
