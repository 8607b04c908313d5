package metal

import (
	"math"
	"math/bits"
)

// pointwiseGroup is POINTWISE_GROUP of pointwise.metal. A thread makes one
// coefficient.
const pointwiseGroup = 256

// pointwise fills in the kernels that work coefficient by coefficient.
func (p *Program) pointwise(n int, q uint64) {
	words := "_u64"
	if p.WordBytes == 4 {
		words = "_u32"
	}
	constants := pointwiseConstants(n, q)
	kernel := func(name string, access ...bool) Kernel {
		return Kernel{
			Name: name, Text: Source(), Entry: name + words, Access: access, Constants: constants,
			GroupSize: pointwiseGroup, PerGroup: pointwiseGroup,
		}
	}
	p.Mul = kernel("mul", true, false, false)
	p.MulAdd = kernel("mul_add", true, false, false)
	p.MulMont = kernel("mul_mont", true, false, false)
	p.MulAddMont = kernel("mul_add_mont", true, false, false)
	p.MForm = kernel("mform", true)
	p.IMForm = kernel("imform", true)
	p.MatMulAddMont = kernel("matmul_add_mont", true, false, false)
}

// pointwiseConstants is the struct Pointwise of pointwise.metal.
func pointwiseConstants(n int, q uint64) []byte {
	f := field{q: q, bits: 64}
	run := min(f.headroom(), math.MaxInt32)
	out := f.append(nil, q, inverse64(q), run, uint64(bits.TrailingZeros(uint(n))))
	return f.appendTwiddle(out, power64(q))
}
