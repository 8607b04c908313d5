package backendtest

import (
	"context"
	"fmt"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/kat"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// checkBatchChain runs the chain of a threshold signer (forward transforms,
// Montgomery form, the 8×7 by 7×49 matrix product, the inverse transform) with
// no read in between, in batches that hold more rows than their matrices.
func checkBatchChain(ctx context.Context, e *env) error {
	return e.each(batchRings, func(tr testRing, p backends.Plan) error {
		m, k, n := 8, 7, 49
		if tr.n > 256 {
			m, k, n = 3, 2, 5
		}
		if err := chain(ctx, p, m, k, n); err != nil {
			return err
		}
		if err := resident(ctx, p, 300, 6); err != nil {
			return err
		}
		if tr != pulsar {
			return nil
		}
		return resident(ctx, p, e.scale.late, 1)
	})
}

// filled returns a batch for each number of rows, with mixed rows in it.
func filled(ctx context.Context, p backends.Plan, seed uint64, sizes ...int) ([]*model, error) {
	var ms []*model
	for i, size := range sizes {
		m, err := newModel(p, size)
		if err == nil {
			ms = append(ms, m)
			err = m.write(ctx, 0, rows(p.Ring(), size, seed+uint64(i)))
		}
		if err != nil {
			release(ms...)
			return nil, err
		}
	}
	return ms, nil
}

func release(ms ...*model) {
	for _, m := range ms {
		m.Release()
	}
}

func chain(ctx context.Context, p backends.Plan, m, k, n int) error {
	r := p.Ring()
	ms, err := filled(ctx, p, 81, m*n+3, m*k+1, k*n+2)
	if err != nil {
		return err
	}
	defer release(ms...)
	c, a, b := ms[0], ms[1], ms[2]
	steps := []struct {
		name  string
		batch func() error
		ring  func()
	}{
		{"forward a", func() error { return a.Forward(ctx, 0, m*k) }, func() { r.ForwardReduced(a.at(0, m*k), a.at(0, m*k)) }},
		{"forward b", func() error { return b.Forward(ctx, 0, k*n) }, func() { r.ForwardReduced(b.at(0, k*n), b.at(0, k*n)) }},
		{"mform b", func() error { return b.MForm(ctx, 0, k*n) }, func() { r.MFormReduced(b.at(0, k*n), b.at(0, k*n)) }},
		{"product", func() error { return c.MatMulAddMont(ctx, a.Batch, b.Batch, m, k, n) }, func() { c.addProduct(a, b, m, k, n) }},
		{"inverse", func() error { return c.Inverse(ctx, 0, m*n) }, func() { r.InverseReduced(c.at(0, m*n), c.at(0, m*n)) }},
	}
	for _, s := range steps {
		if err := s.batch(); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		s.ring()
	}
	for name, x := range map[string]*model{"a": a, "b": b, "c": c} {
		if err := x.checkAll(ctx); err != nil {
			return fmt.Errorf("%s, after the %d×%d by %d×%d chain: %w", name, m, k, k, n, err)
		}
	}
	return nil
}

// addProduct adds the product of the matrices in a and b to the model's rows,
// as a triple loop.
func (m *model) addProduct(a, b *model, rowsOfA, k, columns int) {
	for i := range rowsOfA {
		for j := range columns {
			for l := range k {
				m.ring.MulAddMontReduced(m.at(i*columns+j, 1), a.at(i*k+l, 1), b.at(l*columns+j, 1))
			}
		}
	}
}

// resident transforms a batch of that many rows there and back for some
// rounds, and overwrites part of it while the device may still be at work.
func resident(ctx context.Context, p backends.Plan, size, rounds int) error {
	r := p.Ring()
	ms, err := filled(ctx, p, 91, size)
	if err != nil {
		return err
	}
	defer release(ms...)
	m := ms[0]
	for i := range rounds {
		if err := m.Forward(ctx, 0, size); err != nil {
			return err
		}
		r.ForwardReduced(m.rows, m.rows)
		if err := m.write(ctx, 40*i, rows(r, 7, uint64(92+i))); err != nil {
			return err
		}
		if err := m.Inverse(ctx, i, size-2*i); err != nil {
			return err
		}
		r.InverseReduced(m.at(i, size-2*i), m.at(i, size-2*i))
	}
	if err := m.checkAll(ctx); err != nil {
		return fmt.Errorf("after %d rounds of a chain: %w", rounds, err)
	}
	return nil
}

// checkBatchProduct multiplies in batches: row by row, by matrices of every
// small shape, and with the largest values that a sum can hold.
func checkBatchProduct(ctx context.Context, e *env) error {
	return e.each(batchRings, func(_ testRing, p backends.Plan) error {
		if err := rowByRow(ctx, p); err != nil {
			return err
		}
		for m := range 3 {
			for k := range 4 {
				for n := range 3 {
					if err := product(ctx, p, m, k, n, nil); err != nil {
						return err
					}
				}
			}
		}
		top := func(r *ntt.Ring, words []uint64) { kat.FillPeriodic(words, r.N(), r.Q()-1) }
		// 70 products of q-1 pass what any sum of unreduced words holds.
		if err := product(ctx, p, 2, 70, 3, top); err != nil {
			return fmt.Errorf("all q-1: %w", err)
		}
		return product(ctx, p, 1, 1, 67, nil)
	})
}

// rowByRow accumulates products of batches, one of them with itself.
func rowByRow(ctx context.Context, p backends.Plan) error {
	ms, err := filled(ctx, p, 101, 9, 9, 9)
	if err != nil {
		return err
	}
	defer release(ms...)
	c, a, b := ms[0], ms[1], ms[2]
	for _, x := range [][2]*model{{a, b}, {a, a}, {b, a}} {
		if err := c.MulAddMont(ctx, x[0].Batch, x[1].Batch); err != nil {
			return fmt.Errorf("muladdmont: %w", err)
		}
		c.ring.MulAddMontReduced(c.rows, x[0].rows, x[1].rows)
	}
	for _, m := range ms {
		if err := m.checkAll(ctx); err != nil {
			return fmt.Errorf("after muladdmont: %w", err)
		}
	}
	return nil
}

// product multiplies an m×k by a k×n matrix of mixed rows, or of what fill
// makes of them.
func product(ctx context.Context, p backends.Plan, m, k, n int, fill func(*ntt.Ring, []uint64)) error {
	ms, err := filled(ctx, p, 111, m*n+3, m*k+1, k*n+2)
	if err != nil {
		return err
	}
	defer release(ms...)
	c, a, b := ms[0], ms[1], ms[2]
	if fill != nil {
		for _, x := range ms {
			words := make([]uint64, len(x.rows))
			fill(p.Ring(), words)
			if err := x.write(ctx, 0, words); err != nil {
				return err
			}
		}
	}
	err = c.MatMulAddMont(ctx, a.Batch, b.Batch, m, k, n)
	c.addProduct(a, b, m, k, n)
	for _, x := range ms {
		if err == nil {
			err = x.checkAll(ctx)
		}
	}
	if err != nil {
		return fmt.Errorf("%d×%d by %d×%d: %w", m, k, k, n, err)
	}
	return nil
}
