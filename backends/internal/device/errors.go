package device

import (
	"errors"
	"fmt"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/gpu"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// fail makes the error of an operation of which done rows are final, or nil.
// What package gpu calls lost, beyond a limit or out of memory gets the name that
// callers of backends know; they cannot be expected to import gpu.
func (b *backend) fail(op string, done int, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, gpu.ErrLost) && !errors.Is(err, backends.ErrDeviceLost):
		err = fmt.Errorf("%w: %w", backends.ErrDeviceLost, err)
	case errors.Is(err, gpu.ErrLimit) && !errors.Is(err, backends.ErrUnsupported):
		err = fmt.Errorf("%w: %w", backends.ErrUnsupported, err)
	case errors.Is(err, gpu.ErrMemory) && !errors.Is(err, backends.ErrMemory):
		err = fmt.Errorf("%w: %w", backends.ErrMemory, err)
	}
	return &backends.Error{Backend: b.cfg.Name, Op: op, Done: done, Err: err}
}

// shiftRow adds first to the row that an *ntt.RangeError names, so that it
// counts from the start of the caller's slice.
func shiftRow(err error, first int) error {
	var out *ntt.RangeError
	if errors.As(err, &out) {
		return &ntt.RangeError{Arg: out.Arg, Row: out.Row + first, Index: out.Index}
	}
	return err
}
