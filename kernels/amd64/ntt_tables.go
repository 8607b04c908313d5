package amd64

import (
	"math/bits"
	"unsafe"
)

// builder makes the tables of one ring for one set of kernels.
type builder struct {
	n, logN             int
	q                   uint64
	kernels             *kernels
	roots, inverseRoots []uint64
	inverseN            uint64
	bias                uint64   // of the first stage, in the direction that is made
	folds               []uint64 // of every stage, in that direction
}

// within is the number of stages within a register.
func (b *builder) within() int { return bits.TrailingZeros(uint(b.kernels.lanes)) }

// lead is the number of stages that the pass with those within a register does
// before them in the forward direction, after them in the inverse.
func (b *builder) lead() int { return min(3, b.logN-b.within()) }

// columnStages returns the stages of the passes between far registers, in the
// order of the forward transform: three, or two where that leaves no single one.
func (b *builder) columnStages() (passes []int) {
	for left := b.logN - b.within() - b.lead(); left > 0; left -= passes[len(passes)-1] {
		switch left {
		case 1, 2, 3:
			passes = append(passes, left)
		case 4:
			passes = append(passes, 2)
		default:
			passes = append(passes, 3)
		}
	}
	return passes
}

// tableWriter appends factors, scalars as a word and its quotient, vectors as a
// register of words and one of quotients.
type tableWriter struct {
	b     *builder
	words []uint64
}

func (t *tableWriter) scalar(w uint64) {
	f, p := t.b.kernels.factor(w, t.b.q)
	t.words = append(t.words, f, p)
}

func (t *tableWriter) vector(w func(lane int) uint64) {
	var quotients []uint64
	for l := range t.b.kernels.lanes {
		f, p := t.b.kernels.factor(w(l), t.b.q)
		t.words, quotients = append(t.words, f), append(quotients, p)
	}
	t.words = append(t.words, quotients...)
}

// factorOf returns w and its quotient.
func (b *builder) factorOf(w uint64) []uint64 {
	t := tableWriter{b: b}
	t.scalar(w)
	return t.words
}

// forwardPasses returns the passes of the forward transform. Its stage of m
// blocks uses roots m to 2m-1.
func (b *builder) forwardPasses() (ps []pass) {
	done := 0
	for _, k := range b.columnStages() {
		t := tableWriter{b: b}
		m := 1 << done
		for i := range m {
			for j := range k {
				for h := range 1 << j {
					t.scalar(b.roots[(m+i)<<j+h])
				}
			}
		}
		p := pass{run: b.kernels.forwardColumns[k], table: aligned(t.words), parameters: make([]uint64, 9),
			rowBlocks: m, stride: 8 * b.n >> (done + k)}
		copy(p.parameters[1:], b.folds[done:done+k])
		ps, done = append(ps, p), done+k
	}
	ps = append(ps, b.forwardTail(done))
	ps[0].parameters[0] = b.bias
	return ps
}

// forwardTail is the last pass, after so many stages.
func (b *builder) forwardTail(done int) pass {
	lanes, lead := b.kernels.lanes, b.lead()
	blocks := max(1, b.n/(8*lanes))
	t := tableWriter{b: b}
	root := func(size, i int) uint64 { // of the i-th block of so many coefficients
		m := b.n / size
		if m == 0 {
			return 0 // a stage that a ring of less than a block does not have
		}
		return b.roots[m+i%m]
	}
	for i := range blocks {
		for size := 8 * lanes; size > lanes; size /= 2 {
			for h := range 8 * lanes / size {
				t.scalar(root(size, i*8*lanes/size+h))
			}
		}
		t.scalar(0)
		for p := 0; p < 8 && lanes == 8; p += 2 { // registers a and b
			r := 8*i + p
			t.vector(func(l int) uint64 { return root(8, r+l/4) })                   // a0 to a3, b0 to b3
			t.vector(func(l int) uint64 { return root(4, 2*(r+l/2%2)+l/4) })         // a0 a1 b0 b1 a4 a5 b4 b5
			t.vector(func(l int) uint64 { return root(2, 4*(r+l/2%2)+2*(l/4)+l%2) }) // a0 a2 b0 b2 a4 a6 b4 b6
		}
		for g := 0; g < 8 && lanes == 4; g += lanes {
			for size := lanes; size > 1; size /= 2 {
				for h := range lanes / size {
					t.vector(func(l int) uint64 { return root(size, (8*i+g+l)*lanes/size+h) })
				}
			}
		}
	}
	p := pass{run: b.kernels.forwardTail, table: aligned(t.words), parameters: make([]uint64, 9), rowBlocks: blocks}
	if blocks > 1 {
		p.stride = 8 * len(t.words) / blocks
	}
	p.parameters[7] = uint64(lead)
	copy(p.parameters[1+3-lead:], b.folds[done:])
	p.parameters[7] = uint64(lead)
	return p
}

