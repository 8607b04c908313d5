package cpu

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/keccak"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// Name is the name under which the backend is registered.
const Name = "cpu"

func init() { backends.Register(backends.Driver{Name: Name, Rank: 10, Open: Open}) }

// backend is the scalar CPU with a fixed number of workers.
type backend struct {
	pool    *pool
	workers int
	wipe    bool
	closed  atomic.Bool

	mu     sync.Mutex
	keccak keccak.Hasher // of all that Keccak returned, made for the first
}

// Open returns the scalar backend with Options.Workers threads, one where that
// is 0. It ignores Options.Device and AllowSoftware: there is one CPU.
func Open(o backends.Options) (backends.Backend, error) {
	if o.Workers < 0 {
		return nil, &backends.Error{Backend: Name, Op: "open",
			Err: fmt.Errorf("%w: %d workers", backends.ErrUnavailable, o.Workers)}
	}
	workers := max(1, o.Workers)
	return &backend{pool: newPool(workers), workers: workers, wipe: o.Wipe}, nil
}

func (b *backend) Info() backends.Info {
	return backends.Info{
		Name:    Name,
		Device:  "CPU",
		Driver:  fmt.Sprintf("scalar Go, %s/%s", runtime.GOOS, runtime.GOARCH),
		MaxN:    ntt.MaxN,
		Workers: b.workers,
	}
}

func (b *backend) Supports(op backends.Op) error {
	if err := supports(op); err != nil {
		return &backends.Error{Backend: Name, Op: string(op.Kind), Err: err}
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
		return nil, &backends.Error{Backend: Name, Op: "plan", Err: backends.ErrClosed}
	}
	if r == nil {
		return nil, &backends.Error{Backend: Name, Op: "plan", Err: fmt.Errorf("%w: no ring", backends.ErrUnsupported)}
	}
	return &plan{backend: b, ring: r}, nil
}

func (b *backend) Keccak() (keccak.Hasher, error) {
	if b.closed.Load() {
		return nil, &backends.Error{Backend: Name, Op: "keccak", Err: backends.ErrClosed}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.keccak == nil {
		// It has workers of its own, which wait for messages as the pool's do for rows.
		b.keccak = keccak.NewParallel(b.workers)
	}
	return &hasher{backend: b, shared: b.keccak}, nil
}

func (b *backend) Close() error {
	if b.closed.Swap(true) {
		return &backends.Error{Backend: Name, Op: "close", Err: backends.ErrClosed}
	}
	b.pool.close()
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.keccak != nil {
		return b.keccak.Close()
	}
	return nil
}
