package device

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/gpu"
	"github.com/crosspoint-kernels/crosspoint/keccak"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// Config is what a GPU backend adds to the host code.
type Config struct {
	Name string // as registered
	// Options are those of the backend. Wipe is for the host's memory here: a
	// device that is to wipe its own is opened so.
	Options backends.Options
	// Program writes the kernels of a ring of degree at most MaxN.
	Program func(*ntt.Ring) (*Program, error)
	// MaxN is the largest degree, and Reason what sets it.
	MaxN   int
	Reason string
	// Keccak is the program of Keccak-256, nil for a backend without one.
	Keccak *HashProgram

	testRing  string           // of New's self-test; empty is Pulsar's
	chunkRows int              // of one submission; 0 stands for what chunkBytes holds
	hashCut   hashCut          // of a hasher's work
	now       func() time.Time // for timings; nil is time.Now
}

// backend is an open device. Its engines outlive their plans only for the ring
// of the self-test.
type backend struct {
	cfg    Config
	dev    gpu.Device
	info   backends.Info
	limits gpu.Limits

	mu      sync.Mutex // guards what follows
	closed  bool
	engines map[string]*engine // by Ring.String
	hash    *hashEngine        // nil until a hasher was made
	users   map[user]struct{}  // that are open
}

// user is a plan or a hasher, which Close closes.
type user interface{ Close() error }

// New makes a backend of an open device, which it owns from then on: Close
// closes it, and so does New before it returns an error. It computes a known
// answer with every kernel of the Pulsar ring, since drivers have been seen to
// compile 32-bit-pair arithmetic wrongly; if one is wrong, or does not compile,
// the error wraps backends.ErrUnavailable and names the device.
func New(dev gpu.Device, cfg Config) (backends.Backend, error) {
	if cfg.now == nil {
		cfg.now = time.Now
	}
	b := &backend{
		cfg:     cfg,
		dev:     dev,
		info:    describe(cfg, dev.Info()),
		limits:  dev.Limits(),
		engines: map[string]*engine{},
		users:   map[user]struct{}{},
	}
	r, err := ntt.Parse(cmp.Or(cfg.testRing, "pulsar"))
	if err == nil {
		_, err = b.engine(r)
	}
	if err != nil {
		_ = dev.Close() // the first error is the one that matters
		return nil, b.fail("open", 0, fmt.Errorf("%w: %w", backends.ErrUnavailable, err))
	}
	return b, nil
}

func describe(cfg Config, i gpu.Info) backends.Info {
	driver := i.Driver
	if !strings.HasPrefix(driver, i.API) { // some drivers' names begin with it
		driver = strings.TrimSpace(i.API + " " + driver)
	}
	return backends.Info{Name: cfg.Name, Device: i.Name, Driver: driver, Software: i.Software, MaxN: cfg.MaxN}
}

func (b *backend) Info() backends.Info { return b.info }

func (b *backend) Supports(o backends.Op) error {
	return b.fail(string(o.Kind), 0, b.supports(o))
}

func (b *backend) supports(o backends.Op) error {
	switch o.Kind {
	case backends.NTT, backends.Pointwise, backends.Resident:
	case backends.Keccak:
		if b.cfg.Keccak == nil {
			return backends.ErrUnsupported
		}
		return nil
	default:
		return backends.ErrUnsupported
	}
	if o.Ring == nil {
		return nil
	}
	if o.Ring.N() > b.cfg.MaxN {
		return fmt.Errorf("%w: N=%d; N up to %d: %s", backends.ErrUnsupported, o.Ring.N(), b.cfg.MaxN, b.cfg.Reason)
	}
	if o.Kind != backends.Resident {
		return nil
	}
	// Most batches fit even with words of 8 bytes. Only the program knows better.
	lay, err := newLayout(o.Ring, 8, 0, b.limits)
	if err == nil && o.Rows > lay.maxRows {
		var p *Program
		if p, err = b.cfg.Program(o.Ring); err == nil {
			lay, err = newLayout(o.Ring, p.WordBytes, 0, b.limits)
		}
	}
	if err == nil && o.Rows > lay.maxRows {
		err = lay.tooManyRows(o.Rows)
	}
	return err
}

