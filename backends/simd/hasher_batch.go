package simd

import (
	"context"

	"github.com/crosspoint-kernels/crosspoint/keccak"
)

const (
	// hashRate is the block of Keccak-256 in bytes.
	hashRate = 136
	// chunkBlocks is how many blocks a worker takes at once, and how many are
	// hashed between two looks at the context: some 50 µs with AVX-512. It is large
	// beside the number of messages at once, because messages of a chunk that have
	// no others of as many blocks beside them are slower.
	chunkBlocks = 1024
	// noPrefix is the prefix of messages that have none.
	noPrefix = -1
)

// hashBlocks returns the number of blocks of a message of n bytes. The padding takes
// at least one byte.
func hashBlocks(n int) int { return n/hashRate + 1 }

// hashBatch is the messages of one call, in the layout of keccak.Hasher.
type hashBatch struct {
	dst    [][32]byte
	data   []byte
	off    []uint32 // nil where every message has width bytes
	width  int
	prefix int // a byte before each message of width bytes, or noPrefix
}

func (b *hashBatch) at(i int) []byte {
	if b.off != nil {
		return b.data[b.off[i]:b.off[i+1]]
	}
	return b.data[i*b.width:][:b.width]
}

// chunk returns the end of the chunk that begins at message from: of about
// chunkBlocks blocks, and at least one message if there is any.
func (b *hashBatch) chunk(from int) int {
	if b.off == nil {
		return min(len(b.dst), from+max(1, chunkBlocks/hashBlocks(b.width+1)))
	}
	to := from
	for made := 0; to < len(b.dst) && made < chunkBlocks; to++ {
		made += hashBlocks(int(b.off[to+1] - b.off[to]))
	}
	return to
}

// small reports whether the batch has fewer blocks than that, of which it may count
// up to one a message too many where messages differ in length.
func (b *hashBatch) small(blocks int) bool {
	n := len(b.dst)
	if n >= blocks {
		return false
	}
	bytes := n * b.width // no overflow: it is the length of data
	if b.off != nil {
		bytes = int(b.off[n] - b.off[0])
	}
	return n+bytes/hashRate < blocks
}

// serial hashes the batch on this goroutine.
func (b *hashBatch) serial(ctx context.Context, e *hashEngine) (done int, err error) {
	for from := 0; from < len(b.dst); {
		if err := ctx.Err(); err != nil {
			return from, err
		}
		to := b.chunk(from)
		e.run(b, from, to)
		from = to
	}
	return len(b.dst), nil
}

// scalar hashes messages [from, to), which have no prefix, one by one.
func (b *hashBatch) scalar(from, to int) {
	for i := from; i < to; i++ {
		b.dst[i] = keccak.Sum256(b.at(i))
	}
}
