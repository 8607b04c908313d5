package device

import (
	"context"
	"sync"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/gpu"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// plan is a ring on a backend: see the package comment for its locks.
type plan struct {
	backend *backend
	ring    *ntt.Ring // as given to NTT; the engine's may be its twin
	engine  *engine
	pool    *pool[*slot]

	life   sync.RWMutex // held for reading by every call of the plan and its batches
	closed bool

	mu       sync.Mutex // guards what follows
	batches  map[*batch]struct{}
	bindings map[binding]gpu.Binding
}

func newPlan(b *backend, r *ntt.Ring, e *engine) *plan {
	return &plan{backend: b, ring: r, engine: e, pool: newPool(func() *slot { return new(slot) }),
		batches: map[*batch]struct{}{}, bindings: map[binding]gpu.Binding{}}
}

func (p *plan) Ring() *ntt.Ring { return p.ring }

func (p *plan) Forward(ctx context.Context, dst, src []uint64) error {
	return p.run(ctx, forward, dst, [3][]uint64{src})
}

func (p *plan) Inverse(ctx context.Context, dst, src []uint64) error {
	return p.run(ctx, inverse, dst, [3][]uint64{src})
}

func (p *plan) MForm(ctx context.Context, dst, src []uint64) error {
	return p.run(ctx, mForm, dst, [3][]uint64{src})
}

func (p *plan) IMForm(ctx context.Context, dst, src []uint64) error {
	return p.run(ctx, imForm, dst, [3][]uint64{src})
}

func (p *plan) Mul(ctx context.Context, dst, a, b []uint64) error {
	return p.run(ctx, mul, dst, [3][]uint64{nil, a, b})
}

func (p *plan) MulAdd(ctx context.Context, dst, a, b []uint64) error {
	return p.run(ctx, mulAdd, dst, [3][]uint64{dst, a, b})
}

func (p *plan) MulMont(ctx context.Context, dst, a, b []uint64) error {
	return p.run(ctx, mulMont, dst, [3][]uint64{nil, a, b})
}

func (p *plan) MulAddMont(ctx context.Context, dst, a, b []uint64) error {
	return p.run(ctx, mulAddMont, dst, [3][]uint64{dst, a, b})
}

// run is every call: in holds what is uploaded to each binding of o, nil where
// the kernel only writes.
func (p *plan) run(ctx context.Context, o op, dst []uint64, in [3][]uint64) error {
	watch := newStopwatch(ctx, p.backend.cfg.now, o.String())
	done, err := p.transfer(ctx, o, dst, in, watch)
	watch.stop(done) // after the locks are gone: it may call anything
	return p.backend.fail(o.String(), done, err)
}

func (p *plan) transfer(ctx context.Context, o op, dst []uint64, in [3][]uint64, watch *stopwatch) (int, error) {
	p.life.RLock()
	defer p.life.RUnlock()
	if p.closed {
		return 0, backends.ErrClosed
	}
	if err := checkShapes(p.engine.ring, o, dst, in); err != nil {
		return 0, err
	}
	c := call{
		plan: p, op: o, in: in, rows: len(dst) / p.engine.ring.N(),
		receiver: receiver{ctx: ctx, pool: p.pool, watch: watch, sink: sink{layout: &p.engine.layout, rows: dst}},
	}
	err := c.run()
	return c.done, err
}

// checkShapes looks at no coefficient.
func checkShapes(r *ntt.Ring, o op, dst []uint64, in [3][]uint64) error {
	if operations[o].operands == 1 {
		return r.CheckShape(dst, "src", in[0])
	}
	if err := r.CheckShape(dst, "a", in[1]); err != nil {
		return err
	}
	return r.CheckShape(dst, "b", in[2])
}

// Close waits for the calls under way and frees the plan's memory, that of
// batches which were not released included.
func (p *plan) Close() error {
	if p.shut() {
		p.backend.forget(p)
	}
	return nil
}

// shut does the plan's own part of Close; it reports whether there was any.
func (p *plan) shut() bool {
	p.life.Lock()
	defer p.life.Unlock()
	if p.closed {
		return false
	}
	p.closed = true
	for b := range p.batches {
		b.free()
	}
	p.pool.release(p.backend.cfg.Options.Wipe)
	return true
}
