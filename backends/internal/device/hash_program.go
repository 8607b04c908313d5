package device

import (
	"fmt"

	"github.com/crosspoint-kernels/crosspoint/gpu"
)

// HashProgram holds the kernels of Keccak-256. Both take messages where they lie
// in a buffer of data, at any byte, and read a little more than them, of which
// they make no use; a digest is 32 bytes, as package keccak has it.
//
// An invocation of Hash hashes one message. It computes its group's index as a
// transform does, and its parameters are
//
//	p0  the number of messages
//	p1  the byte of data from which they count
//	p2  their width: message i begins at byte i*width
//	p3  the index of the digest of message 0
//	p4  256 + a byte that goes before each message, or 0
//	p5  p0, where the messages have any lengths, or 0
//	p6  p0+1, to copy the 32 bytes after the last message, which begin at a
//	    multiple of 4, to where the next digest goes, or 0
//
// Binding 0 is the digests, 1 the data, and 2 the places that p5 asks for: the
// numbers of the messages, each once, in the order in which invocations take
// them, and then the offsets of the messages and of their end.
//
// Stream absorbs a piece of one message, in one group. Its parameters are
//
//	p0  the bytes of the piece
//	p1  1, if more of the message follows, else 0; the piece, with the byte of
//	    p4, is whole blocks where it does
//	p2  the byte of data at which it begins
//	p3  the index of the digest. Until the message ends the 200 bytes from there
//	    on hold its state, and what they held is lost
//	p4  256 + a byte that goes before the piece, or 0
//	p5  0, to begin a message, else 2^32-1
//
// Binding 0 is the digests, and 1 the data.
type HashProgram struct {
	Hash, Stream Kernel // Hash.PerGroup is in messages
	// MaxBlocks bounds the blocks of a message that one dispatch may absorb.
	MaxBlocks int
	// Head and Tail are the bytes of data that may be read before the first
	// message, where it has a byte before it, and after the last one.
	Head, Tail int
}

// check refuses a program that the host code cannot run.
func (p *HashProgram) check() error {
	if len(p.Hash.Access) != 3 || len(p.Stream.Access) != 2 || p.Hash.PerGroup <= 0 || p.MaxBlocks <= 0 ||
		p.Head < 0 || p.Head > nodeBytes || p.Tail < 0 || (p.Head|p.Tail)%4 != 0 {
		return fmt.Errorf("program hashes with %d and %d bindings, %d messages per group, %d blocks, %d and %d bytes around the data",
			len(p.Hash.Access), len(p.Stream.Access), p.Hash.PerGroup, p.MaxBlocks, p.Head, p.Tail)
	}
	return nil
}

// prefix is a byte before each message, as kernels are told of it.
type prefix uint32

const (
	noPrefix   prefix = 0
	leafPrefix prefix = 256 + 0x00
	nodePrefix prefix = 256 + 0x01
)

// bytes returns the number of bytes that the prefix adds to a message.
func (p prefix) bytes() int { return int(p >> 8) }

// hashing is what one dispatch of Hash does.
type hashing struct {
	messages    int
	base, width int // in data
	out         int // the first digest
	prefix      prefix
	ragged      bool // the messages are placed by places
	lone        bool // a digest that follows them is copied
}

func (h hashing) params() (p [gpu.ParamWords]uint32) {
	n := uint32(h.messages)
	p = [gpu.ParamWords]uint32{n, uint32(h.base), uint32(h.width), uint32(h.out), uint32(h.prefix)}
	if h.ragged {
		p[5] = n
	}
	if h.lone {
		p[6] = n + 1
	}
	return p
}

// piece is what one dispatch of Stream does.
type piece struct {
	bytes       int
	first, last bool // of its message
	base        int  // in data
	out         int  // the digest
	prefix      prefix
}

func (s piece) params() (p [gpu.ParamWords]uint32) {
	p = [gpu.ParamWords]uint32{uint32(s.bytes), 1, uint32(s.base), uint32(s.out), 0, 1<<32 - 1}
	if s.last {
		p[1] = 0
	}
	if s.first {
		p[4], p[5] = uint32(s.prefix), 0
	}
	return p
}
