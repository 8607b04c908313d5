package backendtest

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// model is a batch beside the rows that it should hold.
type model struct {
	backends.Batch
	ring *ntt.Ring
	rows []uint64
}

// newModel returns a batch of zeros of the plan, to be released.
func newModel(p backends.Plan, size int) (*model, error) {
	b, err := p.NewBatch(size)
	if err != nil {
		return nil, err
	}
	if b.Rows() != size {
		return nil, fmt.Errorf("a batch of %d rows says that it has %d", size, b.Rows())
	}
	return &model{b, p.Ring(), make([]uint64, size*p.Ring().N())}, nil
}

// at returns rows [row, row+n) of the model.
func (m *model) at(row, n int) []uint64 { return m.rows[row*m.ring.N() : (row+n)*m.ring.N()] }

// write writes rows to the batch and to the model, from a guarded buffer.
func (m *model) write(ctx context.Context, row int, words []uint64) error {
	g := newGuarded("src", words)
	if err := m.Write(ctx, row, g.slice()); err != nil {
		return err
	}
	copy(m.rows[row*m.ring.N():], words)
	if err := g.unchanged(m.ring.N()); err != nil {
		return fmt.Errorf("write: %w", err)
	}
	return nil
}

// check reads rows [row, row+n) and compares them.
func (m *model) check(ctx context.Context, row, n int) error {
	g := newGuarded("dst", poison(n*m.ring.N()))
	err := m.Read(ctx, row, g.slice())
	if err == nil {
		err = difference(m.ring.N(), g.slice(), m.at(row, n))
	}
	if err == nil {
		err = g.check()
	}
	if err != nil {
		return fmt.Errorf("rows [%d, %d) of %d: %w", row, row+n, m.Rows(), err)
	}
	return nil
}

// checkAll compares every row.
func (m *model) checkAll(ctx context.Context) error { return m.check(ctx, 0, m.Rows()) }

// inPlace are the operations of a batch on a range of its rows.
var inPlace = []struct {
	name  string
	batch func(b backends.Batch, ctx context.Context, row, n int) error
	ring  func(r *ntt.Ring, dst, src []uint64)
}{
	{"forward", backends.Batch.Forward, (*ntt.Ring).ForwardReduced},
	{"mform", backends.Batch.MForm, (*ntt.Ring).MFormReduced},
	{"imform", backends.Batch.IMForm, (*ntt.Ring).IMFormReduced},
	{"inverse", backends.Batch.Inverse, (*ntt.Ring).InverseReduced},
}

// checkBatchRows works on ranges of rows and expects their neighbours, and
// those of another batch, to stay as they are.
func checkBatchRows(ctx context.Context, e *env) error {
	return e.each(batchRings, func(_ testRing, p backends.Plan) error {
		for _, size := range []int{1, 11, 70} {
			if err := batchRows(ctx, p, size); err != nil {
				return fmt.Errorf("a batch of %d rows: %w", size, err)
			}
		}
		return nil
	})
}

func batchRows(ctx context.Context, p backends.Plan, size int) error {
	r := p.Ring()
	m, err := newModel(p, size)
	if err != nil {
		return err
	}
	defer m.Release()
	ms, err := filled(ctx, p, 41, size)
	if err != nil {
		return err
	}
	defer release(ms...)
	other := ms[0]
	if err := m.checkAll(ctx); err != nil {
		return fmt.Errorf("new: %w", err)
	}
	// Ranges at both ends and in between, the whole batch, and none of it.
	third := (size + 2) / 3
	ranges := [][2]int{{0, size}, {0, 1}, {size - 1, 1}, {size / 2, third - third/2}, {size - third, third}, {0, 0}, {size, 0}}
	for i, at := range ranges {
		row, n := at[0], at[1]
		if err := m.write(ctx, row, rows(r, n, uint64(50+i))); err != nil {
			return fmt.Errorf("write at %d: %w", row, err)
		}
		if err := m.checkAll(ctx); err != nil {
			return fmt.Errorf("after a write of %d rows at %d: %w", n, row, err)
		}
		if err := m.check(ctx, row, n); err != nil {
			return fmt.Errorf("read: %w", err)
		}
		for _, op := range inPlace {
			if err := op.batch(m.Batch, ctx, row, n); err != nil {
				return fmt.Errorf("%s: %w", op.name, err)
			}
			op.ring(r, m.at(row, n), m.at(row, n))
			if err := m.checkAll(ctx); err != nil {
				return fmt.Errorf("after %s of %d rows at %d: %w", op.name, n, row, err)
			}
		}
	}
	if err := m.Sync(ctx); err != nil {
		return fmt.Errorf("sync: %w", err)
	}
	return other.checkAll(ctx)
}

