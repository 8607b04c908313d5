package amd64

import (
	"errors"
	"fmt"
	"math/bits"
	"sync"
)

// Width is a set of instructions, and a way to compute with them modulo q.
type Width int

// The widths. For the rings that they share, the first that a machine has is the
// fastest, but for AVX512Narrow, which comes before IFMA for q < 2^29.
const (
	IFMA         Width = iota + 1 // AVX-512 with 52-bit multipliers: q < 2^50
	AVX512Narrow                  // AVX-512 with 32-bit lanes: q < 2^31
	AVX512Float                   // AVX-512 with floating-point ones: q < 2^50
	AVX2Narrow                    // AVX2 with 32-bit lanes: q < 2^31
	AVX2Float                     // AVX2 with floating-point ones: q < 2^50
	endOfWidths
)

var widthNames = map[Width]string{
	IFMA: "avx512-ifma", AVX512Narrow: "avx512-narrow", AVX512Float: "avx512-float",
	AVX2Narrow: "avx2-narrow", AVX2Float: "avx2-float",
}

func (w Width) String() string {
	if s, ok := widthNames[w]; ok {
		return s
	}
	return fmt.Sprintf("Width(%d)", int(w))
}

// Widths returns those that this build and this machine have, in their order.
func Widths() []Width {
	var ws []Width
	for w := IFMA; w < endOfWidths; w++ {
		if transformKernels(w) != nil {
			ws = append(ws, w)
		}
	}
	return ws
}

// The reasons for which NewNTT refuses. A *NTTError wraps one of them.
var (
	ErrWidth   = errors.New("this build or this machine does not have the width")
	ErrModulus = errors.New("the modulus is not an odd number from 3 to the width's limit")
	ErrDegree  = errors.New("the degree is not a power of two from 8 to 65536")
	ErrTables  = errors.New("the tables do not have N entries")
)

// NTTError says which ring was refused at which width and, through errors.Is, why.
type NTTError struct {
	N     int
	Q     uint64
	Width Width
	Err   error
}

func (e *NTTError) Error() string {
	return fmt.Sprintf("amd64: N=%d q=%d at %v: %v", e.N, e.Q, e.Width, e.Err)
}

func (e *NTTError) Unwrap() error { return e.Err }

// NTT is the transform of one ring, and its pointwise operations, at one width.
// It is immutable and safe for concurrent use.
//
// Its methods take whole rows of N coefficients, flat; dst may be the same slice
// as an operand, and must not overlap one otherwise. They return the number of
// rows of dst that are final. That is all of them, or else the next row is the
// first one of which an operand has a coefficient not below q: dst is untouched
// from that row on. The caller has checked the lengths.
type NTT struct {
	n         int
	q         uint64
	kernels   *kernels
	constants []uint64
	pointwise *kernels // those of the pointwise operations
	products  []uint64 // their constants
	forward   []pass   // first to last
	inverse   []pass
	small     *small     // the functions for whole rows, where the ring has them
	toMont    []uint64   // the factor 2^64
	fromMont  []uint64   // the factor 2^-64
	packed    *sync.Pool // of *packedRow, for kernels that need one
}

// pass is one call of the transform of some rows.
type pass struct {
	run        passFunc
	table      []uint64
	parameters []uint64
	rowBlocks  int
	stride     int  // bytes
	unpacks    bool // writes words of 64 bits from a packed row
}

// NewNTT prepares the transform of degree n, a power of two from 8 to 65,536,
// modulo q, for which roots holds psi^brv(i), inverseRoots psi^-brv(i) and
// inverseN N^-1, as package ntt's Ring has them. The error is a *NTTError.
func NewNTT(n int, q uint64, roots, inverseRoots []uint64, inverseN uint64, width Width) (*NTT, error) {
	k := transformKernels(width)
	var err error
	switch {
	case k == nil:
		err = ErrWidth
	case n < 8 || n > 65536 || n&(n-1) != 0:
		err = ErrDegree
	case q < 3 || q%2 == 0 || bits.Len64(q) > k.maxBits:
		err = ErrModulus
	case len(roots) != n || len(inverseRoots) != n:
		err = ErrTables
	}
	if err != nil {
		return nil, &NTTError{N: n, Q: q, Width: width, Err: err}
	}
	return newNTT(k, n, q, roots, inverseRoots, inverseN), nil
}

