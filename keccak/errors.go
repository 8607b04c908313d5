package keccak

import (
	"errors"
	"fmt"
)

var (
	// ErrShape is wrapped by every error about lengths, offsets and overlaps.
	ErrShape = errors.New("shape")
	// ErrClosed is wrapped by the error of a call on a closed Hasher.
	ErrClosed = errors.New("closed")
	// ErrSqueezing is returned by a Write to an XOF that was read from.
	ErrSqueezing = errors.New("keccak: write after read")
)

// ShapeError says what is wrong with the length or the place of an argument.
// It wraps ErrShape.
type ShapeError struct {
	Arg    string // the argument at fault: "dst", "data", "width", "off", ...
	Reason string
}

func (e *ShapeError) Error() string { return fmt.Sprintf("keccak: %s: %s", e.Arg, e.Reason) }
func (e *ShapeError) Unwrap() error { return ErrShape }

// The operations of a Hasher, as Error names them.
const (
	opSum256   = "sum256"
	opSumFixed = "sumfixed"
)

// Error says which operation of a Hasher failed, and how far it came.
type Error struct {
	Op   string // "sum256", "sumfixed"; "merkleroot" of a TreeHasher
	Done int    // digests [0, Done) of dst are final; the others are untouched
	Err  error
}

func (e *Error) Error() string {
	if e.Done > 0 {
		return fmt.Sprintf("keccak: %s: after %d digests: %v", e.Op, e.Done, e.Err)
	}
	return fmt.Sprintf("keccak: %s: %v", e.Op, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }
