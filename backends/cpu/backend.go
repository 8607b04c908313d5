package cpu

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
const Name = "cpu"

func init() { backends.Register(backends.Driver{Name: Name, Rank: 10, Open: Open}) }

// chunkCoefficients is how much of a batch a worker takes at once: about 5 µs of
// transforms. Two chunks, 8 rows of the Pulsar ring, are then 0.62 of the time of
// one thread on two cores, and 16 rows 0.59; with twice as much, 8 rows gain
// nothing and 4,096 rows no more (medians of 60 on 2 vCPUs of an AMD EPYC; the
// benchmark of this package repeats them).
const chunkCoefficients = 1024

// Open returns the scalar backend with Options.Workers threads, one where that
// is 0. It ignores Options.Device and AllowSoftware: there is one CPU.
func Open(o backends.Options) (backends.Backend, error) {
	if o.Workers < 0 {
		return nil, &backends.Error{Backend: Name, Op: "open",
			Err: fmt.Errorf("%w: %d workers", backends.ErrUnavailable, o.Workers)}
	}
	workers := max(1, o.Workers)
	return host.New(host.Config{
		Info: backends.Info{
			Name:    Name,
			Device:  "CPU",
			Driver:  fmt.Sprintf("scalar Go, %s/%s", runtime.GOOS, runtime.GOARCH),
			MaxN:    ntt.MaxN,
			Workers: workers,
		},
		Wipe:    o.Wipe,
		Kernels: host.Scalar,
		Chunks:  host.Chunks{Least: chunkCoefficients, Most: chunkCoefficients, Alone: chunkCoefficients},
		Hashing: func(closed *atomic.Bool) (host.Hashing, error) {
			// It has workers of its own, which wait for messages as the pool's do for rows.
			return &hashing{closed: closed, shared: keccak.NewParallel(workers)}, nil
		},
	}), nil
}
