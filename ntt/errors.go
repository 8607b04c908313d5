package ntt

import (
	"errors"
	"fmt"
	"strings"
)

// The reasons for which a ring is refused. A *RingError wraps one of them.
var (
	ErrDegree  = errors.New("degree is not a power of two from 8 to 65536")
	ErrModulus = errors.New("modulus is not below 2^61")
	ErrPrime   = errors.New("modulus is not prime")
	ErrNoRoot  = errors.New("modulus is not 1 modulo 2N, so no primitive 2N-th root of unity exists")
	ErrPsi     = errors.New("psi is not a primitive 2N-th root of unity")
)

// ErrSyntax is wrapped by the error about a text that denotes no ring.
var ErrSyntax = errors.New("neither a known ring nor N,q[,psi]")

// ErrShape is wrapped by every error about lengths and overlaps of slices.
var ErrShape = errors.New("shape")

// ErrRange is wrapped by every error about a coefficient that is not in [0, q).
var ErrRange = errors.New("coefficient out of range")

// RingError says which ring was refused and, through errors.Is, why.
type RingError struct {
	N   int
	Q   uint64
	Psi uint64 // 0 where it was to be derived
	Err error
}

func (e *RingError) Error() string {
	if e.Psi != 0 {
		return fmt.Sprintf("ntt: ring N=%d q=%d psi=%d: %v", e.N, e.Q, e.Psi, e.Err)
	}
	return fmt.Sprintf("ntt: ring N=%d q=%d: %v", e.N, e.Q, e.Err)
}

func (e *RingError) Unwrap() error { return e.Err }

// SyntaxError says which text Parse could not read. It wraps ErrSyntax.
type SyntaxError struct{ Text string }

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("ntt: %q is %v; known rings: %s", e.Text, ErrSyntax, strings.Join(Names(), ", "))
}
func (e *SyntaxError) Unwrap() error { return ErrSyntax }

// ShapeError says what is wrong with the length or the place of an argument.
// It wraps ErrShape.
type ShapeError struct {
	Arg    string // the argument at fault: "dst", "src", "a", "b", "row", ...
	Reason string
}

func (e *ShapeError) Error() string { return fmt.Sprintf("ntt: %s: %s", e.Arg, e.Reason) }
func (e *ShapeError) Unwrap() error { return ErrShape }

// RangeError names the first coefficient that is not in [0, q), by place and
// never by value, because it may be a secret. It wraps ErrRange.
type RangeError struct {
	Arg   string // the argument that holds it
	Row   int    // polynomial within the batch
	Index int    // coefficient within the polynomial
}

func (e *RangeError) Error() string {
	return fmt.Sprintf("ntt: %s: coefficient %d of row %d is not in [0, q)", e.Arg, e.Index, e.Row)
}
func (e *RangeError) Unwrap() error { return ErrRange }
