package stateroot

import (
	"context"

	"github.com/crosspoint-kernels/crosspoint/keccak"
)

// maxBatch is how many bytes are encoded before they are hashed. It bounds the
// memory of a batch, and keeps its offsets within 32 bits.
const maxBatch = 64 << 20

// Builder computes roots from nothing. It keeps its memory from call to call, so
// that a root of as many pairs as an earlier one allocates nothing for each of
// them; what it keeps refers to no pair. It is not safe for concurrent use, but
// its calls use several goroutines themselves. After an error it can be used
// again.
type Builder struct {
	router
	emit     func(path, enc []byte) error
	maxBatch int

	pairs   []Pair // of a state
	arena   []byte // values of a state
	keys    keyHasher
	sorter  sorter
	shape   shape
	folds   []fold
	layout  layout
	digests [][32]byte
	state   State  // in order
	data    []byte // the batch at hand
	off     []uint32
	path    []byte
}

// NewBuilder returns a Builder with the given options.
func NewBuilder(o Options) *Builder {
	b := &Builder{router: newRouter(o), emit: o.Emit, maxBatch: maxBatch}
	b.folds = make([]fold, b.workers)
	b.shape.minSpan = minSpan
	return b
}

// emptyRoot is the root of a trie without keys: the Keccak-256 of the RLP of the
// empty string.
var emptyRoot = [32]byte{
	0x56, 0xe8, 0x1f, 0x17, 0x1b, 0xcc, 0x55, 0xa6, 0xff, 0x83, 0x45, 0xe6, 0x92, 0xc0, 0xf8, 0x6e,
	0x5b, 0x48, 0xe0, 0x1b, 0x99, 0x6c, 0xad, 0xc0, 0x01, 0x62, 0x2f, 0xb5, 0xe3, 0x63, 0xb4, 0x21,
}

// EmptyRoot returns the root of a trie without keys,
// 56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421.
func EmptyRoot() [32]byte { return emptyRoot }

// MPT returns the root of the Merkle-Patricia trie over the pairs. Keys may be of
// different lengths, and prefixes of each other. The error is a *SizeError, a
// *HashError, or that of Options.Emit.
func (b *Builder) MPT(ctx context.Context, pairs []Pair) ([32]byte, error) {
	if err := checkCount(len(pairs)); err != nil {
		return [32]byte{}, err
	}
	w := newWatch(ctx, "mpt")
	return b.mpt(ctx, pairs, rawPairs(pairs), w)
}

// SecureMPT is MPT with the Keccak-256 of each key in its place, as Ethereum's
// state and storage tries have it.
func (b *Builder) SecureMPT(ctx context.Context, pairs []Pair) ([32]byte, error) {
	if err := checkCount(len(pairs)); err != nil {
		return [32]byte{}, err
	}
	return b.secure(ctx, pairs, newWatch(ctx, "mpt"))
}

// StateMPT is SecureMPT of a state: the value of an entry is the RLP of its
// number, without leading zeros, as in Ethereum's storage tries.
func (b *Builder) StateMPT(ctx context.Context, s State) ([32]byte, error) {
	if err := checkCount(len(s)); err != nil {
		return [32]byte{}, err
	}
	w := newWatch(ctx, "mpt")
	b.pairs, b.arena = statePairs(b.pairs, b.arena, s, b.workers)
	defer clear(b.pairs)
	return b.secure(ctx, b.pairs, w)
}

func (b *Builder) secure(ctx context.Context, pairs []Pair, w *watch) ([32]byte, error) {
	w.mark(packPhase)
	keys, err := b.keys.hash(ctx, &b.router, pairs, b.maxBatch, w)
	if err != nil {
		return [32]byte{}, err
	}
	return b.mpt(ctx, pairs, &hashedPairs{pairs, keys}, w)
}

// mpt builds the trie over the values of pairs, under the keys of in.
func (b *Builder) mpt(ctx context.Context, pairs []Pair, in pairSource, w *watch) ([32]byte, error) {
	defer func() { clear(b.shape.values) }()
	if err := b.gather(pairs, in); err != nil {
		return [32]byte{}, err
	}
	w.mark(sortPhase)
	if b.shape.len() == 0 {
		w.done()
		return emptyRoot, nil
	}
	if err := ctx.Err(); err != nil {
		return [32]byte{}, &HashError{What: "mpt", Level: -1, Err: err}
	}
	b.shape.build(b.workers, b.folds)
	w.mark(buildPhase)
	b.layout.pack(&b.shape, b.workers)
	b.digests = grow(b.digests, len(b.layout.order))
	w.mark(packPhase)
	for h := range b.layout.levels {
		if err := b.hashLevel(ctx, h, w); err != nil {
			return [32]byte{}, err
		}
		w.level(b.layout.levels[h].end - b.layout.levels[h].first)
	}
	w.done()
	return b.digests[len(b.digests)-1], nil
}

// hashLevel encodes and hashes the nodes of a level, whose children are hashed.
func (b *Builder) hashLevel(ctx context.Context, h int, w *watch) error {
	l := &b.layout
	for lo := l.levels[h].first; lo < l.levels[h].end; {
		hi, size := l.batch(h, lo, uint64(b.maxBatch))
		b.data = grow(b.data, int(size))
		b.off = grow(b.off, hi-lo+1)
		b.encodeSlots(lo, hi)
		b.off[hi-lo] = uint32(size)
		w.mark(encodePhase)
		m := keccak.Messages{Data: b.data, Off: b.off}
		if err := b.emitNodes(lo, m); err != nil {
			return err
		}
		w.mark(packPhase)
		if err := b.sum256(ctx, b.digests[lo:hi], m); err != nil {
			return &HashError{What: "mpt", Level: h, Err: err}
		}
		w.mark(hashPhase)
		lo = hi
	}
	return nil
}

// encodeSlots writes the nodes of slots [lo, hi) to the batch.
func (b *Builder) encodeSlots(lo, hi int) {
	order, offset := b.layout.order[lo:hi], b.layout.offset[lo:hi]
	parallel(b.workers, len(order), 256, func(_, from, to int) {
		e := encoder{shape: &b.shape, digests: b.digests}
		data, off := b.data, b.off
		for i := from; i < to; i++ {
			if (i-from)%ahead == 0 {
				e.touch(order[i:min(to, i+ahead)])
			}
			at := uint32(offset[i] - offset[0])
			off[i] = at
			e.encode(data[at:], order[i])
		}
	})
}

// emitNodes gives the nodes of a batch that begins at slot lo to Options.Emit.
func (b *Builder) emitNodes(lo int, m keccak.Messages) error {
	if b.emit == nil {
		return nil
	}
	for i := range m.Len() {
		b.path = b.shape.appendPath(b.path[:0], b.layout.order[lo+i])
		if err := b.emit(b.path, m.At(i)); err != nil {
			return err
		}
	}
	return nil
}