// checkBatchErrors gives batches rows that they do not have, operands that are
// not theirs and coefficients out of range, and expects them unchanged.
func checkBatchErrors(ctx context.Context, e *env) error {
	return e.each([]testRing{pulsar, mldsa, q97}, func(tr testRing, p backends.Plan) error {
		const size = 6
		ms, err := filled(ctx, p, 61, size)
		if err != nil {
			return err
		}
		defer release(ms...)
		m := ms[0]
		if err := e.badSizes(p); err != nil {
			return err
		}
		for _, f := range []func(context.Context, backends.Plan, *model) error{e.badRows, e.badOperands, e.badValues} {
			if err := f(ctx, p, m); err != nil {
				return err
			}
			if err := m.checkAll(ctx); err != nil {
				return fmt.Errorf("after calls that failed: %w", err)
			}
		}
		return nil
	})
}

// badSizes asks for batches of fewer rows than none, and of more than the backend
// says that it supports.
func (e *env) badSizes(p backends.Plan) error {
	supports := func(n int) error {
		return e.backend.Supports(backends.Op{Kind: backends.Resident, Ring: p.Ring(), Rows: n})
	}
	most, beyond := 1, math.MaxInt
	for most+1 < beyond {
		if n := most + (beyond-most)/2; supports(n) == nil {
			most = n
		} else {
			beyond = n
		}
	}
	for n, want := range map[int]error{
		-1: backends.ErrShape, math.MinInt: backends.ErrShape,
		beyond: backends.ErrUnsupported, math.MaxInt: backends.ErrUnsupported,
	} {
		_, err := p.NewBatch(n)
		for what, err := range map[string]error{"new": err, "supports": supports(n)} {
			if _, err := e.expect(err, want); err != nil {
				return fmt.Errorf("%s batch of %d rows, where %d are supported: %w", what, n, most, err)
			}
		}
	}
	return nil
}

func (e *env) badRows(ctx context.Context, p backends.Plan, m *model) error {
	n, size := p.Ring().N(), m.Rows()
	for _, c := range []struct{ row, words int }{
		{-1, n}, {size, n}, {size - 1, 2 * n}, {0, (size + 1) * n}, {size + 1, 0}, {math.MaxInt, n}, {math.MinInt, n},
		{0, n - 1}, {0, 1}, {1, 2*n + 1},
	} {
		g := newGuarded("dst", poison(c.words))
		for name, err := range map[string]error{
			"write": m.Write(ctx, c.row, make([]uint64, c.words)),
			"read":  m.Read(ctx, c.row, g.slice()),
		} {
			if _, err := e.expect(err, backends.ErrShape); err != nil {
				return fmt.Errorf("%s of %d words at row %d: %w", name, c.words, c.row, err)
			}
		}
		if err := g.unchanged(n); err != nil {
			return fmt.Errorf("a read that failed: %w", err)
		}
	}
	for _, c := range [][2]int{
		{-1, 1}, {0, -1}, {0, size + 1}, {size, 1}, {size - 1, 2}, {size + 1, 0}, {3, -2},
		{math.MaxInt, 1}, {1, math.MaxInt}, {math.MaxInt, math.MaxInt}, {math.MinInt, 1}, {1, math.MinInt},
	} {
		for _, op := range inPlace {
			if _, err := e.expect(op.batch(m.Batch, ctx, c[0], c[1]), backends.ErrShape); err != nil {
				return fmt.Errorf("%s of %d rows at %d: %w", op.name, c[1], c[0], err)
			}
		}
	}
	return nil
}

