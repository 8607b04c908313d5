package backends

import (
	"errors"
	"fmt"

	"github.com/crosspoint-kernels/crosspoint/keccak"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// What the errors of this package and of every backend wrap.
var (
	// ErrUnknown: no backend of that name is registered.
	ErrUnknown = errors.New("unknown backend")
	// ErrUnavailable: the backend is registered, but has no device here, or its
	// device failed the self-test.
	ErrUnavailable = errors.New("backend unavailable")
	// ErrUnsupported: the backend cannot do this operation.
	ErrUnsupported = errors.New("operation not supported")
	// ErrClosed: the backend, plan, batch or hasher was closed; package keccak's.
	ErrClosed = keccak.ErrClosed
	// ErrDeviceLost: the device stopped working; open the backend anew.
	ErrDeviceLost = errors.New("device lost")
	// ErrMemory: the device has no memory left for this. It may once other batches
	// are released.
	ErrMemory = errors.New("out of device memory")
	// ErrShape and ErrRange are those of package ntt.
	ErrShape = ntt.ErrShape
	ErrRange = ntt.ErrRange
)

// Error says which operation of which backend failed, and how far it came.
type Error struct {
	Backend string
	Op      string
	Done    int // rows of dst that are final; the others are untouched
	Err     error
}

func (e *Error) Error() string {
	if e.Done > 0 {
		return fmt.Sprintf("%s: %s: after %d rows: %v", e.Backend, e.Op, e.Done, e.Err)
	}
	return fmt.Sprintf("%s: %s: %v", e.Backend, e.Op, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }
