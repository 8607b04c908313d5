package main

import (
	"bytes"
	"encoding/binary"
	"log"

	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rlp"
	"github.com/holiman/uint256"
)

// pair is a key with its value; an empty value deletes.
type pair struct{ key, value []byte }

// bytes returns n bytes: numbers in little-endian order, of which the last may
// be cut.
func (s *splitMix64) bytes(n int) []byte {
	var b []byte
	for len(b) < n {
		b = binary.LittleEndian.AppendUint64(b, s.next())
	}
	return b[:n]
}

// makeEntries returns the operations of a rule.
func makeEntries(rule string, n int, seed uint64) []pair {
	s := &splitMix64{seed}
	var ps []pair
	for i := range n {
		ps = append(ps, s.entry(rule, i))
	}
	if rule != "churn" && rule != "kvchurn" {
		return ps
	}
	for range n / 2 {
		key := ps[s.next()%uint64(n)].key
		switch {
		case rule == "churn":
			ps = append(ps, pair{key, s.bytes(17 * int(s.next()%3))})
		case s.next()%3 == 0:
			ps = append(ps, pair{key, make([]byte, 32)})
		default:
			ps = append(ps, pair{key, s.stateValue()})
		}
	}
	return ps
}

// entry returns operation i of a rule.
func (s *splitMix64) entry(rule string, i int) pair {
	below := func(most uint64) int { return 1 + int(s.next()%most) }
	var key []byte
	switch rule {
	case "raw32":
		key = s.bytes(32)
		return pair{key, s.bytes(below(64))}
	case "short4":
		key = s.bytes(4)
		return pair{key, s.bytes(below(3))}
	case "prefix28":
		key = append(bytes.Repeat([]byte{0xab}, 28), s.bytes(4)...)
		return pair{key, s.bytes(below(40))}
	case "varlen":
		key = s.bytes(below(4))
		for j := range key {
			key[j] &= 0x33
		}
		return pair{key, s.bytes(below(40))}
	case "churn":
		key = s.bytes(8)
		return pair{key, s.bytes(below(48))}
	case "index":
		return pair{encode(uint64(i)), s.bytes(below(100))}
	case "account":
		key = s.bytes(20)
		nonce := s.next() % 1000
		balance := new(uint256.Int).SetBytes(s.bytes(int(s.next() % 13)))
		return pair{key, encode(&types.StateAccount{Nonce: nonce, Balance: balance,
			Root: types.EmptyRootHash, CodeHash: types.EmptyCodeHash[:]})}
	case "storage":
		value := s.bytes(below(32))
		value[0] |= 1
		return pair{binary.BigEndian.AppendUint64(make([]byte, 24), uint64(i)), encode(value)}
	case "kv", "kvchurn":
		if s.next()%2 == 0 {
			key = append([]byte{0}, s.bytes(24)...)
			return pair{append(key, make([]byte, 7)...), s.stateValue()}
		}
		key = append([]byte{1}, make([]byte, 23)...)
		key = append(key, byte(s.next()%64))
		return pair{append(key, s.bytes(7)...), s.stateValue()}
	}
	log.Fatalf("no rule %q", rule)
	return pair{}
}

// stateValue returns a number of 1 to 32 bytes, big-endian in 32.
func (s *splitMix64) stateValue() []byte {
	b := s.bytes(1 + int(s.next()%32))
	b[0] |= 1
	return append(make([]byte, 32-len(b)), b...)
}

func encode(x any) []byte {
	b, err := rlp.EncodeToBytes(x)
	if err != nil {
		log.Fatal(err)
	}
	return b
}
