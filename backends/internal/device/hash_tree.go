package device

import (
	"context"
	"fmt"
	"math/bits"

	"github.com/crosspoint-kernels/crosspoint/gpu"
	"github.com/crosspoint-kernels/crosspoint/keccak"
)

// tree is the levels of a Merkle tree in device memory, two at a time: a level
// is hashed out of one buffer into the other, since invocations of one dispatch
// must not write what others read. Nodes begin at index 1, so that a kernel may
// read before the first one.
type tree struct {
	leaves, roots int // that it has room for
	nodes         [2]gpu.Buffer
	leaf, stream  gpu.Binding    // from data to nodes[0]
	level         [2]gpu.Binding // from nodes[i] to the other buffer
}

// firstNode is where a level begins.
const firstNode = 1

// nodeCount returns the nodes of a buffer for that many leaves, and for the
// roots of as many subtrees. Space for a state and the tail stands after each.
func (e *hashEngine) nodeCount(leaves, roots int) int {
	gap := stateNodes + (e.tail+nodeBytes-1)/nodeBytes
	n := firstNode + leaves + gap
	if roots > 0 {
		n += roots + gap
	}
	return n
}

// firstRoot is where the roots of subtrees are in the first buffer.
func (e *hashEngine) firstRoot() int { return e.nodeCount(e.subtree, 0) }

// prepare makes room for a tree of that many leaves below each of the roots.
func (t *tree) prepare(dev gpu.Device, e *hashEngine, s *hashSlot, leaves, roots int) (err error) {
	if t.leaves >= leaves && t.roots >= roots {
		return nil
	}
	leaves = max(t.leaves, min(e.subtree, 1<<bits.Len(uint(leaves-1))))
	roots = max(t.roots, roots)
	t.free()
	for i, n := range [2]int{e.nodeCount(leaves, roots), e.nodeCount((max(leaves, roots)+1)/2, 0)} {
		if t.nodes[i], err = dev.NewBuffer("nodes", n*nodeBytes); err != nil {
			t.free()
			return err
		}
	}
	if t.leaf, err = dev.Bind(e.hash, t.nodes[0], s.data, s.places); err == nil {
		t.stream, err = dev.Bind(e.stream, t.nodes[0], s.data)
	}
	for i := range t.level {
		if err == nil {
			t.level[i], err = dev.Bind(e.hash, t.nodes[1-i], t.nodes[i], s.places)
		}
	}
	if err != nil {
		t.free()
		return err
	}
	t.leaves, t.roots = leaves, roots
	return nil
}

// free gives the memory of the device back.
func (t *tree) free() {
	for _, b := range []gpu.Binding{t.leaf, t.stream, t.level[0], t.level[1]} {
		if b != nil {
			b.Release()
		}
	}
	for _, b := range t.nodes {
		if b != nil {
			b.Release()
		}
	}
	*t = tree{}
}

// treeCall is one call of MerkleRoot. It cuts the leaves into subtrees of a power
// of four leaves, the last one smaller, whose levels are in device memory at a
// time. Their roots are a level of the whole tree: a subtree's nodes have their
// neighbours within it, and the last one is promoted where it has none.
type treeCall struct {
	ctx    context.Context
	hasher *hasher
	slot   *hashSlot
	leaves []byte
	width  int
	queue  queue // holds the stopwatch
}

// run returns the root of n leaves, of which there is at least one.
func (c *treeCall) run(n int) (root [keccak.Size]byte, err error) {
	defer c.queue.drop()
	e, roots := c.hasher.engine, 0
	if n > e.subtree {
		roots = (n + e.subtree - 1) / e.subtree
	}
	if total := e.nodeCount(e.subtree, roots); roots > 0 && total > e.nodes {
		return root, fmt.Errorf("%w: a tree of %d leaves takes %d nodes at a time, a buffer holds %d", gpu.ErrLimit, n, total, e.nodes)
	}
	if err := c.slot.tree.prepare(c.hasher.backend.dev, e, c.slot, min(n, e.subtree), roots); err != nil {
		return root, err
	}
	at := 0
	if roots == 0 {
		if err := c.hashLeaves(0, n); err != nil {
			return root, err
		}
		at, err = c.reduce(firstNode, n, bits.Len(uint(n-1)), firstNode)
	} else {
		at, err = c.subtrees(n, roots)
	}
	if err != nil {
		return root, err
	}
	return c.read(at)
}

