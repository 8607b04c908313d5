package katrun

import (
	"context"
	"slices"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/kat"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// Operation is one operation of a backends.Plan beside the reference that
// defines it. A unary operation reads a, and ignores b.
type Operation struct {
	Op         kat.Op
	Binary     bool // reads b as well as a
	Accumulate bool // reads dst as well as its operands
	Plan       func(p backends.Plan, ctx context.Context, dst, a, b []uint64) error
	Ring       func(r *ntt.Ring, dst, a, b []uint64) error
}

var operations = []Operation{
	unary(kat.Forward, backends.Plan.Forward, (*ntt.Ring).Forward),
	unary(kat.Inverse, backends.Plan.Inverse, (*ntt.Ring).Inverse),
	unary(kat.MForm, backends.Plan.MForm, (*ntt.Ring).MForm),
	unary(kat.IMForm, backends.Plan.IMForm, (*ntt.Ring).IMForm),
	{kat.Mul, true, false, backends.Plan.Mul, (*ntt.Ring).Mul},
	{kat.MulMont, true, false, backends.Plan.MulMont, (*ntt.Ring).MulMont},
	{kat.MulAdd, true, true, backends.Plan.MulAdd, (*ntt.Ring).MulAdd},
	{kat.MulAddMont, true, true, backends.Plan.MulAddMont, (*ntt.Ring).MulAddMont},
}

func unary(op kat.Op,
	plan func(backends.Plan, context.Context, []uint64, []uint64) error,
	ring func(*ntt.Ring, []uint64, []uint64) error,
) Operation {
	return Operation{Op: op,
		Plan: func(p backends.Plan, ctx context.Context, dst, a, _ []uint64) error { return plan(p, ctx, dst, a) },
		Ring: func(r *ntt.Ring, dst, a, _ []uint64) error { return ring(r, dst, a) },
	}
}

// Operations returns every operation of a Plan, the transforms first.
func Operations() []Operation { return slices.Clone(operations) }

// Kind returns the kind by which a backend is asked whether it supports the
// operation.
func (o Operation) Kind() backends.Kind {
	if o.Op == kat.Forward || o.Op == kat.Inverse {
		return backends.NTT
	}
	return backends.Pointwise
}

// split returns the operands that kat lists as dst, a and b: dst is the
// operand that is accumulated into, or nil.
func (o Operation) split(in [][]uint64) (dst, a, b []uint64) {
	if o.Accumulate {
		dst, in = in[0], in[1:]
	}
	a, b = in[0], in[0]
	if o.Binary {
		b = in[1]
	}
	return dst, a, b
}

// find returns the operation of a vector; kat.Product is a chain and not one.
func find(op kat.Op) (Operation, bool) {
	i := slices.IndexFunc(operations, func(o Operation) bool { return o.Op == op })
	if i < 0 {
		return Operation{}, false
	}
	return operations[i], true
}
