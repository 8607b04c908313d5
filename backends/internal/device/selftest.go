package device

import (
	"context"
	"errors"
	"fmt"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// errSelfTest is wrapped by the error for a device that computes wrongly.
var errSelfTest = errors.New("self-test failed")

// selfTest runs every kernel of an engine over a few rows, through the same
// code as any call, and compares with package ntt. It makes some ten
// submissions, so it is short beside the compilation before it.
func selfTest(b *backend, e *engine) error {
	p := newPlan(b, e.ring, e)
	defer p.shut()
	t := &selfTester{plan: p, ring: e.ring}
	for o := forward; o < matMulAddMont; o++ {
		// Every pair of kinds, and a last group that is not full.
		rows := max(testKinds*testKinds, e.kernels[o].perGroup/perRow(e.ring, o)) + 1
		if err := t.check(o, rows); err != nil {
			return err
		}
	}
	return t.checkProduct(2, 3, 2)
}

// perRow returns the units of work of one row.
func perRow(r *ntt.Ring, o op) int {
	if operations[o].byRow {
		return 1
	}
	return r.N()
}

type selfTester struct {
	plan *plan
	ring *ntt.Ring
}

// check runs o over rows of all kinds.
func (t *selfTester) check(o op, rows int) error {
	dst, a, b := testRows(t.ring, rows, 0), testRows(t.ring, rows, 1), testRows(t.ring, rows, 2)
	switch o {
	case forward: // half of the results then hold 0 and q-1
		t.ring.InverseReduced(a[:len(a)/2], a[:len(a)/2])
	case inverse:
		t.ring.ForwardReduced(a[:len(a)/2], a[:len(a)/2])
	}
	want := append([]uint64(nil), dst...)
	reference(t.ring, o, want, a, b)
	in := [3][]uint64{a}
	if operations[o].operands > 1 {
		in = [3][]uint64{dst, a, b}
	}
	if _, err := t.plan.transfer(context.Background(), o, dst, in, nil); err != nil {
		return fmt.Errorf("%v: %w", o, err)
	}
	return t.compare(o, dst, want)
}

// reference is o as package ntt computes it.
func reference(r *ntt.Ring, o op, dst, a, b []uint64) {
	switch o {
	case forward:
		r.ForwardReduced(dst, a)
	case inverse:
		r.InverseReduced(dst, a)
	case mul:
		r.MulReduced(dst, a, b)
	case mulAdd:
		r.MulAddReduced(dst, a, b)
	case mulMont:
		r.MulMontReduced(dst, a, b)
	case mulAddMont:
		r.MulAddMontReduced(dst, a, b)
	case mForm:
		r.MFormReduced(dst, a)
	case imForm:
		r.IMFormReduced(dst, a)
	}
}

// checkProduct multiplies an m by k and a k by n matrix on the device.
func (t *selfTester) checkProduct(m, k, n int) error {
	ctx := context.Background()
	sizes := [3]int{m * n, m * k, k * n}
	var rows [3][]uint64
	var batches [3]backends.Batch
	for i, size := range sizes {
		rows[i] = testRows(t.ring, size, i)
		b, err := t.plan.NewBatch(size)
		if err != nil {
			return err
		}
		defer b.Release()
		if err := b.Write(ctx, 0, rows[i]); err != nil {
			return err
		}
		batches[i] = b
	}
	if err := batches[0].MatMulAddMont(ctx, batches[1], batches[2], m, k, n); err != nil {
		return err
	}
	want := rows[0]
	t.ring.MatMulAddMontReduced(want, rows[1], rows[2], k, n, 0, m*n)
	got := make([]uint64, len(want))
	if err := batches[0].Read(ctx, 0, got); err != nil {
		return err
	}
	return t.compare(matMulAddMont, got, want)
}

func (t *selfTester) compare(o op, got, want []uint64) error {
	for i := range want {
		if got[i] != want[i] {
			return fmt.Errorf("%w: %s on %q (%s) computes coefficient %d of row %d wrongly for ring %v", errSelfTest,
				o, t.plan.backend.info.Device, t.plan.backend.info.Driver, i%t.ring.N(), i/t.ring.N(), t.ring)
		}
	}
	return nil
}

// testKinds is the number of kinds of row that testRows makes.
const testKinds = 4

// testRows returns rows that are random, all q-1, alternating 0 and q-1, or
// zero but for one q-1. Turn shifts the kinds by one more after every four rows,
// so that over sixteen rows those of turns 1 and 2 meet in every pair of kinds.
func testRows(r *ntt.Ring, rows, turn int) []uint64 {
	s := make([]uint64, rows*r.N())
	x := uint64(turn + 1)
	for i := range s {
		x = x*6364136223846793005 + 1442695040888963407 // Knuth's MMIX generator
		row, j := i/r.N(), i%r.N()
		switch (row + turn*(row/testKinds)) % testKinds {
		case 0:
			s[i] = (x >> 3) % r.Q()
		case 1:
			s[i] = r.Q() - 1
		case 2:
			s[i] = uint64(j&1) * (r.Q() - 1)
		case 3:
			if j == (row*5+1)%r.N() {
				s[i] = r.Q() - 1
			}
		}
	}
	return s
}
