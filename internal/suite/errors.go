package suite

import (
	"errors"
	"fmt"

	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// ErrMismatch is wrapped by every *MismatchError and *DigestError.
var ErrMismatch = errors.New("output differs from the reference")

// ErrSizes is wrapped by errors about the batch sizes or signers to be measured.
var ErrSizes = errors.New("suite: bad sizes")

// MismatchError says where the output of a contestant first differs from the
// scalar reference. Its values come from the seeded input, so they are no secret,
// and the seed brings them back. It wraps ErrMismatch.
type MismatchError struct {
	Backend     string
	Op          string
	Ring        *ntt.Ring
	Batch       int // size of the call, in rows (in signatures for the hot path)
	Row         int // of the output
	Coefficient int
	Got, Want   uint64
	Seed        uint64
}

func (e *MismatchError) Error() string {
	return fmt.Sprintf("%s: %s, ring %v, batch %d: row %d, coefficient %d: got %d, want %d (seed %d)",
		e.Backend, e.Op, e.Ring, e.Batch, e.Row, e.Coefficient, e.Got, e.Want, e.Seed)
}

func (e *MismatchError) Unwrap() error { return ErrMismatch }

// DigestError says which digest of a contestant first differs from the scalar
// reference: that of a message, or a state root. Like a MismatchError it holds
// no secret. It wraps ErrMismatch.
type DigestError struct {
	Backend   string
	Op        string
	Batch     int // messages of the call, or leaves of the state
	Message   int // that differs; -1 for a root
	Got, Want [32]byte
	Seed      uint64
}

func (e *DigestError) Error() string {
	if e.Message < 0 {
		return fmt.Sprintf("%s: %s, %d leaves: root: got %x, want %x (seed %d)",
			e.Backend, e.Op, e.Batch, e.Got, e.Want, e.Seed)
	}
	return fmt.Sprintf("%s: %s, batch %d: digest %d: got %x, want %x (seed %d)",
		e.Backend, e.Op, e.Batch, e.Message, e.Got, e.Want, e.Seed)
}

func (e *DigestError) Unwrap() error { return ErrMismatch }

// mismatch is an error about wrong output that is told whose it was, and of what
// size the call.
type mismatch interface {
	error
	by(backend string, size int)
}

func (e *MismatchError) by(backend string, size int) { e.Backend, e.Batch = backend, size }
func (e *DigestError) by(backend string, size int)   { e.Backend, e.Batch = backend, size }

// maxCoefficients bounds the buffers of one run on the host to 2 GiB together.
const maxCoefficients = 1 << 28

// MaxBatch is the largest batch of rows of r that a sweep of op takes.
func MaxBatch(r *ntt.Ring, op Op) int { return maxCoefficients / op.buffers() / r.N() }

// checkSizes refuses sizes that are not strictly increasing from 1 or more, or
// of which the largest, at rows per unit, is beyond MaxBatch.
func checkSizes(r *ntt.Ring, op Op, sizes []int, rows int) error {
	last, err := increasing(sizes)
	if err != nil {
		return err
	}
	if most := MaxBatch(r, op) / rows; last > most {
		return fmt.Errorf("%w: %d is too large: with N = %d and %d buffers 2 GiB hold %d", ErrSizes, last, r.N(), op.buffers(), most)
	}
	return nil
}

// increasing returns the last of sizes that increase strictly from 1 or more.
func increasing(sizes []int) (last int, err error) {
	if len(sizes) == 0 {
		return 0, fmt.Errorf("%w: there are none", ErrSizes)
	}
	for _, n := range sizes {
		if n <= last {
			return 0, fmt.Errorf("%w: %d after %d: they must increase from 1", ErrSizes, n, last)
		}
		last = n
	}
	return last, nil
}
