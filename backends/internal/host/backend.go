package host

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/keccak"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// Config is what a backend on the host's CPU is made of.
type Config struct {
	Info backends.Info // Workers is the number of threads, at least one
	Wipe bool
	// Kernels returns those of a ring.
	Kernels func(r *ntt.Ring) Kernels
	Chunks  Chunks
	// Hashing is called once, for the first Hasher. The closed flag is the backend's.
	Hashing func(closed *atomic.Bool) (Hashing, error)
}

// Chunks are how many coefficients a worker takes at once: a share of what is left,
// but at least Least and at most Most, or as much as Alone where there is one worker.
// A row is taken whole. The context is looked at as often.
type Chunks struct{ Least, Most, Alone int }

// Hashing is the hash functions of a backend. Close ends its workers.
type Hashing interface {
	// Hasher returns a handle of its own, which shares the workers.
	Hasher() keccak.Hasher
	Close() error
}

// backend is the CPU with a fixed number of workers.
type backend struct {
	Config
	pool   *pool
	closed atomic.Bool

	mu      sync.Mutex
	hashing Hashing // of all that Keccak returned, made for the first
}

// New returns a backend.
func New(c Config) backends.Backend {
	return &backend{Config: c, pool: newPool(c.Info.Workers)}
}

func (b *backend) Info() backends.Info { return b.Config.Info }

// fail makes an error of the backend.
func (b *backend) fail(op string, err error) error {
	return &backends.Error{Backend: b.Config.Info.Name, Op: op, Err: err}
}

func (b *backend) Supports(op backends.Op) error {
	if err := supports(op); err != nil {
		return b.fail(string(op.Kind), err)
	}
	return nil
}

func supports(op backends.Op) error {
	switch op.Kind {
	case backends.NTT, backends.Pointwise, backends.Keccak:
		return backends.CheckCount(op.Rows)
	case backends.Resident:
		if op.Ring == nil {
			return backends.CheckCount(op.Rows)
		}
		return checkBatch(op.Ring, op.Rows)
	}
	return backends.ErrUnsupported
}

func (b *backend) NTT(r *ntt.Ring) (backends.Plan, error) {
	if b.closed.Load() {
		return nil, b.fail("plan", backends.ErrClosed)
	}
	if r == nil {
		return nil, b.fail("plan", fmt.Errorf("%w: no ring", backends.ErrUnsupported))
	}
	return &plan{backend: b, ring: r, kernels: b.Kernels(r)}, nil
}

func (b *backend) Keccak() (keccak.Hasher, error) {
	if b.closed.Load() {
		return nil, b.fail("keccak", backends.ErrClosed)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.hashing == nil {
		h, err := b.Hashing(&b.closed)
		if err != nil {
			return nil, b.fail("keccak", err)
		}
		b.hashing = h
	}
	return b.hashing.Hasher(), nil
}

func (b *backend) Close() error {
	if b.closed.Swap(true) {
		return b.fail("close", backends.ErrClosed)
	}
	b.pool.close()
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.hashing != nil {
		return b.hashing.Close()
	}
	return nil
}
