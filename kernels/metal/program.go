package metal

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"
)

// MinN and MaxN bound the degree, MaxBits the modulus. A row crosses between the
// threads of a group through its 32 KiB of memory, which one of 4,096 words of 64
// bits fills.
const (
	MinN    = 8
	MaxN    = 4096
	MaxBits = 61
)

// What a RingError wraps.
var (
	ErrDegree  = errors.New("degree is not a power of two from 8 to 4096")
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
	return fmt.Sprintf("metal: N=%d, q=%d: %v", e.N, e.Q, e.Err)
}

func (e *RingError) Unwrap() error { return e.Err }

// Program holds the kernels of one ring Z_q[X]/(X^N+1).
//
// Every kernel takes and gives coefficients in [0, q), little-endian words of
// WordBytes, row after row. Its parameters p0 to p7 are eight u32 in buffer
// len(Access), its Constants are in buffer len(Access)+1, both by setBytes, and
// the index of a threadgroup is x + y*width of the grid: groups beyond the work do
// nothing.
//
//   - Forward, Inverse: p0 rows from row p1 on, in place; buffer 0 the data,
//     buffer 1 the table.
//   - Mul, MulAdd, MulMont, MulAddMont: p0 coefficients from coefficient p1 on;
//     buffer 0 the result, 1 and 2 the factors.
//   - MForm, IMForm: p0 coefficients from coefficient p1 on, in place.
//   - MatMulAddMont: C += A*B*2^-64 for matrices of rows, row-major, A of p0×p1,
//     B of p1×p2, C of p0×p2, multiplied coefficient by coefficient; buffer 0
//     is C, 1 A, 2 B.
//
// The Montgomery family has R = 2^64, for 4-byte words too.
type Program struct {
	WordBytes int // bytes of a coefficient on the device: 4 where q < 2^32, else 8

	Forward, Inverse                 Kernel
	Mul, MulAdd, MulMont, MulAddMont Kernel
	MForm, IMForm                    Kernel
	MatMulAddMont                    Kernel
}

// Kernel is one entry point of Source.
type Kernel struct {
	Name        string // for messages
	Text        string // Source
	Entry       string
	Access      []bool // by buffer: whether the kernel writes it
	Constants   []byte // of the ring, or nil; a multiple of 8 bytes
	GroupSize   uint32 // threads of a threadgroup, all in x
	GroupMemory int    // bytes of threadgroup memory at index 0, a multiple of 16; 0 for none
	PerGroup    int    // rows (transforms), coefficients of the result or messages per threadgroup
	Table       []byte // what buffer 1 of a transform holds, else nil
}

// New returns the program of the ring of degree n modulo the prime q, given the
// n powers psi^brv(i) and psi^-brv(i) in bit-reversed order and n^-1, all plain
// residues in [0, q): what ntt.Ring calls Roots, InverseRoots and InverseN. It
// does not test whether q is prime. The error is a *RingError.
func New(n int, q uint64, roots, inverseRoots []uint64, inverseN uint64) (*Program, error) {
	if err := check(n, q, roots, inverseRoots, inverseN); err != nil {
		return nil, &RingError{n, q, err}
	}
	p := &Program{WordBytes: 8}
	if q < 1<<32 {
		p.WordBytes = 4
	}
	f := newField(q)
	p.Forward = f.forward(n, roots)
	p.Inverse = f.inverse(n, inverseRoots, inverseN)
	p.pointwise(n, q)
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
