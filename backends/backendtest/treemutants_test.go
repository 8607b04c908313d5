package backendtest

import (
	"context"
	"errors"
	"slices"

	"github.com/crosspoint-kernels/crosspoint/keccak"
)

// treeCall is one call of a TreeHasher.
type treeCall struct {
	ctx    context.Context
	h      *mutantHasher
	leaves []byte
	width  int

	// What the levels are made of.
	leaf, node byte
	lone       func(last [32]byte) [32]byte
}

func (h *mutantHasher) MerkleRoot(ctx context.Context, leaves []byte, width int) ([32]byte, error) {
	c := treeCall{ctx: ctx, h: h, leaves: leaves, width: width, leaf: 0, node: 1}
	if h.m.tree != nil {
		return h.m.tree(c)
	}
	return c.good()
}

// good computes the tree level by level.
func (c treeCall) good() ([32]byte, error) {
	fail := func(err error) ([32]byte, error) { return [32]byte{}, &keccak.Error{Op: "merkleroot", Err: err} }
	switch {
	case c.h.closed.Load():
		return fail(keccak.ErrClosed)
	case c.width < 1 || len(c.leaves)%c.width != 0:
		return fail(&keccak.ShapeError{Arg: "width", Reason: "mutant"})
	case c.ctx.Err() != nil:
		return fail(c.ctx.Err())
	case len(c.leaves) == 0:
		return keccak.Sum256(nil), nil
	}
	var level [][32]byte
	for leaf := range slices.Chunk(c.leaves, c.width) {
		level = append(level, keccak.Sum256(append([]byte{c.leaf}, leaf...)))
	}
	for len(level) > 1 {
		var next [][32]byte
		for pair := range slices.Chunk(level, 2) {
			switch {
			case len(pair) == 2:
				next = append(next, c.pair(pair[0], pair[1]))
			case c.lone != nil:
				next = append(next, c.lone(pair[0]))
			default:
				next = append(next, pair[0])
			}
		}
		level = next
	}
	return level[0], nil
}

func (c treeCall) pair(left, right [32]byte) [32]byte {
	return keccak.Sum256(slices.Concat([]byte{c.node}, left[:], right[:]))
}

// treeMutants are faults of trees and of roots.
var treeMutants = []plantedFault{
	{"the lone node of a level doubled", []string{"tree", "roots"}, func(m *mutant) {
		m.tree = func(c treeCall) ([32]byte, error) {
			c.lone = func(last [32]byte) [32]byte { return c.pair(last, last) }
			return c.good()
		}
	}},
	{"leaves without their prefix", []string{"tree", "roots"}, func(m *mutant) {
		m.tree = func(c treeCall) ([32]byte, error) {
			c.leaf = 1
			return c.good()
		}
	}},
	{"nodes with the prefix of leaves", []string{"tree", "roots"}, func(m *mutant) {
		m.tree = func(c treeCall) ([32]byte, error) {
			c.node = 0
			return c.good()
		}
	}},
	{"the last leaf left out", []string{"tree", "roots"}, func(m *mutant) {
		m.tree = func(c treeCall) ([32]byte, error) {
			if n := len(c.leaves); c.width > 0 && n > c.width && n%c.width == 0 {
				c.leaves = c.leaves[:n-c.width]
			}
			return c.good()
		}
	}},
	{"zeros for the root of no leaves", []string{"tree"}, func(m *mutant) {
		m.tree = func(c treeCall) ([32]byte, error) {
			if len(c.leaves) == 0 && c.width > 0 {
				return [32]byte{}, nil
			}
			return c.good()
		}
	}},
	{"leaves of no width let through", []string{"tree"}, func(m *mutant) {
		m.tree = func(c treeCall) ([32]byte, error) {
			root, err := c.good()
			if c.width == 0 {
				err = nil
			}
			return root, err
		}
	}},
	{"leaves clobbered", []string{"tree"}, func(m *mutant) {
		m.tree = func(c treeCall) ([32]byte, error) {
			root, err := c.good()
			clear(c.leaves)
			return root, err
		}
	}},
	{"a tree that is not cancelled", []string{"tree"}, func(m *mutant) {
		m.tree = func(c treeCall) ([32]byte, error) {
			c.ctx = context.WithoutCancel(c.ctx)
			return c.good()
		}
	}},
	{"a tree of a closed Hasher", []string{"hash closed"}, func(m *mutant) {
		m.tree = func(c treeCall) ([32]byte, error) {
			root, err := c.good()
			if errors.Is(err, keccak.ErrClosed) {
				err = nil
			}
			return root, err
		}
	}},
}
