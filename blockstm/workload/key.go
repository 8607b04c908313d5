package workload

import "encoding/binary"

// Key names a slot of the state: its kind in the high byte, a number in the rest.
type Key uint64

// Kind is what a slot holds.
type Kind byte

// The kinds of slots.
const (
	Balance Kind = iota + 1 // of a token, one for each account
	Counter                 // one for each contract
	Pool                    // two for each contract: its reserves of two tokens
	Chain                   // what Config.Distance adds
	Store                   // of Dynamic: slots that come and go
	Pair                    // of Dynamic: two slots each, of a sum that never changes
)

const kindShift = 56

// MakeKey returns the key of slot i, which is below 2^56, of a kind.
func MakeKey(kind Kind, i uint64) Key { return Key(uint64(kind)<<kindShift | i) }

// Kind returns what the slot holds.
func (k Key) Kind() Kind { return Kind(k >> kindShift) }

// Index returns the number of the slot among those of its kind.
func (k Key) Index() uint64 { return uint64(k) & (1<<kindShift - 1) }

// Bytes returns the key as package stateroot lays one out: a byte for the kind, 24
// for the account or contract, seven for the slot of it, big-endian. Accounts and
// contracts are as evenly spread as if they were hashes.
func (k Key) Bytes() (b [32]byte) {
	entity, slot := k.Index(), uint64(0)
	if kind := k.Kind(); kind == Pool || kind == Pair {
		entity, slot = entity/2, entity%2
	}
	b[0] = byte(k.Kind())
	stream := splitMix64(mix64(uint64(k.Kind())) ^ entity)
	binary.BigEndian.PutUint64(b[1:], stream.next())
	binary.BigEndian.PutUint64(b[9:], stream.next())
	binary.BigEndian.PutUint64(b[17:], stream.next())
	b[31] = byte(slot)
	return b
}

// Value is what a slot holds. As in Ethereum's storage, a slot of zero is as good
// as an absent one to the root of a state.
type Value uint64

// Bytes returns the value as a 256-bit big-endian number.
func (v Value) Bytes() (b [32]byte) {
	binary.BigEndian.PutUint64(b[24:], uint64(v))
	return b
}
