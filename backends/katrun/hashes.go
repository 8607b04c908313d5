package katrun

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/kat"
	"github.com/crosspoint-kernels/crosspoint/keccak"
)

// CheckHashes runs the Keccak-256 vectors of the files on the backend's Hasher
// and returns an outcome for each. All messages of a file go into one batch of
// mixed lengths, and then those of each vector go by themselves, so that a digest
// may depend neither on its neighbours nor on its place. Where the backend has no
// Hasher every outcome is unsupported.
//
// The other functions are no backend's: CheckFunctions runs those.
func CheckHashes(ctx context.Context, b backends.Backend, files []kat.File) []Outcome {
	h, err := b.Keccak()
	if err == nil {
		defer h.Close()
	}
	var outcomes []Outcome
	for _, f := range files {
		vectors := slices.DeleteFunc(slices.Clone(f.Hashes), func(v kat.HashVector) bool {
			return v.Function != kat.Keccak256
		})
		mixed := checkMixed(ctx, h, err, vectors)
		for i, v := range vectors {
			outcomes = append(outcomes, newOutcome(f.Name, v.Name, string(v.Function), func() error {
				if mixed[i] != nil {
					return mixed[i]
				}
				return checkAlone(ctx, h, &v)
			}))
		}
	}
	return outcomes
}

// newOutcome runs the check of a vector, and times it.
func newOutcome(file, vector, op string, check func() error) Outcome {
	start := time.Now()
	err := check()
	return Outcome{File: file, Vector: vector, Op: op, Err: err,
		Unsupported: errors.Is(err, backends.ErrUnsupported), Time: time.Since(start)}
}

// checkMixed hashes the messages of all vectors in one batch and returns the
// error of each vector; err is that of making the Hasher.
func checkMixed(ctx context.Context, h keccak.Hasher, err error, vectors []kat.HashVector) []error {
	errs := make([]error, len(vectors))
	var m keccak.Messages
	for i := range vectors {
		for _, msg := range vectors[i].Messages() {
			err = errors.Join(err, m.Append(msg))
		}
	}
	dst := poisoned(m.Len())
	if err == nil {
		err = h.Sum256(ctx, dst, m)
	}
	for i := range vectors {
		v := &vectors[i]
		if errs[i] = err; err == nil {
			errs[i] = explain(v, dst[:v.Len()])
		}
		if errs[i] != nil {
			errs[i] = fmt.Errorf("in a batch of %d messages: %w", m.Len(), errs[i])
		}
		dst = dst[v.Len():]
	}
	return errs
}

// checkAlone hashes the messages of one vector by themselves, a single one by
// both methods of a Hasher.
func checkAlone(ctx context.Context, h keccak.Hasher, v *kat.HashVector) error {
	var m keccak.Messages
	for _, msg := range v.Messages() {
		if err := m.Append(msg); err != nil {
			return err
		}
	}
	dst := poisoned(m.Len())
	if err := h.Sum256(ctx, dst, m); err != nil {
		return err
	}
	if err := explain(v, dst); err != nil || m.Len() > 1 {
		return err
	}
	dst = poisoned(1)
	err := h.SumFixed(ctx, dst, m.Data, len(m.Data))
	if err == nil {
		err = explain(v, dst)
	}
	if err != nil {
		return fmt.Errorf("by its width: %w", err)
	}
	return nil
}

// poisoned returns n digests that no message has, so that one that was never
// written shows.
func poisoned(n int) [][32]byte {
	d := make([][32]byte, n)
	for i := range d {
		for j := range d[i] {
			d[i][j] = 0xdb
		}
	}
	return d
}

// explain checks the digests of a vector, and replaces the error of a digest over
// them by that of the first message that differs from the reference, where the
// reference gives the known output.
func explain(v *kat.HashVector, got [][32]byte) error {
	flat := flatten(got)
	err := v.Check(flat)
	var digest *kat.DigestMismatch
	if !errors.As(err, &digest) {
		return err
	}
	want := make([][32]byte, 0, len(got))
	for _, msg := range v.Messages() {
		want = append(want, keccak.Sum256(msg))
	}
	if v.Check(flatten(want)) != nil {
		return err // the reference is wrong too, so it cannot tell where
	}
	return kat.CompareDigests(flat, flatten(want), keccak.Size)
}

func flatten(digests [][32]byte) []byte {
	flat := make([]byte, 0, keccak.Size*len(digests))
	for i := range digests {
		flat = append(flat, digests[i][:]...)
	}
	return flat
}
