package simd

import (
	"context"
	"fmt"
	"unsafe"

	"github.com/crosspoint-kernels/crosspoint/keccak"
)

// The first byte of a hashed leaf and of a hashed node; see keccak.TreeHasher.
const (
	leafPrefix = 0
	nodePrefix = 1
)

// hashTree is the memory for the levels of a tree.
type hashTree struct {
	levels [2][][32]byte // in turn: a level is not where the one below it is
}

// countLeaves returns how many leaves there are, or a *keccak.ShapeError.
func countLeaves(leaves []byte, width int) (int, error) {
	if width < 1 {
		return 0, &keccak.ShapeError{Arg: "width", Reason: fmt.Sprintf("%d is not positive", width)}
	}
	if len(leaves)%width != 0 {
		return 0, &keccak.ShapeError{Arg: "leaves", Reason: fmt.Sprintf("length %d is no multiple of width %d", len(leaves), width)}
	}
	return len(leaves) / width, nil
}

// root computes the root of n leaves.
func (c *hashCore) root(ctx context.Context, leaves []byte, width, n int) (root [32]byte, err error) {
	if n == 0 {
		return keccak.Sum256(nil), ctx.Err()
	}
	t := take(c.trees, func() *hashTree { return new(hashTree) })
	defer c.putTree(t)
	row := t.level(0, n)
	if _, err := c.do(ctx, hashBatch{dst: row, data: leaves, width: width, prefix: leafPrefix}); err != nil {
		return root, err
	}
	for height := 1; len(row) > 1; height++ {
		pairs := len(row) / 2
		up := t.level(height%2, (len(row)+1)/2)
		below := unsafe.Slice(&row[0][0], 64*pairs)
		if _, err := c.do(ctx, hashBatch{dst: up[:pairs], data: below, width: 64, prefix: nodePrefix}); err != nil {
			return root, err
		}
		copy(up[pairs:], row[2*pairs:]) // the last of an odd number is promoted
		row = up
	}
	return row[0], nil
}

// level returns memory for n digests.
func (t *hashTree) level(which, n int) [][32]byte {
	if cap(t.levels[which]) < n {
		t.levels[which] = make([][32]byte, n)
	}
	return t.levels[which][:n]
}

func (c *hashCore) putTree(t *hashTree) {
	if c.wipe {
		for _, l := range t.levels {
			clear(l[:cap(l)])
		}
	}
	give(c.trees, t)
}
