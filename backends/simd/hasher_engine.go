package simd

// hashWidth is a way to hash several messages at once.
type hashWidth struct {
	name   Width
	least  int                // messages from which it is faster than one by one
	inline int                // blocks of a batch from which it is worth sharing
	states func() hashStates  // nil for Scalar
	equal  func(*equalBlocks) // nil where only the permutation is had
}

// hashStates are Keccak states that are permuted at once: lane i of state j is
// lane[i*n+j].
type hashStates struct {
	n       int
	lane    []uint64
	permute func()
}

// scalarWidth is what every machine has. It shares what keccak.NewParallel shares.
var scalarWidth = hashWidth{name: Scalar, least: 1 << 30, inline: 512}

// equalBlocks is eight messages of equally many blocks, as the kernel of that width
// takes them.
type equalBlocks struct {
	dst         [8]*[32]byte
	msg         [8]*byte
	tail        [8]uint64 // bytes in the last block
	whole, most uint64    // blocks before it, and the largest tail
}

// binBlocks is the number of blocks up to which messages of a batch are sorted by
// it. A full branch of an Ethereum trie has four.
const binBlocks = 16

// bin is messages with the same number of blocks.
type bin struct {
	n       int
	message [8]int
}

// hashEngine is what one worker hashes with. It keeps its memory.
type hashEngine struct {
	width  *hashWidth
	states hashStates
	group  equalBlocks
	bins   [binBlocks + 1]bin // by number of blocks
	rest   []int              // messages that found no others of as many blocks
	lanes  [8]stream
	block  [hashRate]byte
	packed []byte // messages behind their prefix
	unused [32]byte
}

func newHashEngine(w *hashWidth) *hashEngine {
	e := &hashEngine{width: w}
	if w.states != nil {
		e.states = w.states()
		e.rest = make([]int, 0, chunkBlocks)
	}
	return e
}

// forget lets go of the messages of a call and, to wipe, zeroes what is made of
// them.
func (e *hashEngine) forget(wipe bool) {
	e.group = equalBlocks{}
	clear(e.lanes[:])
	if wipe {
		clear(e.states.lane)
		clear(e.block[:])
		clear(e.packed[:cap(e.packed)])
		e.unused = [32]byte{}
	}
}

// run hashes messages [from, to) of a batch, a chunk of it.
func (e *hashEngine) run(b *hashBatch, from, to int) {
	if b.prefix != noPrefix {
		e.prefixed(b, from, to)
	} else {
		e.plain(b, from, to)
	}
}

// plain hashes messages that have no prefix.
func (e *hashEngine) plain(b *hashBatch, from, to int) {
	switch {
	case to-from < e.width.least:
		b.scalar(from, to)
	case e.width.equal == nil:
		for i := from; i < to; i++ {
			e.rest = append(e.rest, i)
		}
		e.unequal(b)
	case b.off == nil:
		e.fixed(b, from, to)
	default:
		e.ragged(b, from, to)
	}
}

// fixed hashes messages of one width.
func (e *hashEngine) fixed(b *hashBatch, from, to int) {
	for ; to-from >= e.width.least; from = min(to, from+8) {
		var m [8]int
		n := min(8, to-from)
		for j := range n {
			m[j] = from + j
		}
		e.equal(b, m[:n])
	}
	b.scalar(from, to)
}

// ragged hashes messages of any lengths, those with the same number of blocks
// together.
func (e *hashEngine) ragged(b *hashBatch, from, to int) {
	for i := from; i < to; i++ {
		n := hashBlocks(int(b.off[i+1] - b.off[i]))
		if n > binBlocks {
			e.rest = append(e.rest, i)
			continue
		}
		s := &e.bins[n]
		s.message[s.n] = i
		if s.n++; s.n == 8 {
			e.equal(b, s.message[:])
			s.n = 0
		}
	}
	for n := range e.bins {
		s := &e.bins[n]
		if s.n > 4 { // others beside them would not make it faster
			e.equal(b, s.message[:s.n])
		} else {
			e.rest = append(e.rest, s.message[:s.n]...)
		}
		s.n = 0
	}
	e.unequal(b)
}

// equal hashes up to eight messages with the same number of blocks; where there are
// fewer the first is hashed several times.
func (e *hashEngine) equal(b *hashBatch, messages []int) {
	g := &e.group
	whole := len(b.at(messages[0])) / hashRate
	g.whole, g.most = uint64(whole), 0
	for j := range g.dst {
		i, dst := messages[0], &e.unused
		if j < len(messages) {
			i = messages[j]
			dst = &b.dst[i]
		}
		m := b.at(i)
		g.dst[j], g.msg[j] = dst, &e.unused[0] // an empty message has no first byte
		if len(m) > 0 {
			g.msg[j] = &m[0]
		}
		g.tail[j] = uint64(len(m) - whole*hashRate)
		g.most = max(g.most, g.tail[j])
	}
	e.width.equal(g)
}

// packedMessages is how many messages are put behind their prefix at a time: few
// enough to stay in the first-level cache, if they are as short as a tree's nodes.
const packedMessages = 64

// prefixed hashes messages of one width behind a prefix.
func (e *hashEngine) prefixed(b *hashBatch, from, to int) {
	width := b.width + 1
	step := packedMessages
	if width > 4*hashRate {
		step = 8
	}
	if need := step * width; cap(e.packed) < need {
		e.packed = make([]byte, need)
	}
	for ; from < to; from += step {
		n := min(step, to-from)
		p := e.packed[:n*width]
		for i := range n {
			p[i*width] = byte(b.prefix)
			copy(p[i*width+1:(i+1)*width], b.at(from+i))
		}
		packed := hashBatch{dst: b.dst[from : from+n], data: p, width: width, prefix: noPrefix}
		e.plain(&packed, 0, n)
	}
}
