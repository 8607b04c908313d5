package auto

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// plan is a ring on every member that supports it.
type plan struct {
	b      *Backend
	ring   *ntt.Ring
	shift  uint            // log2 of the degree
	plans  []backends.Plan // by member; nil: it has none
	routes *ring
	closed atomic.Bool
}

func (p *plan) Ring() *ntt.Ring { return p.ring }

// has reports whether member m has a plan of the ring.
func (p *plan) has(m int) bool { return p.plans[m] != nil }

func (p *plan) Forward(ctx context.Context, dst, src []uint64) error {
	return p.run(ctx, forward, dst, src, nil)
}

func (p *plan) Inverse(ctx context.Context, dst, src []uint64) error {
	return p.run(ctx, inverse, dst, src, nil)
}

func (p *plan) Mul(ctx context.Context, dst, a, b []uint64) error {
	return p.run(ctx, mul, dst, a, b)
}

func (p *plan) MulAdd(ctx context.Context, dst, a, b []uint64) error {
	return p.run(ctx, mulAdd, dst, a, b)
}

func (p *plan) MulMont(ctx context.Context, dst, a, b []uint64) error {
	return p.run(ctx, mulMont, dst, a, b)
}

func (p *plan) MulAddMont(ctx context.Context, dst, a, b []uint64) error {
	return p.run(ctx, mulAddMont, dst, a, b)
}

func (p *plan) MForm(ctx context.Context, dst, src []uint64) error {
	return p.run(ctx, mForm, dst, src, nil)
}

func (p *plan) IMForm(ctx context.Context, dst, src []uint64) error {
	return p.run(ctx, imForm, dst, src, nil)
}

// run is every call. A short one is sent straight to the backend that was decided
// on; that is a CPU, whose checks and errors are those of this one but for the name.
// A plan that is closed has closed it.
func (p *plan) run(ctx context.Context, o op, dst, a, b []uint64) error {
	r := &p.routes.ops[o]
	if d := r.decision.Load(); d != nil {
		n := len(dst) >> p.shift
		if n <= d.quickTo && r.calls.Add(1)%sampled != 0 && backends.TimingFrom(ctx) == nil {
			if q := p.plans[d.at(n)]; q != nil {
				err := o.call(ctx, q, dst, a, b)
				if err == nil {
					return nil
				}
				done, _ := doneOf(err)
				return p.b.fail(o.String(), done, inner(err))
			}
		}
	}
	return p.measured(ctx, o, dst, a, b)
}

// measured is a call whose time is taken.
func (p *plan) measured(ctx context.Context, o op, dst, a, b []uint64) error {
	start := p.b.now()
	inside, t := watch(ctx)
	done, err := p.transform(inside, o, dst, a, b, t)
	t.report(ctx, o.String(), done, p.b.now()-start)
	return p.b.fail(o.String(), done, err)
}

func (p *plan) transform(ctx context.Context, o op, dst, a, b []uint64, t *timing) (int, error) {
	if p.closed.Load() || p.b.closed.Load() {
		return 0, backends.ErrClosed
	}
	if err := p.checkShape(o, dst, a, b); err != nil {
		return 0, err
	}
	n := len(dst) >> p.shift
	if n == 0 {
		return 0, nil
	}
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	r := &p.routes.ops[o]
	c := run{route: r, work: &rows{p, o, dst, a, b}, timing: t}
	return c.do(ctx, r.ready(func() rehearsal { return p.rehearse(o) }), n)
}

func (p *plan) checkShape(o op, dst, a, b []uint64) error {
	if !o.binary() {
		return p.ring.CheckShape(dst, "src", a)
	}
	if err := p.ring.CheckShape(dst, "a", a); err != nil {
		return err
	}
	return p.ring.CheckShape(dst, "b", b)
}

// rows is the work of a plan's call.
type rows struct {
	*plan
	op        op
	dst, a, b []uint64
}

func (w *rows) part(ctx context.Context, m, from, to int) error {
	var b []uint64
	if w.op.binary() {
		b = w.b[from<<w.shift : to<<w.shift]
	}
	return w.op.call(ctx, w.plans[m], w.dst[from<<w.shift:to<<w.shift], w.a[from<<w.shift:to<<w.shift], b)
}

// check is in the order that backends.Plan states.
func (w *rows) check() error {
	arg := "src"
	if w.op.binary() {
		arg = "a"
	}
	err := checkRange(w.ring, arg, w.a)
	if err == nil && w.op.binary() {
		err = checkRange(w.ring, "b", w.b)
	}
	if err == nil && w.op.accumulates() {
		err = checkRange(w.ring, "dst", w.dst)
	}
	return err
}

// rehearse returns calls on rows of zeros: what an operation takes does not depend
// on values.
func (p *plan) rehearse(o op) rehearsal {
	sizes := rehearsalSizes(calibrationWords >> p.shift)
	words := sizes[len(sizes)-1] << p.shift
	dst, a, b := make([]uint64, words), make([]uint64, words), []uint64(nil)
	if o.binary() {
		b = make([]uint64, words)
	}
	return rehearsal{
		sizes: sizes,
		has:   p.has,
		call: func(ctx context.Context, m, n int) error {
			w := rows{p, o, dst, a, b}
			return w.part(ctx, m, 0, n)
		},
	}
}

// Close closes the plans of the members.
func (p *plan) Close() error {
	if p.closed.Swap(true) {
		return nil
	}
	return p.b.fail("close", 0, p.closePlans())
}

func (p *plan) closePlans() error {
	var errs []error
	for i, q := range p.plans {
		if q == nil {
			continue
		}
		if err := q.Close(); err != nil && !p.b.members[i].lost.Load() {
			errs = append(errs, inner(err))
		}
	}
	return errors.Join(errs...)
}
