package suite

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"slices"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/keccak"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// Names of the two contestants that the scalar backend enters as. Both always
// run, so that no crossover is ever shown against one thread alone.
const (
	CPU   = "cpu"    // one thread: the reference of every ratio
	CPUMT = "cpu-mt" // the same code on all cores
)

// Auto is the name of the backend that chooses among the others. It is compared with
// them, and they never with it: it would be a crossover against oneself.
const Auto = "auto"

// Contestant is an open backend that takes part, and the name of its rows.
type Contestant struct {
	Name    string
	Backend backends.Backend
	Info    backends.Info
}

// chooses reports whether the work is done by others that take part.
func (c *Contestant) chooses() bool { return c.Name == Auto }

// device reports whether the work is done elsewhere than on the host's threads,
// so that its time has phases.
func (c *Contestant) device() bool { return c.Info.Workers == 0 }

// Missing is a contestant that cannot take part, and why. Err wraps
// backends.ErrUnknown or backends.ErrUnavailable as a rule.
type Missing struct {
	Name string
	Err  error
}

// Opener is backends.Open or a test's replacement.
type Opener func(name string, o backends.Options) (backends.Backend, error)

// Open opens the named drivers in the order given, and cpu first whether named
// or not. Driver cpu enters twice, as [CPU] and [CPUMT]. Options.Device selects
// among the devices of the other drivers; Options.Workers is ignored. What cannot
// be opened is reported, never replaced. The caller closes the contestants.
func Open(open Opener, drivers []string, o backends.Options) ([]Contestant, []Missing) {
	var in []Contestant
	var out []Missing
	enter := func(name, driver string, o backends.Options) {
		b, err := open(driver, o)
		if err != nil {
			out = append(out, Missing{name, err})
			return
		}
		in = append(in, Contestant{name, b, b.Info()})
	}
	host := o
	host.Device, host.Workers = "", 1
	enter(CPU, CPU, host)
	host.Workers = runtime.GOMAXPROCS(0)
	enter(CPUMT, CPU, host)
	o.Workers = 0
	for i, d := range drivers {
		if d != CPU && !slices.Contains(drivers[:i], d) {
			enter(d, d, o)
		}
	}
	return in, out
}

// Close closes the contestants' backends and returns their errors, joined.
func Close(cs []Contestant) error {
	var errs []error
	for _, c := range cs {
		if err := c.Backend.Close(); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", c.Name, err))
		}
	}
	return errors.Join(errs...)
}

// An entrant is a contestant with its plan for the ring of one run, or with its
// hasher, or with the reason why it has neither.
type entrant struct {
	Contestant
	plan   backends.Plan
	hasher keccak.Hasher
	err    error // not nil: it takes no part any more
}

// enter makes the plan of a contestant that supports every kind of operation.
func enter(c Contestant, r *ntt.Ring, kinds ...backends.Kind) *entrant {
	e := &entrant{Contestant: c}
	for _, k := range kinds {
		e.err = cmp.Or(e.err, c.Backend.Supports(backends.Op{Kind: k, Ring: r}))
	}
	if e.err == nil {
		e.plan, e.err = c.Backend.NTT(r)
	}
	return e
}

// enterHashers makes the hasher of every contestant that has one.
func enterHashers(cs []Contestant) []*entrant {
	var es []*entrant
	for _, c := range cs {
		e := &entrant{Contestant: c, err: c.Backend.Supports(backends.Op{Kind: backends.Keccak})}
		if e.err == nil {
			e.hasher, e.err = c.Backend.Keccak()
		}
		es = append(es, e)
	}
	return es
}

func (e *entrant) close() {
	if e.plan != nil {
		e.plan.Close()
	}
	if e.hasher != nil {
		e.hasher.Close()
	}
}

func closeAll(es []*entrant) {
	for _, e := range es {
		e.close()
	}
}
