package metal

import (
	"fmt"
	"math/bits"
)

// groupTarget is the size of a threadgroup as far as one row does not need more:
// GROUP_TARGET of ntt.metal.
const groupTarget = 64

// passes are the stages of each pass over a row of 2^i coefficients, by i, as the
// entries of ntt.metal have them.
var passes = [...][]int{
	3: {3}, 4: {4}, 5: {3, 2}, 6: {3, 3}, 7: {4, 3}, 8: {4, 4},
	9: {3, 3, 3}, 10: {4, 3, 3}, 11: {4, 4, 3}, 12: {4, 4, 4},
}

// shape is how a transform of n coefficients is spread over threads.
type shape struct {
	n      int
	passes []int
	team   int // threads of a row
	teams  int // rows of a threadgroup
}

func newShape(n int) shape {
	s := shape{n: n, passes: passes[bits.TrailingZeros(uint(n))]}
	s.team = n >> s.passes[0]
	s.teams = max(1, groupTarget/s.team)
	return s
}

// groupMemory returns the bytes of threadgroup memory: the slots of ntt.metal.
func (s shape) groupMemory(wordBytes int) int {
	if len(s.passes) == 1 {
		return 16 // an argument of every entry, which must have a size
	}
	slots := s.n
	if s.n*wordBytes < 32<<10 {
		slots += s.n >> s.passes[len(s.passes)-1]
	}
	return s.teams * slots * wordBytes
}

// table returns the factors of the passes after the first, in their order: factor
// k of block b is at (k-1)*blocks + b.
func (s shape) table(f field, roots []uint64) []byte {
	var out []byte
	done := s.passes[0]
	for _, p := range s.passes[1:] {
		blocks := 1 << done
		for k := 1; k < 1<<p; k++ {
			stage := bits.Len(uint(k)) - 1
			for b := range blocks {
				out = f.appendTwiddle(out, roots[(blocks+b)<<stage+k-1<<stage])
			}
		}
		done += p
	}
	if out == nil {
		out = make([]byte, 16) // a buffer has a size
	}
	return out
}

// ringConstants is the struct Transform of butterflies.h.
type ringConstants struct {
	settled, limit, lift, cap, unit uint64
	first                           [15]uint64
}

func (f field) constants(c ringConstants) []byte {
	out := f.append(nil, f.q, -f.q, f.headroom(), c.settled, c.limit, c.lift, c.cap, c.unit)
	for _, w := range c.first {
		out = f.appendTwiddle(out, w)
	}
	return out
}

func (f field) transform(name string, s shape, c ringConstants, roots []uint64) Kernel {
	return Kernel{
		Name: name, Text: Source(), Entry: fmt.Sprintf("%s_%d_%s", name, s.n, f.words),
		Access: []bool{true, false}, Constants: f.constants(c),
		GroupSize: uint32(s.team * s.teams), GroupMemory: s.groupMemory(f.wordBytes()), PerGroup: s.teams,
		Table: s.table(f, roots),
	}
}

// forward returns the forward transform: Cooley-Tukey butterflies, natural order
// in, bit-reversed out.
//
// A stage adds a product below 2q to the one operand and subtracts it. To be
// positive after k stages, values are lifted by 2k*q before the first of them.
// Where 2^bits/q is at least 1+4*log2(N) one lift serves the whole transform.
// Otherwise there is a reduction to 4k*q, and a lift, every k stages: values stay
// below 8k*q.
func (f field) forward(n int, roots []uint64) Kernel {
	stages := uint64(bits.TrailingZeros(uint(n)))
	every := stages
	var c ringConstants
	if f.headroom() < 1+4*stages {
		every = min(f.headroom()/8, stages)
		for s := every; s < stages-1; s += every { // the last stage takes any value
			c.settled |= 1 << s
		}
	}
	c.limit, c.lift = 4*every*f.q, 2*every*f.q
	s := newShape(n)
	copy(c.first[:], roots[1:1<<s.passes[0]])
	return f.transform("forward", s, c, roots)
}

// inverse returns the inverse transform: Gentleman-Sande butterflies,
// bit-reversed order in, natural out, and the division by N in the last stage.
// Sums double in each stage. They are reduced, to q<<cap, where twice as much
// would leave the word.
func (f field) inverse(n int, roots []uint64, inverseN uint64) Kernel {
	stages := bits.TrailingZeros(uint(n))
	c := ringConstants{
		cap:  uint64(min(bits.Len64(f.headroom())-2, stages-1)),
		unit: (f.q - 1) / uint64(n),
	}
	s := newShape(n)
	copy(c.first[:], roots[1:1<<s.passes[0]])
	c.first[0] = mulMod(c.first[0], inverseN, f.q)
	return f.transform("inverse", s, c, roots)
}
