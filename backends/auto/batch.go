package auto

import (
	"context"
	"errors"
	"fmt"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// batch is rows on one member at a time.
type batch struct {
	plan     *plan
	size     int // rows
	at       int // the member
	rows     backends.Batch
	released bool
	lost     bool // with the device, and told
}

// NewBatch puts the rows where a chain is expected to finish first that takes them
// there, transforms them both ways and takes them back; no chain is observed, since
// one differs from the other. Where a device has no room a CPU takes them.
func (p *plan) NewBatch(rows int) (backends.Batch, error) {
	b, err := p.newBatch(rows)
	if err != nil {
		return nil, p.b.fail("batch", 0, err)
	}
	return b, nil
}

func (p *plan) newBatch(rows int) (*batch, error) {
	if p.closed.Load() || p.b.closed.Load() {
		return nil, backends.ErrClosed
	}
	if err := p.b.members[0].Supports(backends.Op{Kind: backends.Resident, Ring: p.ring, Rows: rows}); err != nil {
		return nil, inner(err)
	}
	b := &batch{plan: p, size: rows, at: p.place(rows)}
	var err error
	if b.rows, err = p.batchOn(b.at, rows); err != nil && b.at != 0 {
		b.at = 0
		b.rows, err = p.batchOn(0, rows)
	}
	if err != nil {
		return nil, inner(err)
	}
	return b, nil
}

// batchOn makes a batch on member m. That a device has none is an event.
func (p *plan) batchOn(m, rows int) (backends.Batch, error) {
	b, err := p.plans[m].NewBatch(rows)
	if err != nil && p.b.members[m].device() {
		p.b.failed(p.b.members[m], residentName, rows, 0, err)
	}
	return b, err
}

// place is the member that a new batch of so many rows is put on.
func (p *plan) place(rows int) int {
	r := &p.routes.resident
	if rows == 0 || r.ready(p.rehearseResident) == nil {
		return 0
	}
	return r.choose(rows, p.holds(rows), true, false).member
}

// holds says which members can have a batch of so many rows.
func (p *plan) holds(rows int) func(m int) bool {
	return func(m int) bool {
		return p.has(m) && p.b.members[m].Supports(backends.Op{Kind: backends.Resident, Ring: p.ring, Rows: rows}) == nil
	}
}

// rehearseResident returns chains: to the member, both transforms, and back.
func (p *plan) rehearseResident() rehearsal {
	sizes := rehearsalSizes(calibrationWords >> p.shift)
	words := make([]uint64, sizes[len(sizes)-1]<<p.shift)
	chain := func(ctx context.Context, b backends.Batch, n int) error {
		rows := words[:n<<p.shift]
		return errors.Join(b.Write(ctx, 0, rows), b.Forward(ctx, 0, n), b.Inverse(ctx, 0, n), b.Read(ctx, 0, rows))
	}
	return rehearsal{
		sizes: sizes,
		has:   p.holds(1),
		call: func(ctx context.Context, m, n int) error {
			b, err := p.plans[m].NewBatch(n)
			if err != nil {
				return err
			}
			defer b.Release()
			return chain(ctx, b, n)
		},
	}
}

func (b *batch) Rows() int { return b.size }

func (b *batch) usable() error {
	if b.released || b.plan.closed.Load() || b.plan.b.closed.Load() {
		return backends.ErrClosed
	}
	return nil
}

// do makes a call of the member's batch, and says of the rows of a lost device that
// they are lost. Whatever fails in f failed on that member.
func (b *batch) do(op string, rows int, f func() error) error {
	err := b.usable()
	if err == nil {
		err = f()
	}
	if err == nil {
		return nil
	}
	m := b.plan.b.members[b.at]
	if errors.Is(err, backends.ErrDeviceLost) && m.device() {
		b.plan.b.lose(m, "batch "+op, rows, 0, err)
		if !b.lost {
			b.lost = true
			b.plan.b.add(Event{Backend: m.name, Kind: RowsLost, Op: "batch " + op, Rows: b.size, Err: err})
		}
		err = fmt.Errorf("%s: the %d rows of this batch are lost and must be written to a new one: %w", m.name, b.size, inner(err))
	}
	done, _ := doneOf(err)
	return b.plan.b.fail("batch "+op, done, inner(err))
}

func (b *batch) Write(ctx context.Context, row int, src []uint64) error {
	return b.do("write", len(src)>>b.plan.shift, func() error { return b.rows.Write(ctx, row, src) })
}

func (b *batch) Read(ctx context.Context, row int, dst []uint64) error {
	return b.do("read", len(dst)>>b.plan.shift, func() error { return b.rows.Read(ctx, row, dst) })
}

func (b *batch) Forward(ctx context.Context, row, n int) error {
	return b.do("forward", n, func() error { return b.rows.Forward(ctx, row, n) })
}

func (b *batch) Inverse(ctx context.Context, row, n int) error {
	return b.do("inverse", n, func() error { return b.rows.Inverse(ctx, row, n) })
}

func (b *batch) MForm(ctx context.Context, row, n int) error {
	return b.do("mform", n, func() error { return b.rows.MForm(ctx, row, n) })
}

func (b *batch) IMForm(ctx context.Context, row, n int) error {
	return b.do("imform", n, func() error { return b.rows.IMForm(ctx, row, n) })
}

func (b *batch) MulAddMont(ctx context.Context, x, y backends.Batch) error {
	return b.product(ctx, "muladdmont", x, y,
		func(x, y *batch) (bool, error) {
			if x.size != b.size || y.size != b.size {
				return false, &ntt.ShapeError{Arg: "a, b", Reason: "the batches have different numbers of rows"}
			}
			return b.size > 0, nil
		},
		func(x, y backends.Batch) error { return b.rows.MulAddMont(ctx, x, y) })
}

func (b *batch) MatMulAddMont(ctx context.Context, x, y backends.Batch, m, k, n int) error {
	return b.product(ctx, "matmuladdmont", x, y,
		func(x, y *batch) (bool, error) {
			return m > 0 && k > 0 && n > 0, backends.CheckProduct(m, k, n, b.size, x.size, y.size)
		},
		func(x, y backends.Batch) error { return b.rows.MatMulAddMont(ctx, x, y, m, k, n) })
}

// product is both of them: check says whether there is any work, and call does it
// where this batch is. What fails on the way of a factor is no failure of this batch's
// device.
func (b *batch) product(ctx context.Context, op string, x, y backends.Batch,
	check func(x, y *batch) (bool, error), call func(x, y backends.Batch) error) error {
	f, err := b.factors(x, y)
	work := false
	if err == nil {
		work, err = check(f[0], f[1])
	}
	if err == nil && work {
		err = b.bring(ctx, f)
	}
	if err != nil || !work {
		return b.plan.b.fail("batch "+op, 0, err)
	}
	return b.do(op, b.size, func() error { return call(f[0].rows, f[1].rows) })
}

// factors checks the operands of a product.
func (b *batch) factors(x, y backends.Batch) ([2]*batch, error) {
	var f [2]*batch
	if err := b.usable(); err != nil {
		return f, err
	}
	for i, o := range [2]backends.Batch{x, y} {
		arg := [2]string{"a", "b"}[i]
		t, ok := o.(*batch)
		switch {
		case !ok || t.plan != b.plan:
			return f, &ntt.ShapeError{Arg: arg, Reason: "is not a batch of the same plan"}
		case t == b:
			return f, &ntt.ShapeError{Arg: arg, Reason: "is the destination"}
		case t.released:
			return f, backends.ErrClosed
		}
		f[i] = t
	}
	return f, nil
}

// bring moves factors to the member that holds b, where they stay: a factor that
// is used again is used there, as a rule.
func (b *batch) bring(ctx context.Context, f [2]*batch) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	for _, x := range f {
		if err := x.move(ctx, b.at); err != nil {
			return err
		}
	}
	return nil
}

// move takes the rows of a batch to member m by way of the host. The old rows go
// when the new ones are there.
func (b *batch) move(ctx context.Context, m int) error {
	if b.at == m {
		return nil
	}
	host := make([]uint64, b.size<<b.plan.shift)
	if b.plan.b.opts.Wipe {
		defer clear(host)
	}
	if err := b.do("read", b.size, func() error { return b.rows.Read(ctx, 0, host) }); err != nil {
		return inner(err)
	}
	rows, err := b.plan.batchOn(m, b.size)
	if err != nil {
		return inner(err)
	}
	err = rows.Write(ctx, 0, host)
	if err == nil {
		err = rows.Sync(ctx)
	}
	if err != nil {
		rows.Release()
		if errors.Is(err, backends.ErrDeviceLost) {
			b.plan.b.lose(b.plan.b.members[m], "batch write", b.size, 0, err)
		}
		return inner(err)
	}
	b.rows.Release()
	b.rows, b.at = rows, m
	return nil
}

func (b *batch) Sync(ctx context.Context) error {
	return b.do("sync", 0, func() error { return b.rows.Sync(ctx) })
}

func (b *batch) Release() {
	if !b.released {
		b.released = true
		b.rows.Release()
	}
}
