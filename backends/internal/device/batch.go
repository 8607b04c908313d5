package device

import (
	"context"
	"fmt"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/gpu"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// maxQueued is how many operations a batch submits before it waits for the
// oldest of them: enough to keep any device busy, and a bound on what a long
// chain piles up in the driver.
const maxQueued = 8

// batch is rows in one buffer on the device. Its coefficients are always in
// range, since only Write lets any in.
//
// It waits for its own submissions only. That an operand was computed by another
// batch's submission needs no more: a device runs its work in order, and one
// that failed is lost, so what came after it fails as well.
type batch struct {
	plan     *plan
	rows     int
	data     gpu.Buffer
	released bool // set by Release or by the plan's Close

	queued []gpu.Pending // submitted and not waited for, oldest first
	err    error         // of a submission that failed: the rows are lost

	// What Submit is given, here so that a submission allocates nothing.
	dispatches [1]gpu.Dispatch
	reads      [1]gpu.Range
}

// binding is the key of a kernel bound to the buffers of batches: c alone, or
// the result c and its factors.
type binding struct {
	op      op
	c, a, b *batch
}

// NewBatch allocates a batch in one buffer. More rows than a buffer holds are
// ErrUnsupported.
func (p *plan) NewBatch(rows int) (backends.Batch, error) {
	p.life.RLock()
	defer p.life.RUnlock()
	b, err := p.newBatch(rows)
	if err != nil {
		return nil, p.backend.fail("batch", 0, err)
	}
	return b, nil
}

func (p *plan) newBatch(rows int) (*batch, error) {
	switch {
	case p.closed:
		return nil, backends.ErrClosed
	case rows < 0:
		return nil, &ntt.ShapeError{Arg: "rows", Reason: fmt.Sprintf("%d is negative", rows)}
	case rows > p.engine.maxRows:
		return nil, p.engine.tooManyRows(rows)
	}
	data, err := p.backend.dev.NewBuffer("batch", max(1, rows)*p.engine.rowBytes)
	if err != nil {
		return nil, err
	}
	b := &batch{plan: p, rows: rows, data: data, queued: make([]gpu.Pending, 0, maxQueued)}
	p.mu.Lock()
	p.batches[b] = struct{}{}
	p.mu.Unlock()
	return b, nil
}

// tooManyRows is the error for a batch that no buffer of the device holds.
func (l *layout) tooManyRows(rows int) error {
	return fmt.Errorf("%w: a batch of %d rows; one buffer of this device holds %d of %d bytes each",
		backends.ErrUnsupported, rows, l.maxRows, l.rowBytes)
}

func (b *batch) Rows() int { return b.rows }

// do runs f, the body of a call, unless the batch is closed or its rows are
// lost. f returns how many rows it finished.
func (b *batch) do(op string, f func() (int, error)) error {
	b.plan.life.RLock()
	defer b.plan.life.RUnlock()
	done, err := 0, b.err
	if b.released {
		err = backends.ErrClosed
	}
	if err == nil {
		done, err = f()
	}
	if err == nil {
		return nil
	}
	return b.plan.backend.fail("batch "+op, done, err)
}

func (b *batch) Forward(ctx context.Context, row, n int) error {
	return b.inPlace(ctx, forward, row, n)
}

func (b *batch) Inverse(ctx context.Context, row, n int) error {
	return b.inPlace(ctx, inverse, row, n)
}

func (b *batch) MForm(ctx context.Context, row, n int) error { return b.inPlace(ctx, mForm, row, n) }

func (b *batch) IMForm(ctx context.Context, row, n int) error { return b.inPlace(ctx, imForm, row, n) }

func (b *batch) inPlace(ctx context.Context, o op, row, n int) error {
	return b.do(o.String(), func() (int, error) {
		if err := backends.CheckRows(row, n, b.rows); err != nil || n == 0 {
			return 0, err
		}
		return 0, b.launch(ctx, binding{op: o, c: b}, row, n)
	})
}

func (b *batch) MulAddMont(ctx context.Context, x, y backends.Batch) error {
	return b.do(mulAddMont.String(), func() (int, error) {
		k, err := b.product(mulAddMont, x, y)
		if err != nil {
			return 0, err
		}
		if k.a.rows != b.rows || k.b.rows != b.rows {
			return 0, &ntt.ShapeError{Arg: "a, b", Reason: "the batches have different numbers of rows"}
		}
		if b.rows == 0 {
			return 0, nil
		}
		return 0, b.launch(ctx, k, 0, b.rows)
	})
}

func (b *batch) MatMulAddMont(ctx context.Context, x, y backends.Batch, m, k, n int) error {
	return b.do(matMulAddMont.String(), func() (int, error) {
		key, err := b.product(matMulAddMont, x, y)
		if err != nil {
			return 0, err
		}
		if err := backends.CheckProduct(m, k, n, b.rows, key.a.rows, key.b.rows); err != nil {
			return 0, err
		}
		if m == 0 || k == 0 || n == 0 {
			return 0, nil
		}
		e := b.plan.engine
		d, err := e.dispatch(matMulAddMont, nil, 0, m*n, b.plan.backend.limits.MaxGroups)
		if err != nil {
			return 0, err
		}
		d.Params = [gpu.ParamWords]uint32{uint32(m), uint32(k), uint32(n)}
		return 0, b.submit(ctx, key, d)
	})
}

// product checks the factors x and y of a product that is added to b.
func (b *batch) product(o op, x, y backends.Batch) (binding, error) {
	k := binding{op: o, c: b}
	for i, f := range [2]backends.Batch{x, y} {
		arg := [2]string{"a", "b"}[i]
		t, ok := f.(*batch)
		switch {
		case !ok || t.plan != b.plan:
			return k, &ntt.ShapeError{Arg: arg, Reason: "is not a batch of the same plan"}
		case t == b:
			return k, &ntt.ShapeError{Arg: arg, Reason: "is the destination"}
		case t.released:
			return k, backends.ErrClosed
		case t.err != nil:
			return k, t.err
		}
		if i == 0 {
			k.a = t
		} else {
			k.b = t
		}
	}
	return k, nil
}

// launch submits the operation of k over n rows from row on.
func (b *batch) launch(ctx context.Context, k binding, row, n int) error {
	d, err := b.plan.engine.dispatch(k.op, nil, row, n, b.plan.backend.limits.MaxGroups)
	if err != nil {
		return err
	}
	return b.submit(ctx, k, d)
}

// submit binds d to the buffers of k and submits it.
func (b *batch) submit(ctx context.Context, k binding, d gpu.Dispatch) (err error) {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := b.settle(ctx, maxQueued-1); err != nil {
		return err
	}
	if d.Binding, err = b.plan.bind(k); err != nil {
		return err
	}
	b.dispatches[0] = d
	p, err := b.plan.backend.dev.Submit(gpu.Work{Dispatches: b.dispatches[:]})
	if err != nil {
		return err
	}
	b.queued = append(b.queued, p)
	return nil
}

// settle waits until at most keep submissions are unfinished. After an error of
// the context they stay queued; any other loses the rows.
func (b *batch) settle(ctx context.Context, keep int) error {
	for len(b.queued) > keep {
		if err := b.queued[0].Wait(ctx); err != nil {
			if ctx.Err() == nil {
				b.err = err
			}
			return err
		}
		b.queued[0].Release()
		b.queued = append(b.queued[:0], b.queued[1:]...)
	}
	return nil
}

func (b *batch) Sync(ctx context.Context) error {
	return b.do("sync", func() (int, error) {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		return 0, b.settle(ctx, 0)
	})
}

func (b *batch) Release() {
	b.plan.life.RLock()
	defer b.plan.life.RUnlock()
	b.free()
}

// free is Release without the lock on the plan's life.
func (b *batch) free() {
	if b.released {
		return
	}
	b.released = true
	for _, p := range b.queued {
		p.Release()
	}
	b.queued = nil
	b.plan.unbind(b)
	b.data.Release()
}

// bind returns the kernel of k bound to its batches. It is made once for each
// combination of batches, and kept until one of them is released.
func (p *plan) bind(k binding) (gpu.Binding, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if b, ok := p.bindings[k]; ok {
		return b, nil
	}
	buffers := []gpu.Buffer{k.c.data}
	if k.a != nil {
		buffers = append(buffers, k.a.data, k.b.data)
	}
	b, err := p.engine.bind(p.backend.dev, k.op, buffers...)
	if err == nil {
		p.bindings[k] = b
	}
	return b, err
}

// unbind forgets a batch and releases the bindings that it is part of.
func (p *plan) unbind(x *batch) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.batches, x)
	for k, b := range p.bindings {
		if k.c == x || k.a == x || k.b == x {
			b.Release()
			delete(p.bindings, k)
		}
	}
}
