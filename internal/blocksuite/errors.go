package blocksuite

import (
	"errors"
	"fmt"
)

// ErrMismatch is wrapped by every *MismatchError.
var ErrMismatch = errors.New("differs from the sequential run")

// ErrCase is wrapped by errors about what is to be measured.
var ErrCase = errors.New("blocksuite: bad case")

// MismatchError says what of a block differs from the sequential run: "state",
// "root", "keys" or "outputs". The seed brings the block back. It wraps
// ErrMismatch.
type MismatchError struct {
	Load    string // and, of a Case, the gas and the root
	Seed    uint64
	Workers int
	What    string
	Detail  string // more about it, as text
}

func (e *MismatchError) Error() string {
	s := fmt.Sprintf("%s, seed %d, %d workers: %s: %v", e.Load, e.Seed, e.Workers, e.What, ErrMismatch)
	if e.Detail != "" {
		s += ": " + e.Detail
	}
	return s
}

func (e *MismatchError) Unwrap() error { return ErrMismatch }
