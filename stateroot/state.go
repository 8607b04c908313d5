package stateroot

import (
	"bytes"
	"encoding/binary"
	"unsafe"
)

// Entry is one slot of a state: a key of a kind byte, a 24-byte entity id and a
// 7-byte slot number, and a value that is a 256-bit big-endian number. A value
// of zero means that the slot is absent.
type Entry struct {
	Key, Value [32]byte
}

// State is a list of entries in any order. Where two have the same key the later
// one counts.
type State []Entry

// MakeKey puts a state key together. It returns ErrSlot for a slot of 2^56 or
// more.
func MakeKey(kind byte, entity [24]byte, slot uint64) (key [32]byte, err error) {
	if slot >= 1<<56 {
		return key, ErrSlot
	}
	binary.BigEndian.PutUint64(key[24:], slot) // its high byte, 0, is entity's last
	key[0] = kind
	copy(key[1:], entity[:])
	return key, nil
}

// canonical says whether s is in strictly ascending key order without absent
// entries.
func (s State) canonical() bool {
	for i := range s {
		if s[i].absent() || i > 0 && bytes.Compare(s[i-1].Key[:], s[i].Key[:]) >= 0 {
			return false
		}
	}
	return true
}

func (e *Entry) absent() bool { return e.Value == [32]byte{} }

// trimmed returns the value without leading zeros.
func (e *Entry) trimmed() []byte {
	i := 0
	for i < len(e.Value) && e.Value[i] == 0 {
		i++
	}
	return e.Value[i:]
}

// entrySize is the length of key ‖ value.
const entrySize = 64

// bytes returns the entries as one slice of key ‖ value, one after another. It
// is s itself: an Entry is 64 bytes without padding, aligned to one.
func (s State) bytes() []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), entrySize*len(s))
}

// digestBytes returns digests as one slice, which is d itself.
func digestBytes(d [][32]byte) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(d))), digestSize*len(d))
}
