package auto

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"github.com/crosspoint-kernels/crosspoint/backends"
)

// Name is the name under which the backend is registered.
const Name = "auto"

// rank is behind every backend that it may hold.
const rank = 1000

func init() {
	backends.Register(backends.Driver{Name: Name, Rank: rank, Open: Open})
}

// reference is the driver that is opened where no CPU backend was asked for: one
// must be there for calls to be resumed on.
const reference = "cpu"

// Options say what the backend is made of. The zero value is everything registered.
type Options struct {
	// Options are passed on to every driver, with two differences. Workers is the
	// number of threads of a CPU backend, and 0 is all of them: a choice against one
	// thread of many would be no choice. Where Device is set and no device of that
	// name opens, neither does this backend.
	backends.Options
	// Drivers are the names of those to open, in any order; empty is all that are
	// registered. A CPU backend is always among them.
	Drivers []string
	// Table holds measurements made before, as sweep --table writes them; nil for
	// none. One that was made with other devices, drivers or versions, or on another
	// Machine, is refused with a *TableError. Operations that it does not have are measured as without it.
	Table *Table
	// Machine is what the caller calls this machine, its processor for one, to be
	// compared with Table.Machine.
	Machine string
	// OnEvent is told of each event when it happens, on the goroutine of the call,
	// from several at once where calls are; nil is nobody.
	OnEvent func(Event)
	// NoSplit keeps each call on one backend.
	NoSplit bool

	open    func(name string, o backends.Options) (backends.Backend, error) // nil: backends.Open
	drivers []string                                                        // nil: those registered
	planted func(backend, op string) []TablePoint                           // instead of a Table
	frozen  bool                                                            // try and learn nothing

	calibration time.Duration // 0: calibration
}

// member is a backend that this one holds.
type member struct {
	backends.Backend
	name string
	info backends.Info
	lost atomic.Bool
	twin bool // one thread of a backend that is here with more
}

// device reports whether the work is done elsewhere than on the host's threads.
func (m *member) device() bool { return m.info.Workers == 0 }

// Open opens the backend with what is registered. The error wraps
// backends.ErrUnavailable where no CPU backend is.
func Open(o backends.Options) (backends.Backend, error) {
	b, err := New(Options{Options: o})
	if err != nil {
		return nil, err
	}
	return b, nil
}

// New opens the backend. A driver that opens nothing, and a software device that
// is not allowed, are events and no error: see Backend.Events. The error wraps
// backends.ErrUnavailable where there is no CPU backend, or no device that
// Options.Device names; backends.ErrUnknown where Options.Drivers names one that is
// not registered; and ErrTable where the table is no table of this machine, mostly as
// a *TableError.
func New(o Options) (*Backend, error) {
	b := &Backend{opts: o, journal: journal{tell: o.OnEvent}, start: time.Now(), rings: map[string]*ring{}}
	if b.opts.open == nil {
		b.opts.open = backends.Open
	}
	if b.opts.calibration == 0 {
		b.opts.calibration = calibration
	}
	if b.opts.Workers == 0 {
		b.opts.Workers = runtime.GOMAXPROCS(0)
	}
	err := b.openAll()
	if err == nil {
		err = o.Table.check(o.Machine, b.members)
	}
	if err != nil {
		_ = b.closeAll() // the first error is the one that matters
		return nil, &backends.Error{Backend: Name, Op: "open", Err: err}
	}
	return b, nil
}

// openAll opens the members: CPUs first, those that are listed later before others.
func (b *Backend) openAll() error {
	names, err := b.selected()
	if err != nil {
		return err
	}
	for _, name := range names {
		b.enter(name)
	}
	isCPU := func(m *member) bool { return !m.device() }
	if !slices.ContainsFunc(b.members, isCPU) && !slices.Contains(names, reference) {
		b.enter(reference)
	}
	if !slices.ContainsFunc(b.members, isCPU) {
		return fmt.Errorf("%w: no CPU backend to resume on: %w", backends.ErrUnavailable, b.why())
	}
	if b.opts.Device != "" && !slices.ContainsFunc(b.members, (*member).device) {
		return fmt.Errorf("%w: no device named like %q: %w", backends.ErrUnavailable, b.opts.Device, b.why())
	}
	slices.Reverse(b.members) // scalar code, which ranks first, is the last CPU to take
	slices.SortStableFunc(b.members, func(x, y *member) int { return cmp.Compare(order(x), order(y)) })
	return nil
}

func order(m *member) int {
	switch {
	case m.device():
		return 2
	case m.twin:
		return 1
	}
	return 0
}

// selected returns the names of the drivers to open.
func (b *Backend) selected() ([]string, error) {
	known := b.opts.drivers
	if known == nil {
		for _, d := range backends.Drivers() {
			known = append(known, d.Name)
		}
	}
	for _, name := range b.opts.Drivers {
		if !slices.Contains(known, name) || name == Name {
			return nil, fmt.Errorf("%w %q", backends.ErrUnknown, name)
		}
	}
	var names []string
	for _, name := range known {
		if name != Name && (len(b.opts.Drivers) == 0 || slices.Contains(b.opts.Drivers, name)) {
			names = append(names, name)
		}
	}
	return names, nil
}

// enter opens a driver, or says in the journal why not.
func (b *Backend) enter(name string) {
	x, err := b.opts.open(name, b.opts.Options)
	if err != nil {
		b.add(Event{Backend: name, Kind: Unavailable, Op: "open", Err: err})
		return
	}
	info := x.Info()
	if info.Software && !b.opts.AllowSoftware {
		err := fmt.Errorf("%w: %s is software, which was not allowed", backends.ErrUnavailable, info.Device)
		b.add(Event{Backend: name, Kind: Unavailable, Op: "open", Err: errors.Join(err, x.Close())})
		return
	}
	b.members = append(b.members, &member{Backend: x, name: name, info: info})
	if info.Workers > 1 {
		b.enterTwin(name)
	}
}

// enterTwin opens a CPU backend with one thread beside all of them: to wake the others
// for a few rows can take longer than those rows do.
func (b *Backend) enterTwin(name string) {
	o := b.opts.Options
	o.Workers = 1
	x, err := b.opts.open(name, o)
	if err != nil {
		return // it has no such form
	}
	if info := x.Info(); info.Workers == 1 {
		b.members = append(b.members, &member{Backend: x, name: name + " (1 thread)", info: info, twin: true})
		return
	}
	_ = x.Close()
}

// why joins the reasons for which drivers opened nothing.
func (b *Backend) why() error {
	var errs []error
	for _, e := range b.all() {
		errs = append(errs, e.Err)
	}
	return errors.Join(errs...)
}
