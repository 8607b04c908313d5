package stateroot

import "sort"

// span is a run of neighbouring keys that one worker folds, and where what it
// makes of them goes. Its keys share more nibbles with each other than with any
// key outside, so that they are all the keys below one node.
type span struct {
	lo, hi uint32 // keys
	floor  int    // nibbles shared with a key outside, at most; -1 if all keys are inside
	root   ref    // the node above all its keys, if they are two or more

	// A span writes nodes and children from node and child on. m keys make
	// fewer than m branches, no more extensions than branches, and each node
	// and each key is a child once at most.
	node, nodes     uint32
	child, children uint32

	levels []levelCount // what is hashed of it, by level
	cursor int          // where its cursors begin in layout.cursors

	_ [cacheLine]byte // neighbours are folded by two workers
}

func (s *span) count(size, height int) {
	for len(s.levels) <= height {
		s.levels = append(s.levels, levelCount{})
	}
	s.levels[height].nodes++
	s.levels[height].bytes += uint64(size)
}

const (
	// spansPerWorker is into how many spans a trie is cut for each worker,
	// about, so that uneven ones even out.
	spansPerWorker = 8
	// minSpan is how many keys a span should have to be worth its overhead.
	minSpan = 64
)

// build finds the shape of the trie over the keys of s, of which there is at
// least one.
func (s *shape) build(workers int, folds []fold) {
	n := uint32(s.len())
	s.leaves = grow(s.leaves, int(n))
	s.spans = s.spans[:0]
	if grain := n / uint32(spansPerWorker*workers); workers > 1 && grain >= s.minSpan {
		s.cut(0, n, -1, grain)
	} else {
		s.addSpan(0, n, -1)
	}
	upper := uint32(len(s.spans)) // nodes above spans: as many as above that many keys
	s.nodes = grow(s.nodes, int(2*(n+upper)))
	s.children = grow(s.children, int(3*(n+upper)))
	s.top = span{hi: n, floor: -1, node: 2 * n, child: 3 * n, levels: s.top.levels[:0]}
	if n == 1 {
		s.single()
		return
	}
	parallel(len(folds), len(s.spans), 1, func(worker, lo, hi int) {
		for k := lo; k < hi; k++ {
			if part := &s.spans[k]; part.hi-part.lo > 1 {
				f := &folds[worker]
				f.begin(s, part)
				f.keys()
			}
		}
	})
	whole := &s.spans[0]
	if len(s.spans) > 1 {
		whole = &s.top
		folds[0].begin(s, whole)
		folds[0].spans()
	}
	s.root = whole.root
	if size := s.size(s.root); !hashable(size) {
		whole.count(int(size), 0) // hashed all the same, and nothing else is
	}
}

// single is the trie of one key: a leaf with all of its nibbles.
func (s *shape) single() {
	size := leafSize(2*len(s.key(0)), s.values[0])
	s.leaves[0] = leaf{size: uint32(size)}
	s.root = leafBit
	s.top.count(size, 0)
}

// addSpan adds a span to the list, in the memory of one of an earlier call.
func (s *shape) addSpan(lo, hi uint32, floor int) {
	k := len(s.spans)
	if k < cap(s.spans) {
		s.spans = s.spans[:k+1]
	} else {
		s.spans = append(s.spans, span{})
	}
	s.spans[k] = span{lo: lo, hi: hi, floor: floor, node: 2 * lo, child: 3 * lo, levels: s.spans[k].levels[:0]}
}

// cut adds spans that cover keys [lo, hi), which are all the keys below one node,
// each of at most grain keys where that can be had: it parts the keys by the
// nibble at which the first and the last of them differ. The number of spans is
// bounded, so that keys which part badly end in a few large spans.
func (s *shape) cut(lo, hi uint32, floor int, grain uint32) {
	const most = 1 << 12
	if hi-lo <= max(grain, 1) || len(s.spans) >= most {
		s.addSpan(lo, hi, floor)
		return
	}
	first, last := s.key(lo), s.key(hi-1)
	depth := commonNibbles(first, last)
	if len(first)*2 == depth { // the value of the branch, before its children
		s.addSpan(lo, lo+1, depth)
		lo++
	}
	for lo < hi {
		digit := nibble(s.key(lo), depth)
		end := lo + uint32(sort.Search(int(hi-lo), func(i int) bool {
			return nibble(s.key(lo+uint32(i)), depth) > digit
		}))
		s.cut(lo, end, depth, grain)
		lo = end
	}
}
