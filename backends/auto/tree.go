package auto

import (
	"context"
	"fmt"

	"github.com/crosspoint-kernels/crosspoint/keccak"
)

const opTree = "merkleroot"

// The first byte of what is hashed for a leaf and for a node (RFC 6962, section 2.1).
const (
	leafPrefix = 0
	nodePrefix = 1

	nodeBytes = 1 + 2*keccak.Size
)

// levelBytes bounds the messages that a level of a tree is packed into at a time.
const levelBytes = 1 << 20

// MerkleRoot computes a tree as a whole where it finishes first: on a member that is a
// keccak.TreeHasher, or level by level with the Hasher of one that is none. A device
// that fails leaves nothing of a tree, so that a CPU begins anew.
func (h *hasher) MerkleRoot(ctx context.Context, leaves []byte, width int) (root [keccak.Size]byte, err error) {
	err = h.measured(ctx, opTree, func(ctx context.Context, t *timing) (int, error) {
		n, err := h.root(ctx, &root, leaves, width, t)
		return n, err
	})
	if err != nil {
		root = [keccak.Size]byte{}
	}
	return root, err
}

func (h *hasher) root(ctx context.Context, root *[keccak.Size]byte, leaves []byte, width int, t *timing) (int, error) {
	switch {
	case h.usable() != nil:
		return 0, h.usable()
	case width < 1:
		return 0, &keccak.ShapeError{Arg: "width", Reason: fmt.Sprintf("%d is not positive", width)}
	case len(leaves)%width != 0:
		return 0, &keccak.ShapeError{Arg: "leaves", Reason: fmt.Sprintf("length %d is no multiple of width %d", len(leaves), width)}
	case len(leaves) == 0:
		*root = keccak.Sum256(nil)
		return 0, nil
	}
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	n, k := len(leaves)/width, class(1, width+1)
	r := &h.routes.trees[k]
	c := run{route: r, work: &tree{h, root, leaves, width}, timing: t}
	return c.do(ctx, r.ready(func() rehearsal { return h.rehearseTree(k) }), n)
}

// tree is the work of a MerkleRoot. It has but one part.
type tree struct {
	*hasher
	root   *[keccak.Size]byte
	leaves []byte
	width  int
}

func (w *tree) check() error { return nil }

func (w *tree) part(ctx context.Context, m, _, _ int) (err error) {
	if whole, ok := w.hashers[m].(keccak.TreeHasher); ok {
		*w.root, err = whole.MerkleRoot(ctx, w.leaves, w.width)
	} else {
		*w.root, err = w.byLevels(ctx, w.hashers[m], w.leaves, w.width)
	}
	if e, ok := err.(*keccak.Error); ok && e.Done != 0 {
		return &keccak.Error{Op: e.Op, Err: e.Err} // of a level, not of the tree
	}
	return err
}

// levels is the memory of a tree that is computed level by level.
type levels struct {
	row  [][keccak.Size]byte
	data []byte
}

// byLevels computes the tree of at least one leaf with a Hasher.
func (h *hasher) byLevels(ctx context.Context, x keccak.Hasher, leaves []byte, width int) (root [keccak.Size]byte, err error) {
	l := h.trees.Get().(*levels)
	defer h.trees.Put(l)
	if h.b.opts.Wipe {
		defer func() {
			clear(l.data)
			clear(l.row)
		}()
	}
	n := len(leaves) / width
	if cap(l.row) < n {
		l.row = make([][keccak.Size]byte, n)
	}
	row := l.row[:n]
	err = l.hash(ctx, x, row, leafPrefix, 1+width, func(msg []byte, i int) { copy(msg, leaves[i*width:]) })
	for err == nil && len(row) > 1 {
		// Digest i is written when digests 2i and 2i+1 below it are packed already.
		pairs := len(row) / 2
		err = l.hash(ctx, x, row[:pairs], nodePrefix, nodeBytes, func(msg []byte, i int) {
			copy(msg, row[2*i][:])
			copy(msg[keccak.Size:], row[2*i+1][:])
		})
		if len(row)%2 != 0 {
			row[pairs] = row[len(row)-1]
			pairs++
		}
		row = row[:pairs]
	}
	if err != nil {
		return root, err
	}
	return row[0], nil
}

// hash sets dst[i] to the digest of a message of width bytes that begins with prefix
// and goes on with what pack makes of i.
func (l *levels) hash(ctx context.Context, x keccak.Hasher, dst [][keccak.Size]byte, prefix byte, width int, pack func(msg []byte, i int)) error {
	step := max(1, levelBytes/width)
	if need := min(step, len(dst)) * width; cap(l.data) < need {
		l.data = make([]byte, need)
	}
	for from := 0; from < len(dst); from += step {
		n := min(step, len(dst)-from)
		data := l.data[:n*width]
		for i := range n {
			msg := data[i*width : (i+1)*width]
			msg[0] = prefix
			pack(msg[1:], from+i)
		}
		if err := x.SumFixed(ctx, dst[from:from+n], data, width); err != nil {
			return err
		}
	}
	return nil
}

// rehearseTree returns trees over leaves of a class's length.
func (h *hasher) rehearseTree(class int) rehearsal {
	w := width(class)
	sizes := rehearsalSizes(min(4096, 8*calibrationWords/w))
	leaves := make([]byte, sizes[len(sizes)-1]*w)
	var root [keccak.Size]byte
	return rehearsal{
		sizes: sizes,
		has:   h.has,
		call: func(ctx context.Context, m, n int) error {
			return (&tree{h, &root, leaves[:n*w], w}).part(ctx, m, 0, n)
		},
	}
}
