package auto

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/keccak"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// Backend is a backends.Backend that chooses among others, and says what and why.
type Backend struct {
	journal
	opts    Options
	members []*member // CPUs first
	start   time.Time
	closed  atomic.Bool

	mu     sync.Mutex       // guards what follows
	rings  map[string]*ring // by Ring.String
	hashes *hashes          // nil until a hasher was made
}

var _ backends.Backend = (*Backend)(nil)

// now is the time since the backend was opened.
func (b *Backend) now() time.Duration { return time.Since(b.start) }

// Info describes a CPU backend that has devices besides: the first CPU with the
// names of all in Driver.
func (b *Backend) Info() backends.Info {
	home := b.members[0].info
	var names []string
	for _, m := range b.members {
		name := m.name
		if m.info.Software {
			name += " (software)"
		}
		if m.lost.Load() {
			name += " (lost)"
		}
		names = append(names, name)
	}
	return backends.Info{
		Name: Name, Device: home.Device, Driver: "the fastest of " + strings.Join(names, ", "),
		MaxN: home.MaxN, Workers: home.Workers,
	}
}

// Members describes the backends that are held, CPUs first, those that were lost
// left out.
func (b *Backend) Members() []backends.Info {
	var infos []backends.Info
	for _, m := range b.members {
		if !m.lost.Load() {
			infos = append(infos, m.info)
		}
	}
	return infos
}

// Events returns what happened to the backends that are held, the latest last: the
// last 256, of which no two tell the same.
func (b *Backend) Events() []Event { return b.all() }

// Supports says what the first CPU does: whatever no device does, it does.
func (b *Backend) Supports(o backends.Op) error {
	return b.fail(string(o.Kind), 0, inner(b.members[0].Supports(o)))
}

// NTT makes the plan of a ring on every backend that supports it. A device that
// does not is an event.
func (b *Backend) NTT(r *ntt.Ring) (backends.Plan, error) {
	if b.closed.Load() {
		return nil, b.fail("plan", 0, backends.ErrClosed)
	}
	if r == nil {
		return nil, b.fail("plan", 0, fmt.Errorf("%w: no ring", backends.ErrUnsupported))
	}
	p := &plan{b: b, ring: r, shift: uint(r.LogN()), plans: make([]backends.Plan, len(b.members))}
	for i, m := range b.members {
		if m.lost.Load() {
			continue
		}
		x, err := m.NTT(r)
		if err == nil {
			p.plans[i] = x
			continue
		}
		if i == 0 {
			return nil, b.fail("plan", 0, inner(err))
		}
		b.leftOut(m, "plan", err)
	}
	p.routes = b.ringOf(p)
	return p, nil
}

// leftOut notes why a backend has no plan or hasher.
func (b *Backend) leftOut(m *member, op string, err error) {
	if errors.Is(err, backends.ErrDeviceLost) {
		b.lose(m, op, 0, 0, err)
		return
	}
	b.add(Event{Backend: m.name, Kind: Unsupported, Op: op, Err: err})
}

// lose drops a device for good. Only the first to see it tells.
func (b *Backend) lose(m *member, op string, rows, done int, err error) {
	if !m.lost.Swap(true) {
		b.add(Event{Backend: m.name, Kind: Lost, Op: op, Rows: rows, Done: done, Err: err})
	}
}

// ring is what is known about the operations of a ring, shared by its plans.
type ring struct {
	ops      [operations]route
	resident route
}

// ringOf returns the routes of a plan's ring.
func (b *Backend) ringOf(p *plan) *ring {
	b.mu.Lock()
	defer b.mu.Unlock()
	key := p.ring.String()
	r := b.rings[key]
	if r == nil {
		r = &ring{}
		for o := range r.ops {
			r.ops[o].init(b, op(o).String(), key)
		}
		r.resident.init(b, residentName, key)
		r.resident.whole, r.resident.stays = true, true
		b.rings[key] = r
	}
	return r
}

// Close closes the backends that are held. The error of one that was lost is told
// only where Options.Wipe asked it for more than to go.
func (b *Backend) Close() error {
	if b.closed.Swap(true) {
		return b.fail("close", 0, backends.ErrClosed)
	}
	return b.fail("close", 0, b.closeAll())
}

func (b *Backend) closeAll() error {
	var errs []error
	for _, m := range b.members {
		if err := m.Close(); err != nil && (b.opts.Wipe || !m.lost.Load()) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// fail makes the error of an operation of which done rows are final, or nil.
func (b *Backend) fail(op string, done int, err error) error {
	if err == nil {
		return nil
	}
	return &backends.Error{Backend: Name, Op: op, Done: done, Err: err}
}

// inner is what a backend's error wraps, since this one names itself.
func inner(err error) error {
	if e, ok := err.(*backends.Error); ok {
		return e.Err
	}
	if e, ok := err.(*keccak.Error); ok {
		return e.Err
	}
	return err
}
