package stateroot

import (
	"errors"
	"fmt"
)

var (
	// ErrTooLarge is wrapped by every error about an input beyond the limits
	// of the package: MaxPairs pairs, MaxBytes bytes in a key or a value, and
	// MaxUpdateKey bytes in a key of an update.
	ErrTooLarge = errors.New("too large")
	// ErrMissing is wrapped by the error about a node that Nodes does not have.
	ErrMissing = errors.New("missing node")
	// ErrCorrupt is wrapped by the error about a node whose bytes do not have
	// the hash by which they were asked for, or are not a node's.
	ErrCorrupt = errors.New("corrupt node")
	// ErrSlot is returned for a slot of a state key that does not fit 7 bytes.
	ErrSlot = errors.New("stateroot: slot is not below 2^56")
)

// The limits of an input. They leave room in 32-bit node numbers and lengths.
const (
	MaxPairs = 1 << 29
	MaxBytes = 1 << 29
)

// SizeError says which part of the input is too large. It wraps ErrTooLarge.
type SizeError struct {
	What  string // "pairs", "key", "value"
	Index int    // of the pair, where What is of one
	Size  int
	Most  int // the limit
}

func (e *SizeError) Error() string {
	if e.What == "pairs" {
		return fmt.Sprintf("stateroot: %d pairs are more than %d", e.Size, e.Most)
	}
	return fmt.Sprintf("stateroot: %s of pair %d has %d bytes, more than %d", e.What, e.Index, e.Size, e.Most)
}

func (e *SizeError) Unwrap() error { return ErrTooLarge }

// HashError says in which batch a Hasher, or the context given to it, failed.
type HashError struct {
	What  string // "keys", "flat", "merkle", "mpt", "read", "update"
	Level int    // of a tree: 0 are the leaves, or for "read" the root; else -1
	Err   error
}

func (e *HashError) Error() string {
	if e.Level < 0 {
		return fmt.Sprintf("stateroot: %s: %v", e.What, e.Err)
	}
	return fmt.Sprintf("stateroot: %s: level %d: %v", e.What, e.Level, e.Err)
}

func (e *HashError) Unwrap() error { return e.Err }

// NodeError says which node could not be used, by its path, and why. It wraps
// ErrMissing, ErrCorrupt or the error of Nodes.Get.
type NodeError struct {
	Path []byte // nibbles from the root
	Err  error
}

func (e *NodeError) Error() string {
	return fmt.Sprintf("stateroot: node at path %q: %v", nibbleString(e.Path), e.Err)
}

func (e *NodeError) Unwrap() error { return e.Err }

// nibbleString writes a path with one hexadecimal digit for each nibble.
func nibbleString(path []byte) string {
	s := make([]byte, len(path))
	for i, n := range path {
		s[i] = "0123456789abcdef"[n&15]
	}
	return string(s)
}