// stranger is a Batch that no backend made.
type stranger struct{ backends.Batch }

func (e *env) badOperands(ctx context.Context, p backends.Plan, m *model) error {
	size := m.Rows()
	ms, err := filled(ctx, p, 65, size, size+1)
	if err != nil {
		return err
	}
	defer release(ms...)
	good, larger := ms[0], ms[1]
	twin, err := newPlan(e.backend, testRing{"a second plan", p.Ring().N(), p.Ring().Q()})
	if err != nil {
		return err
	}
	defer twin.Close()
	foreign, err := newModel(twin, size)
	if err != nil {
		return err
	}
	defer foreign.Release()
	for name, bad := range map[string]backends.Batch{
		"the batch itself": m.Batch, "a batch of another plan": foreign.Batch,
		"nil": nil, "a batch of another kind": stranger{good.Batch},
	} {
		for _, x := range [][2]backends.Batch{{bad, good.Batch}, {good.Batch, bad}} {
			_, err := e.expect(m.MulAddMont(ctx, x[0], x[1]), backends.ErrShape)
			if err == nil {
				_, err = e.expect(m.MatMulAddMont(ctx, x[0], x[1], 1, 1, 1), backends.ErrShape)
			}
			if err != nil {
				return fmt.Errorf("%s as an operand: %w", name, err)
			}
		}
	}
	for _, x := range [][2]backends.Batch{{larger.Batch, good.Batch}, {good.Batch, larger.Batch}, {larger.Batch, larger.Batch}} {
		if _, err := e.expect(m.MulAddMont(ctx, x[0], x[1]), backends.ErrShape); err != nil {
			return fmt.Errorf("operands with other numbers of rows: %w", err)
		}
	}
	huge := math.MaxInt/2 + 1
	for _, d := range [][3]int{
		{7, 1, 1}, {1, 7, 1}, {1, 1, 7}, {2, 4, 1}, {3, 1, 3}, {1, 3, 3}, {-1, 1, 1}, {1, -1, 1}, {1, 1, -1}, {-2, -3, 1},
		{huge, 2, 1}, {2, huge, 1}, {1, huge, 2}, {huge, huge, huge}, {math.MaxInt, math.MaxInt, 1}, {1 << 32, 1 << 32, 1},
	} {
		if _, err := e.expect(m.MatMulAddMont(ctx, good.Batch, good.Batch, d[0], d[1], d[2]), backends.ErrShape); err != nil {
			return fmt.Errorf("a %d×%d by %d×%d product in batches of %d rows: %w", d[0], d[1], d[1], d[2], size, err)
		}
	}
	return nil
}

func (e *env) badValues(ctx context.Context, p backends.Plan, m *model) error {
	r := p.Ring()
	for _, bad := range []uint64{r.Q(), 1<<48 + r.Q(), math.MaxUint64} {
		for _, at := range [][2]int{{0, 0}, {1, r.N() - 1}, {3, 1}} {
			src := slices.Clone(rows(r, 4, 71))
			src[at[0]*r.N()+at[1]] = bad
			be, err := e.expect(m.Write(ctx, 2, src), backends.ErrRange)
			if err == nil {
				err = names(be, ntt.RangeError{Arg: "src", Row: at[0], Index: at[1]})
			}
			if err != nil {
				return fmt.Errorf("write at row 2 with src[%d][%d] not in [0, q): %w", at[0], at[1], err)
			}
		}
	}
	return nil
}
