package backends

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Driver opens one kind of backend.
type Driver struct {
	// Name is what Open and the sweep command call it.
	Name string
	// Rank orders drivers: the lower one is listed first.
	Rank int
	// Open opens a device, checks it by a short known-answer test, and returns
	// it. An error wraps ErrUnavailable and says what is missing.
	Open func(Options) (Backend, error)
}

var registry = struct {
	sync.Mutex
	drivers []Driver
}{}

// Register makes a driver known; a backend's package calls it from init. It
// touches no device. It panics when the driver has no name or no Open, or when
// the name is taken: both are mistakes of a program, not of its input.
func Register(d Driver) {
	registry.Lock()
	defer registry.Unlock()
	if d.Name == "" || d.Open == nil {
		panic("backends: Register of an incomplete driver")
	}
	if slices.ContainsFunc(registry.drivers, func(o Driver) bool { return o.Name == d.Name }) {
		panic("backends: Register called twice for " + d.Name)
	}
	registry.drivers = append(registry.drivers, d)
	slices.SortFunc(registry.drivers, func(a, b Driver) int {
		return cmp.Or(cmp.Compare(a.Rank, b.Rank), strings.Compare(a.Name, b.Name))
	})
}

// Drivers returns the registered drivers by rank, then name.
func Drivers() []Driver {
	registry.Lock()
	defer registry.Unlock()
	return slices.Clone(registry.drivers)
}

// Open opens the backend of that name, and never another one. The error wraps
// ErrUnknown or ErrUnavailable.
func Open(name string, o Options) (Backend, error) {
	var names []string
	for _, d := range Drivers() {
		if d.Name == name {
			return d.Open(o)
		}
		names = append(names, d.Name)
	}
	return nil, &Error{Backend: name, Op: "open",
		Err: fmt.Errorf("%w; registered: %s", ErrUnknown, strings.Join(names, ", "))}
}
