package backendtest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/backends/katrun"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// expect returns an error unless err wraps want and is a *backends.Error of
// this backend, which it returns.
func (e *env) expect(err, want error) (*backends.Error, error) {
	var be *backends.Error
	switch {
	case !errors.Is(err, want):
		return nil, fmt.Errorf("got error %v, want %v", err, want)
	case !errors.As(err, &be):
		return nil, fmt.Errorf("error %v is not a *backends.Error", err)
	case be.Backend != e.backend.Info().Name || be.Op == "":
		return nil, fmt.Errorf("error %v does not say which operation of which backend failed", err)
	}
	return be, nil
}

// checkInfo holds the backend's description to what it then does.
func checkInfo(_ context.Context, e *env) error {
	info := e.backend.Info()
	switch {
	case info.Name == "" || info.Device == "" || info.Driver == "":
		return fmt.Errorf("incomplete: %+v", info)
	case info.MaxN < ntt.MinN || info.MaxN > ntt.MaxN || info.MaxN&(info.MaxN-1) != 0:
		return fmt.Errorf("MaxN %d is not the degree of a ring", info.MaxN)
	}
	if _, err := e.expect(e.backend.Supports(backends.Op{Kind: "no such kind"}), backends.ErrUnsupported); err != nil {
		return fmt.Errorf("an unknown kind: %w", err)
	}
	for _, kind := range []backends.Kind{backends.NTT, backends.Pointwise, backends.Resident} {
		if _, err := e.expect(e.backend.Supports(backends.Op{Kind: kind, Rows: -1}), backends.ErrShape); err != nil {
			return fmt.Errorf("supports %s of -1 rows: %w", kind, err)
		}
	}
	_, err := e.backend.NTT(nil)
	if _, err := e.expect(err, backends.ErrUnsupported); err != nil {
		return fmt.Errorf("plan of no ring: %w", err)
	}
	for n := ntt.MinN; n <= ntt.MaxN; n *= 2 {
		r, err := ntt.NewRing(n, q60)
		if err != nil {
			return err
		}
		for _, kind := range []backends.Kind{backends.NTT, backends.Pointwise, backends.Resident} {
			err := e.backend.Supports(backends.Op{Kind: kind, Ring: r, Rows: 1})
			if n > info.MaxN {
				_, err = e.expect(err, backends.ErrUnsupported)
			}
			if err != nil {
				return fmt.Errorf("supports %s at N=%d: %w", kind, n, err)
			}
		}
		if n > info.MaxN {
			_, err := e.backend.NTT(r)
			if _, err := e.expect(err, backends.ErrUnsupported); err != nil {
				return fmt.Errorf("plan at N=%d: %w", n, err)
			}
		}
	}
	return nil
}

// checkEmpty calls every operation on no rows.
func checkEmpty(ctx context.Context, e *env) error {
	return e.each([]testRing{pulsar, mldsa}, func(_ testRing, p backends.Plan) error {
		for _, op := range katrun.Operations() {
			if err := op.Plan(p, ctx, nil, nil, nil); err != nil {
				return fmt.Errorf("%s of nil: %w", op.Op, err)
			}
			if err := compare(ctx, p, op, separate, nil, nil, nil); err != nil {
				return err
			}
		}
		return nil
	})
}

// checkShape gives every operation wrong lengths and overlaps, and expects
// ErrShape and nothing written.
func checkShape(ctx context.Context, e *env) error {
	return e.each([]testRing{pulsar, mldsa, q97}, func(tr testRing, p backends.Plan) error {
		n := tr.n
		// dst, a and b as [from, to) of one buffer of residues.
		type span struct{ from, to int }
		good := span{8 * n, 10 * n}
		cases := map[string][3]span{
			"not whole rows":          {{0, 2*n - 1}, {4 * n, 6*n - 1}, {8 * n, 10*n - 1}},
			"part of a row":           {{0, 1}, {4 * n, 4*n + 1}, {8 * n, 8*n + 1}},
			"dst one row short":       {{0, n}, {4 * n, 6 * n}, good},
			"dst one word short":      {{0, 2*n - 1}, {4 * n, 6 * n}, good},
			"dst one row long":        {{0, 3 * n}, {4 * n, 6 * n}, good},
			"dst empty":               {{0, 0}, {4 * n, 6 * n}, good},
			"operands empty":          {{0, 2 * n}, {4 * n, 4 * n}, {8 * n, 8 * n}},
			"dst one word before a":   {{4*n - 1, 6*n - 1}, {4 * n, 6 * n}, good},
			"dst one word after a":    {{4*n + 1, 6*n + 1}, {4 * n, 6 * n}, good},
			"dst one row before a":    {{3 * n, 5 * n}, {4 * n, 6 * n}, good},
			"dst one row after a":     {{5 * n, 7 * n}, {4 * n, 6 * n}, good},
			"b: one row short":        {{0, 2 * n}, {4 * n, 6 * n}, {8 * n, 9 * n}},
			"b: one word long":        {{0, 2 * n}, {4 * n, 6 * n}, {8 * n, 10*n + 1}},
			"b: empty":                {{0, 2 * n}, {4 * n, 6 * n}, {8 * n, 8 * n}},
			"b: dst one row after it": {{9 * n, 11 * n}, {4 * n, 6 * n}, good},
			"b: dst one word before":  {{8*n - 1, 10*n - 1}, {4 * n, 6 * n}, good},
		}
		for _, op := range katrun.Operations() {
			for name, c := range cases {
				if name[:2] == "b:" && !op.Binary {
					continue
				}
				g := newGuarded("a buffer", rows(p.Ring(), 12, 5))
				s := g.slice()
				err := op.Plan(p, ctx, s[c[0].from:c[0].to], s[c[1].from:c[1].to], s[c[2].from:c[2].to])
				if _, err = e.expect(err, backends.ErrShape); err == nil {
					err = g.unchanged(n)
				}
				if err != nil {
					return fmt.Errorf("%s, %s: %w", op.Op, name, err)
				}
			}
		}
		return nil
	})
}

