package blocksuite

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/keccak"
	"github.com/crosspoint-kernels/crosspoint/stateroot"
)

// Opener is backends.Open or a test's replacement.
type Opener func(name string, o backends.Options) (backends.Backend, error)

// Hashing is a backend that hashes the roots. A CPU is opened once for each number
// of workers, so that the sequential baseline hashes on one thread; a device is
// opened once, and hashes the roots of the baseline too.
type Hashing struct {
	Name string
	Info backends.Info

	open     Opener // nil where all that there is was given
	options  backends.Options
	backends map[int]backends.Backend
	hashers  map[int]keccak.Hasher
}

// OpenHashing opens the named backend. The error is the opener's, or says that it
// does not hash.
func OpenHashing(open Opener, name string, o backends.Options) (*Hashing, error) {
	h := &Hashing{Name: name, open: open, options: o, backends: map[int]backends.Backend{}, hashers: map[int]keccak.Hasher{}}
	if _, err := h.hasher(1); err != nil {
		return nil, errors.Join(err, h.Close())
	}
	h.Info = h.backends[1].Info()
	return h, nil
}

// HashingBy makes one of a backend that is open, and of another that does the same
// on so many threads; nil where there is no other. They stay the caller's to close.
func HashingBy(name string, b, parallel backends.Backend, workers int) (*Hashing, error) {
	h := &Hashing{Name: name, Info: b.Info(), backends: map[int]backends.Backend{}, hashers: map[int]keccak.Hasher{}}
	for n, b := range map[int]backends.Backend{1: b, workers: cmp.Or(parallel, b)} {
		if err := h.enter(n, b); err != nil {
			return nil, errors.Join(err, h.Close())
		}
	}
	return h, nil
}

// Backend is the one on one thread, or the device.
func (h *Hashing) Backend() backends.Backend { return h.backends[1] }

// device says whether the hashing is done elsewhere than on the host's threads.
func (h *Hashing) device() bool { return h.Info.Name != "" && h.Info.Workers == 0 }

// hasher returns the one for so many workers.
func (h *Hashing) hasher(workers int) (keccak.Hasher, error) {
	if h.device() {
		workers = 1
	}
	if hasher := h.hashers[workers]; hasher != nil {
		return hasher, nil
	}
	if h.open == nil {
		return nil, fmt.Errorf("%w: %s was not opened for %d workers", ErrCase, h.Name, workers)
	}
	o := h.options
	o.Workers = workers
	b, err := h.open(h.Name, o)
	if err != nil {
		return nil, err
	}
	h.backends[workers] = b
	if err := h.enter(workers, b); err != nil {
		return nil, err
	}
	return h.hashers[workers], nil
}

// enter makes the hasher of a backend.
func (h *Hashing) enter(workers int, b backends.Backend) error {
	if err := b.Supports(backends.Op{Kind: backends.Keccak}); err != nil {
		return err
	}
	hasher, err := b.Keccak()
	if err != nil {
		return fmt.Errorf("%s: %w", h.Name, err)
	}
	if h.open == nil {
		h.backends[workers] = b
	}
	h.hashers[workers] = hasher
	return nil
}

// rootOptions are those of a root by so many workers. A CPU hashes every batch with
// its own threads, and a device those that are worth its while.
func (h *Hashing) rootOptions(workers int) (stateroot.Options, error) {
	big, err := h.hasher(workers)
	if err != nil || h.device() {
		return stateroot.Options{Big: big, Threshold: stateroot.DefaultThreshold}, err
	}
	small, err := h.hasher(1)
	return stateroot.Options{Big: big, Small: small, Threshold: 1}, err
}

// Close closes what was opened.
func (h *Hashing) Close() error {
	var errs []error
	for _, hasher := range h.hashers {
		errs = append(errs, hasher.Close())
	}
	if h.open != nil {
		for _, b := range h.backends {
			errs = append(errs, b.Close())
		}
	}
	return errors.Join(errs...)
}
