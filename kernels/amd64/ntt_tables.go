package amd64

import (
	"math/bits"
	"unsafe"
)

// The parameters of a pass by their place, those of the generator.
const (
	leadParameter      = 8
	headScaleParameter = 9
	parameterCount     = 10
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
	k := t.b.kernels
	at, n := len(t.words), k.lanes*k.size/8
	t.words = append(t.words, make([]uint64, 2*n)...)
	for l := range k.lanes {
		f, p := k.factor(w(l), t.b.q)
		word, shift := at+l*k.size/8, 8*(l*k.size%8)
		t.words[word] |= f << shift
		t.words[word+n] |= p << shift
	}
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
		p := pass{run: b.kernels.forwardColumns[k], table: aligned(t.words), parameters: make([]uint64, parameterCount),
			rowBlocks: m, stride: b.kernels.size * b.n >> (done + k)}
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
		b.forwardWithin(&t, 8*i, root)
	}
	p := pass{run: b.kernels.forwardTail, table: aligned(t.words), parameters: make([]uint64, parameterCount), rowBlocks: blocks, unpacks: b.kernels.size == 4}
	if blocks > 1 {
		p.stride = 8 * len(t.words) / blocks
	}
	copy(p.parameters[1+3-lead:], b.folds[done:])
	p.parameters[leadParameter] = uint64(lead)
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
		p := pass{run: b.kernels.inverseColumns[k], table: aligned(t.words), parameters: make([]uint64, parameterCount),
			rowBlocks: b.n >> (done + k), stride: b.kernels.size * far}
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
	b.inverseWithin(&t)
	for half := 1; half < 8; half *= 2 {
		for j := range half {
			t.vector(func(l int) uint64 { return b.column(j*lanes+l, half*lanes) })
		}
	}
	for i := range 8 {
		t.vector(func(l int) uint64 { return b.last(i*lanes + l) })
	}
	p := pass{table: aligned(t.words), parameters: make([]uint64, parameterCount), rowBlocks: max(1, b.n/(8*lanes))}
	head := b.kernels.inverseHead
	p.run = func(dst, src, table, constants, parameters *uint64, blocks, _ int) {
		head(dst, src, table, constants, parameters, blocks)
	}
	copy(p.parameters[1:], b.folds[:b.within()+lead])
	p.parameters[0], p.parameters[leadParameter] = b.bias, uint64(lead)
	if b.n <= 8*lanes {
		p.parameters[headScaleParameter] = 1
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
