package simd

import "encoding/binary"

// stream is a message that one of several states absorbs, block after block.
type stream struct {
	message int
	busy    bool
	last    bool   // the block at hand is the last
	rest    []byte // of the message, not absorbed
}

// unequal hashes the messages of rest, whatever their lengths, as many at a time as
// there are states: where one ends, the next takes its place.
func (e *hashEngine) unequal(b *hashBatch) {
	defer func() { e.rest = e.rest[:0] }()
	if len(e.rest) < e.width.least {
		for _, i := range e.rest {
			b.scalar(i, i+1)
		}
		return
	}
	clear(e.states.lane)
	next, busy := 0, 0
	begin := func(s *stream) {
		*s = stream{}
		if next < len(e.rest) {
			i := e.rest[next]
			*s = stream{message: i, busy: true, rest: b.at(i)}
			next++
			busy++
		}
	}
	lanes := e.lanes[:e.states.n]
	for j := range lanes {
		begin(&lanes[j])
	}
	for busy > 0 {
		for j := range lanes {
			if lanes[j].busy {
				e.absorb(j)
			}
		}
		e.states.permute()
		for j := range lanes {
			if s := &lanes[j]; s.last {
				e.states.digest(j, &b.dst[s.message])
				busy--
				begin(s)
			}
		}
	}
}

// absorb adds the next block of a message to state j.
func (e *hashEngine) absorb(j int) {
	s := &e.lanes[j]
	if len(s.rest) >= hashRate {
		e.states.xor(j, (*[hashRate]byte)(s.rest))
		s.rest = s.rest[hashRate:]
		return
	}
	n := copy(e.block[:], s.rest)
	clear(e.block[n:])
	e.block[n] = 0x01
	e.block[hashRate-1] |= 0x80
	e.states.xor(j, &e.block)
	s.last = true
}

// xor adds a block to state j.
func (s *hashStates) xor(j int, block *[hashRate]byte) {
	lane := s.lane[j:]
	for i := range hashRate / 8 {
		lane[i*s.n] ^= binary.LittleEndian.Uint64(block[8*i:])
	}
}

// digest takes the digest out of state j, which is zero then.
func (s *hashStates) digest(j int, dst *[32]byte) {
	lane := s.lane[j:]
	for i := range 4 {
		binary.LittleEndian.PutUint64(dst[8*i:], lane[i*s.n])
	}
	for i := range 25 {
		lane[i*s.n] = 0
	}
}
