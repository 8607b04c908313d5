package amd64

// smallFunc transforms rows of a small ring, one after another, and returns how
// many it did before one with a coefficient that is not below q.
type smallFunc func(dst, src, columns, block, constants *uint64, rows int) int

// small is the functions for whole rows of a ring that has them.
type small struct{ forward, inverse smallTransform }

type smallTransform struct {
	f              smallFunc
	columns, block []uint64
}

// The functions of degree 256 add a bias of 7q, enough for seven stages. In the
// last one the inverse folds; the forward one reduces its left operands, since
// its results are canonical.
const smallBias = 7

// small returns the functions for whole rows: those of degree 256, if seven
// stages fit between folds.
func (b *builder) small() *small {
	k := b.kernels
	if k.forward256 == nil || b.n != 256 || b.q > (1<<52)/(2*smallBias+1) {
		return nil
	}
	return &small{
		forward: smallTransform{k.forward256, aligned(b.forwardColumns256()), aligned(b.forwardBlocks256())},
		inverse: smallTransform{k.inverse256, aligned(b.inverseColumns256()), aligned(b.inverseBlock256())},
	}
}

func (s *smallTransform) run(t *NTT, dst, src []uint64) int {
	if len(dst) == 0 {
		return 0
	}
	return s.f(&dst[0], &src[0], &s.columns[0], &s.block[0], &t.constants[0], len(dst)/t.n)
}

// forwardColumns256 holds the three factors of the first two stages.
func (b *builder) forwardColumns256() []uint64 {
	t := tableWriter{b: b}
	for _, i := range []int{1, 2, 3} {
		t.scalar(b.roots[i])
	}
	return t.words
}

// forwardBlocks256 holds seven factors for the stages between the registers of
// each block, and for each pair of registers three vectors.
func (b *builder) forwardBlocks256() []uint64 {
	t := tableWriter{b: b}
	for block := range 4 {
		for s := range 3 {
			for h := range 1 << s {
				t.scalar(b.roots[(4+block)<<s+h])
			}
		}
		t.scalar(0)
	}
	for p := range 16 { // registers 2p and 2p+1, a and b
		t.vector(func(l int) uint64 { return b.roots[32+2*p+l/4] })                    // a0 to a3, b0 to b3
		t.vector(func(l int) uint64 { return b.roots[64+2*(2*p+l/2%2)+l/4] })          // a0 a1 b0 b1 a4 a5 b4 b5
		t.vector(func(l int) uint64 { return b.roots[128+4*(2*p+l/2%2)+2*(l/4)+l%2] }) // a0 a2 b0 b2 a4 a6 b4 b6
	}
	return t.words
}

// inverseColumns256 holds the vectors of the last two stages for each column, and
// those that divide by N.
func (b *builder) inverseColumns256() []uint64 {
	t := tableWriter{b: b}
	for c := 0; c < 64; c += 8 {
		t.vector(func(l int) uint64 { return b.column(c+l, 64) })
		t.vector(func(l int) uint64 { return b.column(c+l, 128) })
		t.vector(func(l int) uint64 { return b.column(c+l+64, 128) })
		for h := range 4 {
			t.vector(func(l int) uint64 { return b.last(c + l + 64*h) })
		}
	}
	return t.words
}

// inverseBlock256 holds a vector for each of the stages of 2 and of 4
// coefficients, and seven for those between registers.
func (b *builder) inverseBlock256() []uint64 {
	t := tableWriter{b: b}
	t.vector(func(l int) uint64 { return b.column(l%2, 2) })       // a0 a1 b0 b1 a4 a5 b4 b5
	t.vector(func(l int) uint64 { return b.column(l%2+l/4*2, 4) }) // a0 a1 b0 b1 a2 a3 b2 b3
	for half := 1; half < 8; half *= 2 {
		for j := range half {
			t.vector(func(l int) uint64 { return b.column(8*j+l, 8*half) })
		}
	}
	return t.words
}
