package simd

import (
	"fmt"
	"runtime"
	"sync/atomic"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/backends/internal/host"
	"github.com/crosspoint-kernels/crosspoint/keccak"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// Name is the name under which the backend is registered.
const Name = "simd"

func init() { backends.Register(backends.Driver{Name: Name, Rank: 20, Open: Open}) }

// maxWorkers bounds what a backend can be asked for.
const maxWorkers = 1024

// chunks: from about 0.5 µs of transforms to 15 µs of them, which stay in the
// second-level cache. Two threads reach 0.9 to 1.0 of what two independent goroutines
// do on 256 rows and more of the Pulsar ring in place, and 0.8 to 0.98 on 64, whose
// 8 µs are short beside the two hand-overs of a call; with chunks of at most 2,048
// coefficients, and so the more borders at which each core fetches rows of the other,
// 0.77 (2 vCPUs of an AMD EPYC (Zen 4); go test -bench TwoThreads ./backends/simd).
var chunks = host.Chunks{Least: 1024, Most: 1 << 15, Alone: 1 << 15}

// Options say how the backend is opened. The zero value is the widest there is, on
// all cores.
type Options struct {
	// Options has the number of threads in Workers, 0 for as many as GOMAXPROCS.
	// Device and AllowSoftware are ignored: there is one CPU.
	backends.Options
	// Width forces a width; empty takes the widest that the machine has.
	Width Width
}

// Open opens the backend at the widest width that the machine has, with
// Options.Workers threads, or GOMAXPROCS where that is 0.
func Open(o backends.Options) (backends.Backend, error) { return New(Options{Options: o}) }

// New opens the backend. The error is a *backends.Error that wraps
// backends.ErrUnavailable where the machine lacks the width that is asked for, where
// a kernel of it computes a known answer wrongly, and for a negative number of
// threads.
func New(o Options) (backends.Backend, error) {
	b, err := open(o)
	if err != nil {
		return nil, &backends.Error{Backend: Name, Op: "open", Err: err}
	}
	return b, nil
}

func open(o Options) (backends.Backend, error) {
	if o.Workers < 0 {
		return nil, fmt.Errorf("%w: %d workers", backends.ErrUnavailable, o.Workers)
	}
	level, err := findLevel(o.Width)
	if err == nil {
		err = level.selfTest()
	}
	if err != nil {
		return nil, err
	}
	workers := o.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	workers = min(workers, maxWorkers)
	return host.New(host.Config{
		Info: backends.Info{
			Name:    Name,
			Device:  "CPU",
			Driver:  level.String(),
			MaxN:    ntt.MaxN,
			Workers: workers,
		},
		Wipe:    o.Wipe,
		Kernels: level.kernels,
		Chunks:  chunks,
		Hashing: func(*atomic.Bool) (host.Hashing, error) {
			core, err := newHashCore(HasherOptions{Width: level.hash, Workers: workers, Wipe: o.Wipe})
			return hashing{core}, err
		},
	}), nil
}

// hashing is the hash functions of a backend.
type hashing struct{ core *hashCore }

func (h hashing) Hasher() keccak.Hasher { return h.core.handle() }

func (h hashing) Close() error {
	h.core.close()
	return nil
}
