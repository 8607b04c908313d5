package stateroot

import "sort"

// layout is the place of every hashed node: nodes have numbers, their slots, in
// the order in which they are hashed, level after level, leaves first.
type layout struct {
	levels []level
	order  []ref    // the node of each slot
	offset []uint64 // where the encoding of each slot begins, in the bytes of its level

	// What pack works with: the upper part of the trie and the spans of two
	// keys or more, and where in each level the next node of each goes.
	parts   []*span
	cursors []cursor
}

// level is the nodes of one height, which are hashed together.
type level struct {
	first, end int    // slots
	bytes      uint64 // length of all encodings
}

// cursor is where the next node of a span goes in a level.
type cursor struct {
	slot   uint32
	offset uint64
}

// pack gives each hashed node of s its place. Within a level the nodes of a part
// are together, so that its worker knows where they begin.
func (l *layout) pack(s *shape, workers int) {
	l.parts = append(l.parts[:0], &s.top)
	height, cursors := len(s.top.levels), len(s.top.levels)
	s.top.cursor = 0
	for k := range s.spans {
		if part := &s.spans[k]; part.hi-part.lo > 1 {
			part.cursor = cursors
			cursors += len(part.levels)
			height = max(height, len(part.levels))
			l.parts = append(l.parts, part)
		}
	}
	l.levels = grow(l.levels, height)
	l.cursors = grow(l.cursors, cursors)
	slot := 0
	for h := range l.levels {
		at := cursor{slot: uint32(slot)}
		for _, part := range l.parts {
			if h < len(part.levels) {
				l.cursors[part.cursor+h] = at
				at.slot += uint32(part.levels[h].nodes)
				at.offset += part.levels[h].bytes
			}
		}
		l.levels[h] = level{first: slot, end: int(at.slot), bytes: at.offset}
		slot = int(at.slot)
	}
	l.order = grow(l.order, slot)
	l.offset = grow(l.offset, slot)
	parallel(workers, len(l.parts), 1, func(_, lo, hi int) {
		for _, part := range l.parts[lo:hi] {
			at := l.cursors[part.cursor:][:len(part.levels)]
			if part == &s.top {
				l.placeSingles(s, at)
			} else {
				l.placeLeaves(s, at, part.lo, part.hi)
			}
			l.placeNodes(s, at, part)
		}
	})
}

// placeSingles gives a place to the leaves that are a span of their own. They
// count as the upper part's.
func (l *layout) placeSingles(s *shape, at []cursor) {
	for k := range s.spans {
		if part := &s.spans[k]; part.hi-part.lo == 1 {
			l.placeLeaves(s, at, part.lo, part.hi)
		}
	}
}

func (l *layout) placeLeaves(s *shape, at []cursor, lo, hi uint32) {
	for i := lo; i < hi; i++ {
		leaf := &s.leaves[i]
		if r := leafBit | ref(i); s.hashed(r, leaf.size) {
			leaf.slot = l.place(&at[0], r, leaf.size)
		}
	}
}

func (l *layout) placeNodes(s *shape, at []cursor, part *span) {
	for i := part.node; i < part.node+part.nodes; i++ {
		n := &s.nodes[i]
		if r := ref(i); s.hashed(r, n.size) {
			n.slot = l.place(&at[n.height], r, n.size)
		}
	}
}

// place puts a node where the cursor is, moves the cursor past it, and returns
// its slot.
func (l *layout) place(at *cursor, r ref, size uint32) uint32 {
	slot := at.slot
	l.order[slot] = r
	l.offset[slot] = at.offset
	at.slot++
	at.offset += uint64(size)
	return slot
}

// batch returns the end of the batch of level h that begins at slot lo, and how
// many bytes it has: at most limit, or one node.
func (l *layout) batch(h, lo int, limit uint64) (hi int, size uint64) {
	lv := &l.levels[h]
	begin := l.offset[lo]
	if size := lv.bytes - begin; size <= limit {
		return lv.end, size
	}
	// A slot ends where the next begins: look for the first that ends too late.
	rest := l.offset[lo+1 : lv.end]
	k := sort.Search(len(rest), func(i int) bool { return rest[i]-begin > limit })
	if k == 0 {
		k = 1
	}
	hi = lo + k
	if hi == lv.end {
		return hi, lv.bytes - begin
	}
	return hi, l.offset[hi] - begin
}
