package kat

import (
	"errors"
	"fmt"
)

// Why a file is refused. A *ParseError wraps one of them.
var (
	ErrSyntax      = errors.New("not well-formed")
	ErrSchema      = errors.New("unknown schema")
	ErrRing        = errors.New("not a ring with a negacyclic transform")
	ErrPsi         = errors.New("psi is not a primitive 2N-th root of unity")
	ErrRange       = errors.New("value is not in [0, q)")
	ErrLength      = errors.New("wrong length")
	ErrDigest      = errors.New("digest does not match its data")
	ErrName        = errors.New("two vectors of one name")
	ErrUnsupported = errors.New("test not supported")
)

// ErrMismatch is wrapped by every error that says that an output is wrong.
var ErrMismatch = errors.New("output differs")

// ParseError says where in a file and, through errors.Is, why it is refused.
type ParseError struct {
	Where string // such as "vectors[3].inputs[0]"; empty for the file as a whole
	Err   error
}

func (e *ParseError) Error() string {
	if e.Where == "" {
		return fmt.Sprintf("kat: %v", e.Err)
	}
	return fmt.Sprintf("kat: %s: %v", e.Where, e.Err)
}

func (e *ParseError) Unwrap() error { return e.Err }

// Mismatch is the first difference between an output and the known answer. It
// wraps ErrMismatch.
type Mismatch struct {
	Row, Index int
	Got, Want  uint64
}

func (e *Mismatch) Error() string {
	return fmt.Sprintf("row %d, index %d: got %#x, want %#x", e.Row, e.Index, e.Got, e.Want)
}

func (e *Mismatch) Unwrap() error { return ErrMismatch }

// HashMismatch is the first message whose digest is not the known one. It wraps
// ErrMismatch.
type HashMismatch struct {
	Message   int    // its index in the vector
	Got, Want string // in hexadecimal
}

func (e *HashMismatch) Error() string {
	return fmt.Sprintf("message %d: got %s, want %s", e.Message, e.Got, e.Want)
}

func (e *HashMismatch) Unwrap() error { return ErrMismatch }

// RootMismatch is a state root that is not the known one. It wraps ErrMismatch.
type RootMismatch struct{ Got, Want [32]byte }

func (e *RootMismatch) Error() string {
	return fmt.Sprintf("root: got %x, want %x", e.Got, e.Want)
}

func (e *RootMismatch) Unwrap() error { return ErrMismatch }

// DigestMismatch says that an output differs somewhere in a vector of which
// only a digest is kept. It wraps ErrMismatch.
type DigestMismatch struct {
	Hash      string // "SHA3-256", "SHA-256" or "Keccak-256"
	Got, Want string // in hexadecimal
}

func (e *DigestMismatch) Error() string {
	return fmt.Sprintf("%s of the output: got %s, want %s", e.Hash, e.Got, e.Want)
}

func (e *DigestMismatch) Unwrap() error { return ErrMismatch }
