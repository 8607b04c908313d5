package pipeline

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
)

// shards is into how many parts leaves are divided, by the first byte of their
// paths.
const shards = 256

// sorter puts leaves in order of their paths. It keeps its memory between calls.
type sorter struct {
	records []record
	order   []uint32
}

// record stands for one leaf while leaves are sorted.
type record struct {
	prefix uint64 // the first 8 bytes of the path
	leaf   uint32
}

// sort returns the numbers of the leaves that are present, in ascending order of
// path. The result is valid until the next call.
func (s *sorter) sort(l *leaves, workers int) []uint32 {
	var starts [shards + 1]int
	for i := range l.paths {
		if !l.absent(i) {
			starts[int(l.paths[i][0])+1]++
		}
	}
	for b := range shards {
		starts[b+1] += starts[b]
	}
	s.records = grow(s.records, starts[shards])
	s.order = grow(s.order, starts[shards])
	next := starts
	for i := range l.paths {
		if !l.absent(i) {
			at := &next[l.paths[i][0]]
			s.records[*at] = record{binary.BigEndian.Uint64(l.paths[i][:]), uint32(i)}
			*at++
		}
	}
	compare := func(a, b record) int {
		if a.prefix != b.prefix {
			return cmp.Compare(a.prefix, b.prefix)
		}
		return bytes.Compare(l.paths[a.leaf][8:], l.paths[b.leaf][8:])
	}
	parallel(workers, shards, 4, func(lo, hi int) {
		for b := lo; b < hi; b++ {
			shard := s.records[starts[b]:starts[b+1]]
			slices.SortFunc(shard, compare)
			for i, r := range shard {
				s.order[starts[b]+i] = r.leaf
			}
		}
	})
	return s.order
}
