package stateroot

import (
	"bytes"
	"encoding/binary"
)

// gather puts the keys and values of the pairs that are present into the shape, in
// ascending key order without repetition.
func (b *Builder) gather(pairs []Pair, in pairSource) error {
	s := &b.shape
	if ascending, err := s.gatherAscending(pairs, in); ascending || err != nil {
		return err
	}
	for i := range pairs {
		if err := pairs[i].check(i); err != nil {
			return err
		}
	}
	order := b.sorter.sort(in, b.workers)
	n := len(order)
	s.keyOff = grow(s.keyOff, n+1)
	s.values = grow(s.values, n)
	total := uint64(0)
	for i, k := range order {
		s.keyOff[i] = total
		total += uint64(len(in.key(int(k))))
	}
	s.keyOff[n] = total
	s.keys = grow(s.keys, int(total))
	parallel(b.workers, n, 1<<12, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			k := order[i]
			copy(s.keys[s.keyOff[i]:], in.key(int(k)))
			s.values[i] = pairs[k].Value
		}
	})
	return nil
}

// gatherAscending does it for keys that ascend strictly already, in one pass, and
// says whether they do.
func (s *shape) gatherAscending(pairs []Pair, in pairSource) (bool, error) {
	n := len(pairs)
	if n > 0 {
		s.keys = grow(s.keys, n*min(len(in.key(0)), 64)) // a guess
	}
	s.keyOff = grow(s.keyOff, n+1)
	s.values = grow(s.values, n)
	keys, off, values := s.keys[:0], s.keyOff, s.values
	off[0] = 0
	kept := 0
	var last []byte
	for i := range pairs {
		if i%ahead == 0 {
			s.touched = touchKeys(in, i, min(len(pairs), i+ahead))
		}
		key, value := in.key(i), pairs[i].Value
		if i > 0 && !less(last, key) {
			clear(values[:kept])
			return false, nil
		}
		last = key
		if len(key) > MaxBytes || len(value) > MaxBytes {
			return false, pairs[i].check(i)
		}
		if len(value) > 0 {
			keys = append(keys, key...)
			values[kept] = value
			kept++
			off[kept] = uint64(len(keys))
		}
	}
	s.keys, s.keyOff, s.values = keys, off[:kept+1], values[:kept]
	return true, nil
}

// touchKeys reads a byte of each of keys [lo, hi): see ahead.
func touchKeys(in pairSource, lo, hi int) (sum byte) {
	for i := lo; i < hi; i++ {
		if key := in.key(i); len(key) > 0 {
			sum ^= key[0]
		}
	}
	return sum
}

// less says whether a is before b.
func less(a, b []byte) bool {
	if len(a) >= 8 && len(b) >= 8 {
		if x, y := binary.BigEndian.Uint64(a), binary.BigEndian.Uint64(b); x != y {
			return x < y
		}
	}
	return bytes.Compare(a, b) < 0
}