// checkRange puts a coefficient that is not in [0, q) into every operand of
// every operation, in the first, a middle and the last row, and expects its
// place in the error and no unfinished row written.
func checkRange(ctx context.Context, e *env) error {
	return e.each([]testRing{pulsar, mldsa, q97, q31, q61}, func(tr testRing, p backends.Plan) error {
		size := 7
		for _, op := range katrun.Operations() {
			for _, operand := range operandsOf(op) {
				for i, row := range []int{0, size / 2, size - 1} {
					index := []int{0, tr.n - 1, tr.n / 2}[i]
					for _, bad := range []uint64{tr.q, tr.q + 1, 1 << 32, 1<<32 + 1, 1<<63 + 1, math.MaxUint64} {
						if bad < tr.q {
							continue // a residue of this ring
						}
						if err := e.refuses(ctx, p, op, size, fault{operand, row, index, bad}); err != nil {
							return err
						}
					}
				}
			}
		}
		if tr != pulsar {
			return nil
		}
		for _, op := range []katrun.Operation{katrun.Operations()[0], katrun.Operations()[7]} {
			for _, row := range []int{e.scale.late - 1, e.scale.late/2 + 3} {
				operand := operandsOf(op)[len(operandsOf(op))-1]
				if err := e.refuses(ctx, p, op, e.scale.late, fault{operand, row, 17, tr.q}); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// operandsOf names what an operation reads, as an *ntt.RangeError does.
func operandsOf(op katrun.Operation) []string { return op.Op.Operands() }

// fault is a coefficient out of range and where it stands.
type fault struct {
	operand    string
	row, index int
	value      uint64
}

// refuses runs an operation on rows with a fault, and with another one right
// after it, which must not be the one that is named.
func (e *env) refuses(ctx context.Context, p backends.Plan, op katrun.Operation, size int, f fault) error {
	r, n := p.Ring(), p.Ring().N()
	x := arrange(op, separate, rows(r, size, 11), rows(r, size, 12), rows(r, size, 13))
	clean := arguments{dst: clone(x.dst), a: clone(x.a), b: clone(x.b)}
	target := map[string]*guarded{"src": x.a, "a": x.a, "b": x.b, "dst": x.dst}[f.operand]
	place := f.row*n + f.index
	target.set(place, f.value)
	target.set(min(place+1, size*n-1), f.value)

	err := x.call(ctx, op, p)
	be, err := e.expect(err, backends.ErrRange)
	if err == nil {
		err = names(be, ntt.RangeError{Arg: f.operand, Row: f.row, Index: f.index})
	}
	if err == nil && be.Done > f.row {
		err = fmt.Errorf("%d rows are said to be done", be.Done)
	}
	if err == nil {
		err = partial(x, clean, op, r, be.Done)
	}
	if err != nil {
		return fmt.Errorf("%s of %d rows, %s[%d][%d] not in [0, q): %w", op.Op, size, f.operand, f.row, f.index, err)
	}
	return nil
}

// names returns an error unless err holds that RangeError.
func names(err error, want ntt.RangeError) error {
	var re *ntt.RangeError
	if !errors.As(err, &re) || *re != want {
		return fmt.Errorf("got %v, want %v", err, &want)
	}
	return nil
}

// partial returns an error unless rows [0, done) of dst are what the operation
// makes of the clean arguments, and nothing else was written.
func partial(x, clean arguments, op katrun.Operation, r *ntt.Ring, done int) error {
	n := r.N()
	want := slices.Clone(x.dst.want)
	if done > 0 {
		final, err := clean.reference(op, r)
		if err != nil {
			return err
		}
		copy(want, final[:done*n])
	}
	if err := difference(n, x.dst.slice(), want); err != nil {
		return fmt.Errorf("after an error with %d rows done: %w", done, err)
	}
	return x.inputs(n)
}

// clone returns a buffer with the same contents.
func clone(g *guarded) *guarded { return newGuarded(g.name, slices.Clone(g.want)) }

// set changes a word, and what the buffer is held to.
func (g *guarded) set(i int, x uint64) {
	g.want = slices.Clone(g.want)
	g.want[i] = x
	g.slice()[i] = x
}