// newNTT is NewNTT for arguments that it has checked.
func newNTT(k *kernels, n int, q uint64, roots, inverseRoots []uint64, inverseN uint64) *NTT {
	k = k.forRing(n, q)
	t := &NTT{n: n, q: q, kernels: k, constants: aligned(k.constants(q)), pointwise: k}
	if k.pointwise != nil {
		t.pointwise = k.pointwise
	}
	t.products = t.pointwise.constants(q)
	b := builder{n: n, logN: bits.TrailingZeros(uint(n)), q: q, kernels: k, roots: roots, inverseRoots: inverseRoots, inverseN: inverseN}
	b.bias, b.folds = k.forwardBounds(q, b.logN)
	t.forward = b.forwardPasses()
	b.bias, b.folds = k.bounds(q, b.logN)
	t.inverse = b.inversePasses()
	t.small = b.small()
	t.packed = newPacked(t.unit())
	b.kernels = t.pointwise
	t.toMont, t.fromMont = b.factorOf(residueR(q)), b.factorOf(inverseR(q))
	return t
}

// N returns the degree.
func (t *NTT) N() int { return t.n }

// Forward transforms every row of src to dst, natural order in and bit-reversed
// out.
func (t *NTT) Forward(dst, src []uint64) (done int) {
	if t.small != nil {
		return t.small.forward.run(t, dst, src)
	}
	return t.transform(t.forward, dst, src)
}

// Inverse undoes Forward, division by N included.
func (t *NTT) Inverse(dst, src []uint64) (done int) {
	if t.small != nil {
		return t.small.inverse.run(t, dst, src)
	}
	return t.transform(t.inverse, dst, src)
}

// transform runs the passes over one row after another, or over as many rows as
// fit into a block of the kernels where a row is smaller.
func (t *NTT) transform(passes []pass, dst, src []uint64) (done int) {
	if t.kernels.pack != nil {
		return t.transformPacked(passes, dst, src)
	}
	unit := t.unit()
	for at := 0; at < len(dst); at += unit {
		end := min(at+unit, len(dst))
		to, from := dst[at:end], src[at:end]
		if !t.Reduced(from) {
			return done + t.beforeBad(passes, to, from)
		}
		if len(to) < unit {
			s := scratch.Get().(*[maxBlock]uint64)
			copy(s[:], from)
			t.runPasses(passes, s[:unit], s[:unit])
			copy(to, s[:])
			clear(s[:])
			scratch.Put(s)
		} else {
			t.runPasses(passes, to, from)
		}
		done += len(to) / t.n
	}
	return done
}

// unit is how many coefficients the passes work on: a row, or a block of several.
func (t *NTT) unit() int { return max(t.n, t.kernels.block()) }

// scratch holds blocks that are not full.
var scratch = sync.Pool{New: func() any { return new([maxBlock]uint64) }}

// beforeBad transforms the rows before the first bad one of a unit.
func (t *NTT) beforeBad(passes []pass, dst, src []uint64) (done int) {
	for done*t.n < len(src) && t.Reduced(src[done*t.n:(done+1)*t.n]) {
		done++
	}
	if done > 0 {
		t.transform(passes, dst[:done*t.n], src[:done*t.n])
	}
	return done
}

func (t *NTT) runPasses(passes []pass, dst, src []uint64) {
	for i := range passes {
		p := &passes[i]
		p.run(&dst[0], &src[0], &p.table[0], &t.constants[0], &p.parameters[0], p.rowBlocks, p.stride)
		src = dst
	}
}

// Reduced reports whether every coefficient of s, whole rows, is below q. It
// looks at all of them, whatever they are.
func (t *NTT) Reduced(s []uint64) bool {
	if len(s) == 0 {
		return true
	}
	return t.kernels.reduced(&s[0], t.q, len(s))
}