// NTT makes the plan of a ring. The first plan of a ring compiles its kernels
// and checks them with a known answer; a ring whose kernels compute wrongly on
// this device is ErrUnsupported.
func (b *backend) NTT(r *ntt.Ring) (backends.Plan, error) {
	p, err := b.plan(r)
	if err != nil {
		return nil, b.fail("plan", 0, err)
	}
	return p, nil
}

func (b *backend) plan(r *ntt.Ring) (*plan, error) {
	if r == nil {
		return nil, fmt.Errorf("%w: no ring", backends.ErrUnsupported)
	}
	if err := b.supports(backends.Op{Kind: backends.NTT, Ring: r}); err != nil {
		return nil, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return nil, backends.ErrClosed
	}
	e, err := b.engine(r)
	if errors.Is(err, errSelfTest) || errors.Is(err, gpu.ErrCompile) {
		return nil, fmt.Errorf("%w: %w", backends.ErrUnsupported, err)
	}
	if err != nil {
		return nil, err
	}
	p := newPlan(b, r, e)
	b.users[p] = struct{}{}
	return p, nil
}

// engine returns the engine of r with one more reference. A new one has passed
// the self-test. The caller holds mu, or is New.
func (b *backend) engine(r *ntt.Ring) (*engine, error) {
	if e := b.engines[r.String()]; e != nil {
		e.refs++
		return e, nil
	}
	prog, err := b.cfg.Program(r)
	if err != nil {
		return nil, err
	}
	e, err := newEngine(b.dev, r, prog, b.cfg.chunkRows)
	if err != nil {
		return nil, err
	}
	if err := selfTest(b, e); err != nil {
		e.release()
		return nil, err
	}
	e.refs = 1
	b.engines[r.String()] = e
	return e, nil
}

// Keccak makes a hasher. The first one compiles the kernels and checks them with
// known answers. What does not compile or computes wrongly on this device is
// ErrUnavailable.
func (b *backend) Keccak() (keccak.Hasher, error) {
	h, err := b.hasher()
	if err != nil {
		return nil, b.fail(string(backends.Keccak), 0, err)
	}
	return h, nil
}

func (b *backend) hasher() (*hasher, error) {
	if err := b.supports(backends.Op{Kind: backends.Keccak}); err != nil {
		return nil, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return nil, backends.ErrClosed
	}
	if b.hash == nil {
		e, err := newHashEngine(b.dev, b.cfg.Keccak, b.cfg.hashCut)
		if err == nil {
			if err = selfTestHash(b, e); err != nil {
				e.release()
			}
		}
		if err != nil {
			return nil, fmt.Errorf("%w: %w", backends.ErrUnavailable, err)
		}
		b.hash = e
	}
	h := newHasher(b, b.hash)
	b.users[h] = struct{}{}
	return h, nil
}

// drop forgets a hasher that was shut.
func (b *backend) drop(h *hasher) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.users, h)
}

// forget drops a plan that was shut, and its engine if that was the last plan.
func (b *backend) forget(p *plan) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.users, p)
	e, key := p.engine, p.engine.ring.String()
	if e.refs--; e.refs == 0 && b.engines[key] == e { // else Close has released it
		e.release()
		delete(b.engines, key)
	}
}

// Close closes what plans and hashers are left, waiting for their calls, and the device. A
// second call is ErrClosed.
func (b *backend) Close() error {
	users, err := b.retire()
	if err != nil {
		return b.fail("close", 0, err)
	}
	for _, u := range users {
		_ = u.Close() // never fails
	}
	b.mu.Lock()
	for _, e := range b.engines {
		e.release()
	}
	b.engines = nil
	if b.hash != nil {
		b.hash.release()
	}
	b.mu.Unlock()
	return b.fail("close", 0, b.dev.Close())
}

// retire marks the backend closed, so that no plan or hasher is made any more,
// and returns those that are open.
func (b *backend) retire() ([]user, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return nil, backends.ErrClosed
	}
	b.closed = true
	users := make([]user, 0, len(b.users))
	for u := range b.users {
		users = append(users, u)
	}
	return users, nil
}
