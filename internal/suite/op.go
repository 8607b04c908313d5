package suite

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// Op is an operation that a sweep measures.
type Op string

// The operations. MulAdd is dst = dst + a*b/R mod q with R = 2^64, what lattigo
// calls MulCoeffsMontgomeryThenAdd and threshold signers spend their matrix
// products in.
const (
	Forward Op = "forward"
	Inverse Op = "inverse"
	MulAdd  Op = "muladd"
)

// Ops returns the operations, the default one first.
func Ops() []Op { return []Op{Forward, Inverse, MulAdd} }

// ErrOp is wrapped by the errors of ParseOp.
var ErrOp = errors.New("suite: unknown operation")

// ParseOp returns the operation of that name; the error lists those there are.
func ParseOp(s string) (Op, error) {
	if op := Op(s); slices.Contains(Ops(), op) {
		return op, nil
	}
	return "", fmt.Errorf("%w %q; there are %s", ErrOp, s, names(Ops()))
}

// names lists what there is for an error.
func names[S ~string](list []S) string {
	var all []string
	for _, s := range list {
		all = append(all, string(s))
	}
	return strings.Join(all, ", ")
}

// reportName is the operation's name in a report.
func (op Op) reportName() string { return "ntt/" + string(op) }

// buffers is how many slices of a whole batch newData holds for op.
func (op Op) buffers() int {
	if op == MulAdd {
		return 4
	}
	return 2
}

// kinds are the kinds of operation that a backend must support.
func (op Op) kinds(resident bool) []backends.Kind {
	ks := []backends.Kind{backends.NTT}
	if op == MulAdd {
		ks[0] = backends.Pointwise
	}
	if resident {
		ks = append(ks, backends.Resident)
	}
	return ks
}

// onPlan does op end to end: from a (and b) in host memory to dst.
func (op Op) onPlan(ctx context.Context, p backends.Plan, dst, a, b []uint64) error {
	switch op {
	case Inverse:
		return p.Inverse(ctx, dst, a)
	case MulAdd:
		return p.MulAddMont(ctx, dst, a, b)
	}
	return p.Forward(ctx, dst, a)
}

// onRing does op by the scalar reference.
func (op Op) onRing(r *ntt.Ring, dst, a, b []uint64) error {
	switch op {
	case Inverse:
		return r.Inverse(dst, a)
	case MulAdd:
		return r.MulAddMont(dst, a, b)
	}
	return r.Forward(dst, a)
}