// subtrees computes the roots of all subtrees, and reduces them to one.
func (c *treeCall) subtrees(n, roots int) (int, error) {
	e := c.hasher.engine
	for i := range roots {
		first := i * e.subtree
		m := min(n-first, e.subtree)
		if err := c.hashLeaves(first, m); err != nil {
			return 0, err
		}
		// An even number of levels ends in the buffer in which it began.
		if _, err := c.reduce(firstNode, m, bits.Len(uint(e.subtree-1)), e.firstRoot()+i); err != nil {
			return 0, err
		}
	}
	return c.reduce(e.firstRoot(), roots, bits.Len(uint(roots-1)), firstNode)
}

// hashLeaves hashes n leaves from first on to the first nodes.
func (c *treeCall) hashLeaves(first, n int) error {
	e, s, dev := c.hasher.engine, c.slot, c.hasher.backend.dev
	step := max(1, min(e.chunk/nodeBytes, e.chunk/c.width))
	long := e.long(c.width + leafPrefix.bytes())
	if long {
		step = 1
	}
	for i := 0; i < n; i += step {
		if err := c.flush(); err != nil { // what was added reads data
			return err
		}
		m := min(step, n-i)
		p := c.leaves[(first+i)*c.width : (first+i+m)*c.width]
		if long {
			if err := s.stretch(c.ctx, dev, e, &c.queue, s.tree.stream, firstNode+i, leafPrefix, p); err != nil {
				return err
			}
			continue
		}
		if err := s.upload(e, p); err != nil {
			return err
		}
		c.queue.watch.uploaded()
		h := hashing{messages: m, base: e.head, width: c.width, out: firstNode + i, prefix: leafPrefix}
		if err := c.add(s.tree.leaf, h); err != nil {
			return err
		}
	}
	return nil
}

// reduce hashes that many levels, the first one of count nodes from index from
// on in the first buffer, of which the last goes to index to. It returns the
// buffer that this one is in.
func (c *treeCall) reduce(from, count, levels, to int) (buffer int, err error) {
	for i := range levels {
		h := hashing{messages: count / 2, base: from * nodeBytes, width: 2 * nodeBytes, out: firstNode,
			prefix: nodePrefix, lone: count%2 == 1}
		if i == levels-1 {
			h.out = to
		}
		if err := c.add(c.slot.tree.level[buffer], h); err != nil {
			return 0, err
		}
		from, count, buffer = firstNode, (count+1)/2, 1-buffer
	}
	return buffer, nil
}

// add appends a dispatch to the next submission, or to the one after it.
func (c *treeCall) add(b gpu.Binding, h hashing) error {
	if c.slot.n == gpu.MaxDispatches {
		if err := c.flush(); err != nil {
			return err
		}
	}
	d, err := c.hasher.engine.dispatch(b, h)
	if err != nil {
		return err
	}
	c.slot.add(d)
	return nil
}

// flush submits what was added.
func (c *treeCall) flush() error {
	if c.slot.n == 0 {
		return nil
	}
	return c.queue.submit(c.ctx, c.slot, c.hasher.backend.dev)
}

// read submits the rest and returns the first node of a buffer.
func (c *treeCall) read(buffer int) (root [keccak.Size]byte, err error) {
	if err := c.ctx.Err(); err != nil {
		return root, err
	}
	p, err := c.slot.submit(c.hasher.backend.dev, c.slot.tree.nodes[buffer], firstNode, 1)
	if err != nil {
		return root, err
	}
	defer p.Release()
	c.queue.watch.submitted()
	if err := p.Wait(c.ctx); err != nil {
		return root, err
	}
	c.queue.watch.computed()
	if n := copy(root[:], p.View(0)); n != len(root) {
		return root, fmt.Errorf("%w: it gave back %d bytes of %d", gpu.ErrLost, n, len(root))
	}
	c.queue.watch.downloaded()
	return root, nil
}
