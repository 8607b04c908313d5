package stateroot

import "math/bits"

// levelCount is how many nodes of a level there are, and their length.
type levelCount struct {
	nodes int
	bytes uint64
}

// fold builds the part of a trie over a run of neighbouring keys, left to right.
// The depth of the branch that parts two neighbours is the number of nibbles they
// share, so that the branches still open, which may get more children, are a
// stack of rising depth. A key goes to the top of the stack; where the next key
// shares fewer nibbles than the top is deep, the top gets no more children and is
// closed: its length is known then, because those of its children are.
type fold struct {
	shape    *shape
	floor    int          // nibbles that the run shares with a key outside it, or -1
	open     []openBranch // depths ascend, all above floor
	finished []ref        // children of the open branches, in key order
	out      *span        // where the nodes go

	_ [cacheLine]byte // the folds of two workers are neighbours
}

// cacheLine is at least what processors move between them at a time. What two
// workers write all the time is kept that far apart.
const cacheLine = 64

// openBranch is a branch that may get more children.
type openBranch struct {
	depth   int
	key     uint32 // the first key below it
	first   int    // where its children begin in fold.finished
	payload int    // length of its children's references
	height  uint32
	mask    uint16
	value   bool
}

// begin makes the fold ready for the keys of a span.
func (f *fold) begin(s *shape, out *span) {
	f.shape, f.floor, f.out = s, out.floor, out
	f.open, f.finished = f.open[:0], f.finished[:0]
}

// depth returns that of the deepest open branch, or floor.
func (f *fold) depth() int {
	if len(f.open) == 0 {
		return f.floor
	}
	return f.open[len(f.open)-1].depth
}

// keys folds the keys of the span, of which there are two or more.
func (f *fold) keys() {
	s, lo, hi := f.shape, f.out.lo, f.out.hi
	key, depth := s.key(lo), f.floor
	for i := lo; i < hi; i++ {
		next, nextKey := f.floor, []byte(nil)
		if i+1 < hi {
			nextKey = s.key(i + 1)
			next = commonNibbles(key, nextKey)
		}
		if next > depth {
			f.push(next, i)
			depth = next
		}
		f.leaf(i, key)
		if next < depth {
			f.reduce(next)
			depth = next
		}
		key = nextKey
	}
}

// spans folds the spans that a trie was cut into, in order, each of which is one
// key or a finished node.
func (f *fold) spans() {
	s := f.shape
	for k := range s.spans {
		part := &s.spans[k]
		next := f.floor
		if k+1 < len(s.spans) {
			next = commonNibbles(s.key(part.hi-1), s.key(part.hi))
		}
		if next > f.depth() {
			f.push(next, part.lo)
		}
		if part.hi-part.lo == 1 {
			f.leaf(part.lo, s.key(part.lo))
		} else {
			n := &s.nodes[part.root]
			f.attach(part.root, s.key(part.lo), n.size, n.height)
		}
		f.reduce(next)
	}
}

// push opens a branch.
func (f *fold) push(depth int, key uint32) {
	f.open = append(f.open, openBranch{depth: depth, key: key, first: len(f.finished)})
}

// leaf gives key i to the deepest open branch: as a leaf, or as the value of the
// branch if it ends there.
func (f *fold) leaf(i uint32, key []byte) {
	s := f.shape
	top := &f.open[len(f.open)-1]
	n := 2 * len(key)
	if n == top.depth {
		top.value = true
		s.leaves[i] = leaf{}
		return
	}
	from := top.depth + 1
	l := leaf{from: uint32(from), size: uint32(leafSize(n-from, s.values[i]))}
	s.leaves[i] = l
	f.count(l.size, 0)
	f.attach(leafBit|ref(i), key, l.size, 0)
}

// attach makes a node a child of the deepest open branch. key is any key below it.
func (f *fold) attach(r ref, key []byte, size, height uint32) {
	top := &f.open[len(f.open)-1]
	top.mask |= 1 << nibble(key, top.depth)
	top.payload += int(refSize(size))
	top.height = max(top.height, levelAbove(size, height))
	f.finished = append(f.finished, r)
}

// levelAbove returns the first level in which a parent of the node can be hashed.
// An embedded node holds no reference by hash, so it is in no level.
func levelAbove(size, height uint32) uint32 {
	if hashable(size) {
		return height + 1
	}
	return 0
}

// reduce closes the open branches that are deeper than next, the depth of the
// branch that parts the last key from the next one.
func (f *fold) reduce(next int) {
	for f.depth() > next {
		o := f.open[len(f.open)-1]
		f.open = f.open[:len(f.open)-1]
		parent := max(next, f.depth())
		r := f.close(&o, parent+1)
		if f.depth() < parent {
			f.open = append(f.open, openBranch{depth: parent, key: o.key, first: len(f.finished)})
		}
		if len(f.open) == 0 {
			f.out.root = r
			return
		}
		n := &f.shape.nodes[r]
		f.attach(r, f.shape.key(o.key), n.size, n.height)
	}
}

// close writes a branch whose parent ends at nibble from, with an extension above
// it if there are nibbles between them, and returns the upper of the two.
func (f *fold) close(o *openBranch, from int) ref {
	payload := o.payload + 16 - bits.OnesCount16(o.mask)
	if o.value {
		payload += stringSize(f.shape.values[o.key])
	} else {
		payload++
	}
	r := f.emit(node{
		key: o.key, from: uint32(o.depth), to: uint32(o.depth), mask: o.mask, value: o.value,
		size: uint32(listSize(payload)), height: o.height,
	}, f.finished[o.first:])
	f.finished = f.finished[:o.first]
	if from == o.depth {
		return r
	}
	size := f.shape.nodes[r].size
	return f.emit(node{
		key: o.key, from: uint32(from), to: uint32(o.depth),
		size:   uint32(listSize(pathSize(o.depth-from) + int(refSize(size)))),
		height: levelAbove(size, o.height),
	}, []ref{r})
}

// emit writes a node and its children and returns its number.
func (f *fold) emit(n node, children []ref) ref {
	s, out := f.shape, f.out
	n.child = out.child + out.children
	out.children += uint32(copy(s.children[n.child:], children))
	r := ref(out.node + out.nodes)
	s.nodes[r] = n
	out.nodes++
	f.count(n.size, n.height)
	return r
}

// count notes a node that will be hashed in the given level.
func (f *fold) count(size, height uint32) {
	if !hashable(size) {
		return
	}
	f.out.count(int(size), int(height))
}
