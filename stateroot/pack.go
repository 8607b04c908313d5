package stateroot

import "sort"

// layout is the place of every hashed node: nodes have numbers, their slots, in
// the order in which they are hashed, level after level, leaves first.
type layout struct {
	levels []level
	order  []ref    // the node of each slot
	offset []uint64 // where the encoding of each slot begins, in the bytes of its level

	cursors []cursor // working memory of pack: of each span, one for each level
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

// pack gives each hashed node of s its place. Within a level the nodes of a span
// are together, so that each worker knows where its own begin.
func (l *layout) pack(s *shape, workers int) {
	height := len(s.top.levels)
	for k := range s.spans {
		height = max(height, len(s.spans[k].levels))
	}
	parts := len(s.spans) + 1 // the nodes above the spans, and the spans
	part := func(p int) *span {
		if p == 0 {
			return &s.top
		}
		return &s.spans[p-1]
	}
	l.levels = grow(l.levels, height)
	l.cursors = grow(l.cursors, parts*height)
	slot := 0
	for h := range l.levels {
		at := cursor{slot: uint32(slot)}
		for p := range parts {
			l.cursors[p*height+h] = at
			if counts := part(p).levels; h < len(counts) {
				at.slot += uint32(counts[h].nodes)
				at.offset += counts[h].bytes
			}
		}
		l.levels[h] = level{first: slot, end: int(at.slot), bytes: at.offset}
		slot = int(at.slot)
	}
	l.order = grow(l.order, slot)
	l.offset = grow(l.offset, slot)
	parallel(workers, parts, 1, func(_, lo, hi int) {
		for p := lo; p < hi; p++ {
			at := l.cursors[p*height : (p+1)*height]
			if p == 0 {
				l.placeTop(s, at)
			} else if part := part(p); part.hi-part.lo > 1 {
				l.placeLeaves(s, at, part.lo, part.hi)
				l.placeNodes(s, at, part)
			}
		}
	})
}

// placeTop gives a place to the nodes above the spans, and to the leaves that are
// a span of their own.
func (l *layout) placeTop(s *shape, at []cursor) {
	for k := range s.spans {
		if part := &s.spans[k]; part.hi-part.lo == 1 {
			l.placeLeaves(s, at, part.lo, part.hi)
		}
	}
	l.placeNodes(s, at, &s.top)
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
