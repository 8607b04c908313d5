package stateroot

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math/bits"
	"slices"
)

// pairSource is what a sorter sees of its input.
type pairSource interface {
	size() int
	key(i int) []byte
	absent(i int) bool
}

// record stands for one pair while the pairs are sorted.
type record struct {
	prefix uint64 // 8 bytes of the key after what all keys share, zero-padded
	index  uint32 // of the pair in the input
	absent bool
}

// sorter puts pairs in order. It keeps its memory between calls.
type sorter struct {
	records, buckets []record
	starts           []int
	order            []uint32
}

// sort returns the numbers of the pairs that are present, in ascending key order
// without repetition: of pairs with equal keys only the last counts, and if that
// one is absent none is returned. The result is valid until the next call.
func (s *sorter) sort(in pairSource, workers int) []uint32 {
	n := in.size()
	s.order = grow(s.order, n)[:0]
	shared := sharedPrefix(in)
	s.records = grow(s.records, n)
	parallel(workers, n, 1<<12, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			s.records[i] = record{prefix64(in.key(i)[shared:]), uint32(i), in.absent(i)}
		}
	})
	s.scatter()
	tail := shared + 8
	compare := func(a, b record) int {
		if a.prefix != b.prefix {
			return cmp.Compare(a.prefix, b.prefix)
		}
		if c := compareTails(in, a, b, tail); c != 0 {
			return c
		}
		return cmp.Compare(a.index, b.index)
	}
	parallel(workers, len(s.starts)-1, 8, func(_, lo, hi int) {
		for b := lo; b < hi; b++ {
			slices.SortFunc(s.buckets[s.starts[b]:s.starts[b+1]], compare)
		}
	})
	for i, r := range s.buckets {
		last := i+1 == n || r.prefix != s.buckets[i+1].prefix || compareTails(in, r, s.buckets[i+1], tail) != 0
		if last && !r.absent {
			s.order = append(s.order, r.index)
		}
	}
	return s.order
}

// scatter sets buckets to the records, and starts to where each bucket begins. A
// bucket holds the records with the same high bits of prefix, some eight where
// keys are even, and buckets ascend.
func (s *sorter) scatter() {
	n := len(s.records)
	width := min(max(bits.Len(uint(n))-4, 0), 12)
	shift := 64 - width // for width 0, all bits are shifted out
	s.starts = grow(s.starts, 1<<width+1)
	clear(s.starts)
	for _, r := range s.records {
		s.starts[r.prefix>>shift]++
	}
	end := 0
	for b, count := range s.starts {
		s.starts[b] = end
		end += count
	}
	s.buckets = grow(s.buckets, n)
	for _, r := range s.records {
		b := r.prefix >> shift
		s.buckets[s.starts[b]] = r
		s.starts[b]++
	}
	// Each start is now the end of its bucket, the start of the next.
	copy(s.starts[1:], s.starts)
	s.starts[0] = 0
}

// sharedPrefix returns how many leading bytes all keys have in common.
func sharedPrefix(in pairSource) int {
	if in.size() == 0 {
		return 0
	}
	first := in.key(0)
	shared := len(first)
	for i := 1; i < in.size() && shared > 0; i++ {
		shared = min(shared, commonNibbles(first, in.key(i))/2)
	}
	return shared
}

// prefix64 returns the first 8 bytes of key as a number, with zeros after a
// shorter one: of two keys the one with the smaller prefix is the smaller.
func prefix64(key []byte) uint64 {
	if len(key) >= 8 {
		return binary.BigEndian.Uint64(key)
	}
	var b [8]byte
	copy(b[:], key)
	return binary.BigEndian.Uint64(b[:])
}

// compareTails compares two keys with the same first 8 bytes after the shared
// prefix. A key may end before tail, where zeros of the prefix stand for nothing.
func compareTails(in pairSource, a, b record, tail int) int {
	x, y := in.key(int(a.index)), in.key(int(b.index))
	if len(x) < tail || len(y) < tail {
		return bytes.Compare(x, y)
	}
	return bytes.Compare(x[tail:], y[tail:])
}
