package backendtest

import (
	"context"
	"fmt"
	"slices"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/backends/katrun"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// layout says which arguments of an operation are the same slice.
type layout string

const (
	separate layout = "separate"
	dstIsA   layout = "dst is a"
	dstIsB   layout = "dst is b"
	aIsB     layout = "a is b"
	allSame  layout = "dst is a and b"
)

// layoutsOf returns the layouts that an operation can have.
func layoutsOf(op katrun.Operation) []layout {
	if op.Binary {
		return []layout{separate, dstIsA, dstIsB, aIsB, allSame}
	}
	return []layout{separate, dstIsA}
}

// arguments are the buffers of one call. A unary operation has b = a.
type arguments struct{ dst, a, b *guarded }

// arrange puts rows into buffers. The contents of dst are what it accumulates
// into, or poison; where dst is an operand they are that operand's.
func arrange(op katrun.Operation, l layout, dst, a, b []uint64) arguments {
	first := "src"
	if op.Binary {
		first = "a"
	}
	args := arguments{a: newGuarded(first, a)}
	args.b = args.a
	if op.Binary && (l == separate || l == dstIsA || l == dstIsB) {
		args.b = newGuarded("b", b)
	}
	switch {
	case l == dstIsA || l == allSame:
		args.dst = args.a
	case l == dstIsB:
		args.dst = args.b
	case op.Accumulate:
		args.dst = newGuarded("dst", dst)
	default:
		args.dst = newGuarded("dst", poison(len(a)))
	}
	return args
}

// call runs the operation of a plan on the buffers.
func (x arguments) call(ctx context.Context, op katrun.Operation, p backends.Plan) error {
	return op.Plan(p, ctx, x.dst.slice(), x.a.slice(), x.b.slice())
}

// reference returns what the operation makes of dst.
func (x arguments) reference(op katrun.Operation, r *ntt.Ring) ([]uint64, error) {
	dst := slices.Clone(x.dst.want)
	a, b := x.a.want, x.b.want
	if x.dst == x.a {
		a = dst
	}
	if x.dst == x.b {
		b = dst
	}
	err := op.Ring(r, dst, a, b)
	return dst, err
}

// inputs returns an error if an operand that is not dst was written, or a
// guard word of any buffer.
func (x arguments) inputs(n int) error {
	for _, g := range []*guarded{x.a, x.b} {
		if g != x.dst {
			if err := g.unchanged(n); err != nil {
				return err
			}
		}
	}
	return x.dst.check()
}

// compare runs an operation on rows and holds it to the reference: the output,
// the operands, the guard words.
func compare(ctx context.Context, p backends.Plan, op katrun.Operation, l layout, dst, a, b []uint64) error {
	n := p.Ring().N()
	x := arrange(op, l, dst, a, b)
	want, err := x.reference(op, p.Ring())
	if err == nil {
		err = x.call(ctx, op, p)
	}
	if err == nil {
		err = difference(n, x.dst.slice(), want)
	}
	if err == nil {
		err = x.inputs(n)
	}
	if err != nil {
		return fmt.Errorf("%s of %d rows, %s: %w", op.Op, len(a)/n, l, err)
	}
	return nil
}

// compareAll runs every operation on batches of that many rows, in the given
// layouts as far as the operation can have them.
func compareAll(ctx context.Context, p backends.Plan, size int, seed uint64, layouts ...layout) error {
	r := p.Ring()
	dst, a, b := rows(r, size, 3*seed), rows(r, size, 3*seed+1), rows(r, size, 3*seed+2)
	for _, op := range katrun.Operations() {
		for _, l := range layouts {
			if !slices.Contains(layoutsOf(op), l) {
				continue
			}
			if err := compare(ctx, p, op, l, dst, a, b); err != nil {
				return err
			}
		}
	}
	return nil
}
