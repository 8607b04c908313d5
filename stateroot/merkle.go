package stateroot

import (
	"context"

	"github.com/crosspoint-kernels/crosspoint/keccak"
)

// The first byte of a hashed leaf and of a hashed node (RFC 6962, section 2.1): it
// keeps a node from passing for a leaf.
const (
	merkleLeaf = 0
	merkleNode = 1

	merkleSize = 1 + 2*digestSize // of either: a leaf is key ‖ value
)

// Merkle returns the root of a binary tree over the entries that are present, in
// ascending key order. The tree is RFC 6962's in shape: a leaf is
// Keccak-256(00 ‖ key ‖ value), a node Keccak-256(01 ‖ left ‖ right), the last of
// an odd number is promoted to the next level as it is, and the root of no
// entries is Keccak-256 of nothing. Where Options.Big is a keccak.TreeHasher and
// there are at least Threshold leaves, it computes the whole tree.
func (b *Builder) Merkle(ctx context.Context, s State) ([32]byte, error) {
	if err := checkCount(len(s)); err != nil {
		return [32]byte{}, err
	}
	w := newWatch(ctx, "merkle")
	s = b.ordered(s)
	w.mark(sortPhase)
	root, err := b.merkle(ctx, s, w)
	if err != nil {
		return [32]byte{}, err
	}
	w.done()
	return root, nil
}

func (b *Builder) merkle(ctx context.Context, s State, w *watch) ([32]byte, error) {
	if tree, ok := b.big.(keccak.TreeHasher); ok && b.large(len(s)) {
		root, err := tree.MerkleRoot(ctx, s.bytes(), entrySize)
		if err != nil {
			return root, &HashError{What: "merkle", Level: -1, Err: err}
		}
		w.mark(hashPhase)
		return root, nil
	}
	if len(s) == 0 {
		return keccak.Sum256(nil), nil
	}
	b.digests = grow(b.digests, len(s))
	row := b.digests
	if err := b.merkleLevel(ctx, row, merkleLeaf, s.bytes(), 0, w); err != nil {
		return [32]byte{}, err
	}
	for height := 1; len(row) > 1; height++ {
		// A level takes the place of the one below it: its batches are packed
		// one after another, and digest i is written when the batch with
		// digests 2i and 2i+1 of the level below is packed already.
		pairs := len(row) / 2
		if err := b.merkleLevel(ctx, row[:pairs], merkleNode, digestBytes(row[:2*pairs]), height, w); err != nil {
			return [32]byte{}, err
		}
		if len(row)%2 != 0 {
			row[pairs] = row[len(row)-1]
			pairs++
		}
		row = row[:pairs]
	}
	return row[0], nil
}

// merkleLevel sets dst[i] to the Keccak-256 of prefix and bytes [64i, 64(i+1)) of
// data.
func (b *Builder) merkleLevel(ctx context.Context, dst [][32]byte, prefix byte, data []byte, height int, w *watch) error {
	w.level(len(dst))
	batch := max(1, b.maxBatch/merkleSize)
	for lo := 0; lo < len(dst); lo += batch {
		n := min(batch, len(dst)-lo)
		b.data = grow(b.data, merkleSize*n)
		parallel(b.workers, n, 1<<10, func(_, from, to int) {
			for i := from; i < to; i++ {
				b.data[merkleSize*i] = prefix
				copy(b.data[merkleSize*i+1:merkleSize*(i+1)], data[2*digestSize*(lo+i):])
			}
		})
		w.mark(packPhase)
		if err := b.sumFixed(ctx, dst[lo:lo+n], b.data, merkleSize); err != nil {
			return &HashError{What: "merkle", Level: height, Err: err}
		}
		w.mark(hashPhase)
	}
	return nil
}