// psiInverse returns psi^-i.
func (b *builder) psiInverse(i int) uint64 {
	return b.inverseRoots[bits.Reverse64(uint64(i))>>(64-b.logN)]
}

// column returns the factor of column j of an inverse stage whose butterflies'
// operands are t coefficients apart: omega^-(j*N/2t), omega = psi^2.
func (b *builder) column(j, t int) uint64 {
	if 2*t > b.n {
		return 0 // a stage that a ring of less than a block does not have
	}
	return b.psiInverse(j % t * (b.n / t))
}

// last returns psi^-i/N, by which the inverse transform multiplies at the end.
func (b *builder) last(i int) uint64 { return mulMod(b.psiInverse(i%b.n), b.inverseN, b.q) }

// inversePasses returns the passes of the inverse transform: decimation in time
// with the forward transform's butterflies, from one coefficient apart to N/2.
func (b *builder) inversePasses() []pass {
	ps := []pass{b.inverseHead()}
	columns := b.columnStages()
	done := b.within() + b.lead()
	for i := len(columns) - 1; i >= 0; i-- {
		k, lanes := columns[i], b.kernels.lanes
		far := 1 << done // coefficients between the operands of the first stage
		isLast := done+k == b.logN
		t := tableWriter{b: b}
		for c := 0; c < far; c += lanes {
			for j := range k {
				for h := range 1 << j {
					t.vector(func(l int) uint64 { return b.column(c+l+h*far, far<<j) })
				}
			}
			for h := range 1 << k {
				if isLast {
					t.vector(func(l int) uint64 { return b.last(c + l + h*far) })
				}
			}
		}
		p := pass{run: b.kernels.inverseColumns[k], table: aligned(t.words), parameters: make([]uint64, 9),
			rowBlocks: b.n >> (done + k), stride: 8 * far}
		copy(p.parameters[1:], b.folds[done:done+k])
		if isLast {
			p.parameters[0] = 1
		}
		ps, done = append(ps, p), done+k
	}
	return ps
}

// inverseHead is the first pass.
func (b *builder) inverseHead() pass {
	lanes, lead := b.kernels.lanes, b.lead()
	t := tableWriter{b: b}
	if lanes == 8 {
		t.vector(func(l int) uint64 { return b.column(l%2, 2) })       // a0 a1 b0 b1 a4 a5 b4 b5
		t.vector(func(l int) uint64 { return b.column(l%2+l/4*2, 4) }) // a0 a1 b0 b1 a2 a3 b2 b3
	} else {
		t.words = make([]uint64, 0, 16)
		t.scalar(b.column(0, 2))
		t.scalar(b.column(1, 2))
		t.words = t.words[:16]
	}
	for half := 1; half < 8; half *= 2 {
		for j := range half {
			t.vector(func(l int) uint64 { return b.column(j*lanes+l, half*lanes) })
		}
	}
	for i := range 8 {
		t.vector(func(l int) uint64 { return b.last(i*lanes + l) })
	}
	p := pass{table: aligned(t.words), parameters: make([]uint64, 9), rowBlocks: max(1, b.n/(8*lanes))}
	p.run = func(dst, src, table, constants, parameters *uint64, blocks, _ int) {
		b.kernels.inverseHead(dst, src, table, constants, parameters, blocks)
	}
	copy(p.parameters[1:], b.folds[:b.within()+lead])
	p.parameters[0], p.parameters[7] = b.bias, uint64(lead)
	if b.n <= 8*lanes {
		p.parameters[8] = 1
	}
	return p
}

// aligned returns a copy of s that begins at a line of the cache.
func aligned(s []uint64) []uint64 {
	const line = 64
	buf := make([]uint64, len(s)+line/8)
	skip := -uintptr(unsafe.Pointer(unsafe.SliceData(buf))) % line / 8
	return append(buf[skip:skip], s...)
}

// mulMod returns a*b mod q for a < q.
func mulMod(a, b, q uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	_, r := bits.Div64(hi, lo, q)
	return r
}
