package backendtest

import (
	"fmt"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/backends/cpu"
	"github.com/crosspoint-kernels/crosspoint/backends/katrun"
	"github.com/crosspoint-kernels/crosspoint/kat"
	"github.com/crosspoint-kernels/crosspoint/keccak"
)

// small is enough for every mutant to show.
var small = scale{
	sizes: 9, edges: []int{chunkRows + 1}, late: chunkRows + 1, most: chunkRows + 1,
	many: 60, wide: chunkRows + 1,
	messages: []int{257}, long: 1<<18 + 5, roots: 150,
}

// newMutant returns an environment around a sound backend with a fault in it.
func newMutant(t *testing.T, plant func(*mutant)) *env {
	open := func() backends.Backend {
		b, err := cpu.Open(backends.Options{})
		require.NoError(t, err)
		m := &mutant{Backend: b}
		if plant != nil {
			plant(m)
		}
		return m
	}
	e := newEnv(open(), small)
	e.open = open
	t.Cleanup(e.close)
	return e
}

// TestNoMutant shows that the wrapper itself passes, so that it is the fault
// that a check catches.
func TestNoMutant(t *testing.T) {
	e := newMutant(t, nil)
	for _, c := range checks {
		require.NoError(t, c.run(t.Context(), e), c.name)
	}
}

// TestMutantsAreCaught holds every check to the faults that it is there for.
func TestMutantsAreCaught(t *testing.T) {
	catches := map[string]int{}
	for _, m := range slices.Concat(mutants, contractMutants, hashMutants, treeMutants) {
		t.Run(m.name, func(t *testing.T) {
			require.NotEmpty(t, m.caught)
			for _, c := range checks {
				if !slices.Contains(m.caught, c.name) {
					continue
				}
				catches[c.name]++
				err := c.run(t.Context(), newMutant(t, m.plant))
				require.Error(t, err, "%s did not catch it", c.name)
				t.Logf("%s: %v", c.name, err)
			}
		})
	}
	for _, c := range checks {
		require.NotZero(t, catches[c.name], "no mutant shows that %q can fail", c.name)
	}
}

// TestNoHasher shows that the checks of a Hasher say so where there is none,
// rather than pass.
func TestNoHasher(t *testing.T) {
	e := newMutant(t, func(m *mutant) {
		m.supports = func(error) error { return unsupported }
		m.keccak = func(*mutantHasher) (keccak.Hasher, error) { return nil, unsupported }
	})
	first := slices.IndexFunc(checks, func(c check) bool { return c.name == "hasher" })
	for _, c := range checks[first:] {
		err := c.run(t.Context(), e)
		require.ErrorIs(t, err, errNoHasher, c.name)
		require.ErrorIs(t, err, backends.ErrUnsupported, c.name)
	}
}

// TestRandomRowsMissTheLastReduction is why rows come in more kinds than one.
func TestRandomRowsMissTheLastReduction(t *testing.T) {
	e := newMutant(t, mutants[0].plant)
	p, err := e.plan(pulsar)
	require.NoError(t, err)
	forward := katrun.Operations()[0]
	random := make([]uint64, 1000*p.Ring().N())
	kat.NewSplitMix64(1).Fill(random, p.Ring().Q())
	require.NoError(t, compare(t.Context(), p, forward, separate, nil, random, nil))
	require.Error(t, compare(t.Context(), p, forward, separate, nil, rows(p.Ring(), 100, 1), nil))
}

// recorder is a testing.TB that notes how it ended.
type recorder struct {
	testing.TB
	skipped, failed string
}

func (r *recorder) Helper() {}
func (r *recorder) Skipf(format string, args ...any) {
	r.skipped = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

func (r *recorder) Fatalf(format string, args ...any) {
	r.failed = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

// TestRegistered shows that a backend that is not there is a visible skip, and
// a failure where it is required; and that any other error is a failure.
func TestRegistered(t *testing.T) {
	backends.Register(backends.Driver{Name: "absent", Open: func(backends.Options) (backends.Backend, error) {
		return nil, fmt.Errorf("%w: no such device", backends.ErrUnavailable)
	}})
	backends.Register(backends.Driver{Name: "broken", Open: func(backends.Options) (backends.Backend, error) {
		return nil, backends.ErrDeviceLost
	}})
	open := func(name string, require bool) (backends.Backend, *recorder) {
		r := &recorder{TB: t}
		var b backends.Backend
		done := make(chan struct{})
		go func() {
			defer close(done)
			b = Registered(name, require, backends.Options{})(r)
		}()
		<-done
		return b, r
	}
	_, r := open("absent", false)
	require.Equal(t, "backend absent: backend unavailable: no such device", r.skipped)
	_, r = open("absent", true)
	require.Contains(t, r.failed, "no such device")
	_, r = open("broken", false)
	require.Contains(t, r.failed, "device lost")
	_, r = open("unknown", false)
	require.Contains(t, r.failed, "unknown backend")
	b, r := open("cpu", true)
	require.Empty(t, r.failed+r.skipped)
	require.NoError(t, b.Close())
}
