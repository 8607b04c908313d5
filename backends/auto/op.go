package auto

import (
	"context"
	"fmt"

	"github.com/crosspoint-kernels/crosspoint/backends"
)

// op is an operation of a plan.
type op uint8

const (
	forward op = iota
	inverse
	mul
	mulAdd
	mulMont
	mulAddMont
	mForm
	imForm

	operations = iota
)

// residentName stands for all operations of a Batch.
const residentName = "batch"

var opNames = [operations]string{"forward", "inverse", "mul", "muladd", "mulmont", "muladdmont", "mform", "imform"}

func (o op) String() string { return opNames[o] }

// binary reports whether the operation reads b as well as a.
func (o op) binary() bool { return o == mul || o == mulAdd || o == mulMont || o == mulAddMont }

// accumulates reports whether it reads dst as well.
func (o op) accumulates() bool { return o == mulAdd || o == mulAddMont }

// parseOp returns the operation of that name.
func parseOp(name string) (op, error) {
	for o, n := range opNames {
		if n == name {
			return op(o), nil
		}
	}
	return 0, fmt.Errorf("%w: no operation %q", backends.ErrUnsupported, name)
}

// call does the operation on a backend's plan; b is of binary ones.
func (o op) call(ctx context.Context, p backends.Plan, dst, a, b []uint64) error {
	switch o {
	case forward:
		return p.Forward(ctx, dst, a)
	case inverse:
		return p.Inverse(ctx, dst, a)
	case mul:
		return p.Mul(ctx, dst, a, b)
	case mulAdd:
		return p.MulAdd(ctx, dst, a, b)
	case mulMont:
		return p.MulMont(ctx, dst, a, b)
	case mulAddMont:
		return p.MulAddMont(ctx, dst, a, b)
	case mForm:
		return p.MForm(ctx, dst, a)
	}
	return p.IMForm(ctx, dst, a)
}
