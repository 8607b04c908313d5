package keccak

import "context"

// chunkBlocks is how many permutations a worker takes at once, and how many are
// made between two looks at the context: about 20 µs.
const chunkBlocks = 64

// inlineBlocks is the number of permutations below which a batch is not worth
// sharing, about 140 µs. Where the other of two cores was busy, the attempt to
// wake a helper cost the caller some 30 µs, so that 256 blocks took 1.4 and 512
// blocks 1.2 times what one thread takes; where it was idle, 512 took 0.67 of it.
const inlineBlocks = 512

// blocks returns the number of permutations that a message of n bytes takes.
// The padding takes at least one byte.
func blocks(n int) int { return n/rate256 + 1 }

// batch is one checked call of a Hasher.
type batch struct {
	dst   [][32]byte
	data  []byte
	off   []uint32 // nil where every message has width bytes
	width int
}

func (b *batch) at(i int) []byte {
	if b.off != nil {
		return b.data[b.off[i]:b.off[i+1]]
	}
	return b.data[i*b.width:][:b.width]
}

// run hashes messages [from, to).
func (b *batch) run(from, to int) {
	for i := from; i < to; i++ {
		sum(&b.dst[i], b.at(i), domainKeccak)
	}
}

// chunk returns the end of the chunk that begins at message from: as many
// messages as make chunkBlocks, but at least one if there is any.
func (b *batch) chunk(from int) int {
	if b.off == nil {
		return min(len(b.dst), from+max(1, chunkBlocks/blocks(b.width)))
	}
	to := from
	for made := 0; to < len(b.dst) && made < chunkBlocks; to++ {
		made += blocks(int(b.off[to+1] - b.off[to]))
	}
	return to
}

// small reports whether the batch is of fewer than inlineBlocks blocks, of which
// it may count up to one a message too many where messages differ in length.
func (b *batch) small() bool {
	n := len(b.dst)
	if n >= inlineBlocks {
		return false
	}
	bytes := n * b.width // no overflow: it is the length of data
	if b.off != nil && n > 0 {
		bytes = int(b.off[n] - b.off[0])
	}
	return n+bytes/rate256 < inlineBlocks
}

// serial hashes the batch on this goroutine.
func (b *batch) serial(ctx context.Context, op string) error {
	for from := 0; ; {
		if err := ctx.Err(); err != nil {
			return &Error{Op: op, Done: from, Err: err}
		}
		to := b.chunk(from)
		b.run(from, to)
		if from = to; from == len(b.dst) {
			return nil
		}
	}
}

// newBatch checks the arguments of Sum256.
func newBatch(dst [][32]byte, m Messages) (batch, error) {
	if err := CheckSum256(dst, m); err != nil {
		return batch{}, &Error{Op: opSum256, Err: err}
	}
	return batch{dst: dst, data: m.Data, off: m.Off}, nil
}

// newFixed checks the arguments of SumFixed.
func newFixed(dst [][32]byte, data []byte, width int) (batch, error) {
	if err := CheckSumFixed(dst, data, width); err != nil {
		return batch{}, &Error{Op: opSumFixed, Err: err}
	}
	return batch{dst: dst, data: data, width: width}, nil
}
