package device

import (
	"fmt"

	"github.com/crosspoint-kernels/crosspoint/gpu"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// Program holds the kernels of one ring.
//
// Every kernel takes and gives coefficients in [0, q), little-endian words of
// WordBytes, row after row. It computes its group's index as x + y*width, where
// width is the grid's first dimension, and a group beyond the work does nothing.
// Its parameters are, and the rest are 0:
//
//   - Forward, Inverse: p0 rows from row p1 on, in place; binding 0 is the data,
//     1 the table.
//   - Mul, MulAdd, MulMont, MulAddMont: p0 coefficients from coefficient p1 on;
//     binding 0 is the result, 1 and 2 the factors.
//   - MForm, IMForm: p0 coefficients from coefficient p1 on, in place.
//   - MatMulAddMont: p0×p1 by p1×p2 polynomials; binding 0 is C, 1 A, 2 B.
type Program struct {
	WordBytes int // of a coefficient: 4, where q < 2^32, or 8

	Forward, Inverse                 Kernel
	Mul, MulAdd, MulMont, MulAddMont Kernel
	MForm, IMForm                    Kernel
	MatMulAddMont                    Kernel
}

// Kernel is one entry point and what the host must know to launch it.
type Kernel struct {
	gpu.Source
	PerGroup int    // rows (transforms) or coefficients of the result per group
	Table    []byte // what binding 1 of a transform holds
}

// op is an operation that has a kernel.
type op int

const (
	forward op = iota
	inverse
	mul
	mulAdd
	mulMont
	mulAddMont
	mForm
	imForm
	matMulAddMont
	opCount
)

// operation is what tells one op from another.
type operation struct {
	name     string // in errors and timings
	operands int    // data buffers that the kernel binds
	byRow    bool   // a transform: it counts rows, not coefficients, and has a table
}

var operations = [opCount]operation{
	forward:       {"forward", 1, true},
	inverse:       {"inverse", 1, true},
	mul:           {"mul", 3, false},
	mulAdd:        {"muladd", 3, false},
	mulMont:       {"mulmont", 3, false},
	mulAddMont:    {"muladdmont", 3, false},
	mForm:         {"mform", 1, false},
	imForm:        {"imform", 1, false},
	matMulAddMont: {"matmuladdmont", 3, false},
}

func (o op) String() string { return operations[o].name }

// kernels returns the program's kernels by op.
func (p *Program) kernels() [opCount]*Kernel {
	return [opCount]*Kernel{
		forward: &p.Forward, inverse: &p.Inverse,
		mul: &p.Mul, mulAdd: &p.MulAdd, mulMont: &p.MulMont, mulAddMont: &p.MulAddMont,
		mForm: &p.MForm, imForm: &p.IMForm,
		matMulAddMont: &p.MatMulAddMont,
	}
}

// check refuses a program that the host code cannot run.
func (p *Program) check(r *ntt.Ring) error {
	if p.WordBytes != 8 && (p.WordBytes != 4 || r.Bits() > 32) {
		return fmt.Errorf("program has words of %d bytes for a modulus of %d bits", p.WordBytes, r.Bits())
	}
	for o, k := range p.kernels() {
		want := operations[o].operands
		if operations[o].byRow {
			want++
		}
		if len(k.Access) != want || k.PerGroup <= 0 || operations[o].byRow != (len(k.Table) > 0) {
			return fmt.Errorf("program's %v kernel has %d bindings for %d, %d units per group and a table of %d bytes",
				op(o), len(k.Access), want, k.PerGroup, len(k.Table))
		}
	}
	return nil
}
