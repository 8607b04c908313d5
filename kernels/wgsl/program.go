package wgsl

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"
)

// MinN and MaxN bound the degree, MaxBits the modulus. The invocations that share
// a row must be in one workgroup, where a barrier reaches them: N/16 of the 256
// that every WebGPU device allows.
const (
	MinN    = 8
	MaxN    = 2048
	MaxBits = 61
)

// What a RingError wraps.
var (
	ErrDegree  = errors.New("degree is not a power of two from 8 to 2048")
	ErrModulus = errors.New("modulus is not 1 mod 2N, or not below 2^61")
	ErrTable   = errors.New("a table of roots is not one of N residues")
)

// RingError says for which ring there is no program.
type RingError struct {
	N   int
	Q   uint64
	Err error
}

func (e *RingError) Error() string {
	return fmt.Sprintf("wgsl: N=%d, q=%d: %v", e.N, e.Q, e.Err)
}

func (e *RingError) Unwrap() error { return e.Err }

// Program holds the kernels of one ring Z_q[X]/(X^N+1).
//
// Every kernel takes and gives coefficients in [0, q), little-endian words of
// WordBytes, row after row. Its parameters p0 to p7 are a uniform of eight u32 at
// binding len(Access) of group 0, and the index of a workgroup is
// wg.x + wg.y*num_workgroups.x: groups beyond the work do nothing.
//
//   - Forward, Inverse: p0 rows from row p1 on, in place; binding 0 the data,
//     binding 1 the table.
//   - Mul, MulAdd, MulMont, MulAddMont: p0 coefficients from coefficient p1 on,
//     both whole rows; binding 0 the result, 1 and 2 the factors.
//   - MForm, IMForm: p0 coefficients from coefficient p1 on, both whole rows, in
//     place.
//   - MatMulAddMont: C += A*B*2^-64 for matrices of rows, row-major, A of p0×p1,
//     B of p1×p2, C of p0×p2, multiplied coefficient by coefficient; binding 0
//     is C, 1 A, 2 B.
//
// The Montgomery family has R = 2^64, for 4-byte words too.
type Program struct {
	WordBytes int // bytes of a coefficient on the device: 4 where q < 2^31, else 8

	Forward, Inverse                 Kernel
	Mul, MulAdd, MulMont, MulAddMont Kernel
	MForm, IMForm                    Kernel
	MatMulAddMont                    Kernel
}

// Kernel is one entry point of a WGSL module.
type Kernel struct {
	Name      string // for messages
	Text      string // WGSL without extensions
	Entry     string
	Access    []bool // by binding of group 0: whether the kernel writes it
	GroupSize uint32 // invocations of a workgroup, all in x
	PerGroup  int    // rows (transforms) or coefficients of the result per workgroup
	Table     []byte // what binding 1 of a transform holds, else nil
}

// New writes the program of the ring of degree n modulo the prime q, given the
// n powers psi^brv(i) and psi^-brv(i) in bit-reversed order and n^-1, all plain
// residues in [0, q): what ntt.Ring calls Roots, InverseRoots and InverseN. It
// does not test whether q is prime. The error is a *RingError.
func New(n int, q uint64, roots, inverseRoots []uint64, inverseN uint64) (*Program, error) {
	if err := check(n, q, roots, inverseRoots, inverseN); err != nil {
		return nil, &RingError{n, q, err}
	}
	logN := bits.TrailingZeros(uint(n))
	f := newField(logN, q)
	sched := newSchedule(n, f.lanes())
	transform := func(name, text string, roots []uint64) Kernel {
		return Kernel{
			Name: name, Text: text, Entry: name, Access: []bool{true, false},
			GroupSize: uint32(sched.team * sched.teams), PerGroup: sched.teams * sched.lanes,
			Table: sched.table(f, roots),
		}
	}
	p := &Program{WordBytes: 16 / f.lanes()}
	p.Forward = transform("forward", forward(f, sched, q, roots), roots)
	p.Inverse = transform("inverse", inverse(f, sched, q, inverseRoots, inverseN), inverseRoots)
	p.pointwise(f, n, q)
	return p, nil
}

func check(n int, q uint64, roots, inverseRoots []uint64, inverseN uint64) error {
	unreduced := func(x uint64) bool { return x >= q }
	switch {
	case n < MinN || n > MaxN || n&(n-1) != 0:
		return ErrDegree
	case bits.Len64(q) > MaxBits || q == 1 || q%uint64(2*n) != 1:
		return ErrModulus
	case len(roots) != n || len(inverseRoots) != n || unreduced(inverseN),
		slices.ContainsFunc(roots, unreduced) || slices.ContainsFunc(inverseRoots, unreduced):
		return ErrTable
	}
	return nil
}
