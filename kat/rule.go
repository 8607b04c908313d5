package kat

import (
	"encoding/binary"
	"fmt"
	"math/bits"
)

// Rule names a way to make the entries of a state root; the names are those of
// the JSON files, and README.md has each rule in words.
type Rule string

// The rules. Keys are distinct but where a rule says otherwise; those of
// RuleAccount and RuleStorage are meant for a secure trie, which hashes them, and those of the
// last two are a state's, with values of 32 bytes.
const (
	RuleRaw32    Rule = "raw32"    // 32-byte keys, values of 1 to 64 bytes
	RuleAccount  Rule = "account"  // addresses of 20 bytes, RLP of accounts
	RuleStorage  Rule = "storage"  // slots 0, 1, 2 ... of 32 bytes, RLP of their values
	RuleShort4   Rule = "short4"   // 4-byte keys, values of 1 to 3 bytes: most nodes are embedded
	RulePrefix28 Rule = "prefix28" // 32-byte keys that share 28 bytes
	RuleVarLen   Rule = "varlen"   // keys of 1 to 4 bytes: repeated, and prefixes of others
	RuleChurn    Rule = "churn"    // 8-byte keys, then half as many overwrites and deletes
	RuleIndex    Rule = "index"    // RLP of 0, 1, 2 ..., as in a trie of transactions
	RuleKV       Rule = "kv"       // state: balances, and slots of 64 contracts
	RuleKVChurn  Rule = "kvchurn"  // RuleKV, then half as many overwrites and zeros
	RuleGenesis  Rule = "genesis"  // the 8,893 accounts of Ethereum's first block
)

// MaxEntries bounds the n of a rule.
const MaxEntries = 1 << 20

// Entry is a key with its value: one operation on a state. They are applied in
// order, the later one of two equal keys stands, and an empty value, or one of
// 32 zero bytes in a State, deletes.
type Entry struct{ Key, Value []byte }

// rules make the entries of each rule from the seed's stream.
var rules = map[Rule]func(m *maker, n int){
	RuleRaw32:    (*maker).raw32,
	RuleAccount:  (*maker).account,
	RuleStorage:  (*maker).storage,
	RuleShort4:   (*maker).short4,
	RulePrefix28: (*maker).prefix28,
	RuleVarLen:   (*maker).varLen,
	RuleChurn:    (*maker).churn,
	RuleIndex:    (*maker).index,
	RuleKV:       (*maker).kv,
	RuleKVChurn:  (*maker).kvChurn,
}

// Entries returns the operations that the rule makes of n and seed: n of them,
// and n/2 more for the two rules of churn. RuleGenesis is the first n accounts by
// address, whatever the seed. The error wraps ErrUnsupported for another rule,
// and ErrLength unless n is from 0 to MaxEntries, or 8,893.
func (r Rule) Entries(n int, seed uint64) ([]Entry, error) {
	if n < 0 || n > MaxEntries {
		return nil, fmt.Errorf("%w: %d entries, want 0 to %d", ErrLength, n, MaxEntries)
	}
	if r == RuleGenesis {
		return genesisEntries(n)
	}
	fill, ok := rules[r]
	if !ok {
		return nil, fmt.Errorf("%w: rule %q", ErrUnsupported, r)
	}
	m := maker{stream: NewSplitMix64(seed)}
	fill(&m, n)
	return m.entries, nil
}

// maker collects entries. Their bytes are cut from blocks, since there can be
// millions of them.
type maker struct {
	stream  *SplitMix64
	block   []byte
	entries []Entry
}

// take returns n zero bytes.
func (m *maker) take(n int) []byte {
	if n > len(m.block) {
		m.block = make([]byte, max(n, 1<<16))
	}
	b := m.block[:n:n]
	m.block = m.block[n:]
	return b
}

// bytes returns the next n bytes of the stream.
func (m *maker) bytes(n int) []byte {
	b := m.take(n)
	m.stream.FillBytes(b)
	return b
}

// length returns a length from 1 to most.
func (m *maker) length(most uint64) int { return 1 + int(m.stream.Uint64()%most) }

func (m *maker) add(key, value []byte) { m.entries = append(m.entries, Entry{key, value}) }

func (m *maker) raw32(n int) {
	for range n {
		m.add(m.bytes(32), m.bytes(m.length(64)))
	}
}

func (m *maker) short4(n int) {
	for range n {
		m.add(m.bytes(4), m.bytes(m.length(3)))
	}
}

func (m *maker) prefix28(n int) {
	for range n {
		key := m.take(32)
		for i := range 28 {
			key[i] = 0xab
		}
		m.stream.FillBytes(key[28:])
		m.add(key, m.bytes(m.length(40)))
	}
}

func (m *maker) varLen(n int) {
	for range n {
		key := m.bytes(m.length(4))
		for i := range key {
			key[i] &= 0x33
		}
		m.add(key, m.bytes(m.length(40)))
	}
}

func (m *maker) churn(n int) {
	for range n {
		m.add(m.bytes(8), m.bytes(m.length(48)))
	}
	for range n / 2 {
		key := m.entries[m.stream.Uint64()%uint64(n)].Key
		m.add(key, m.bytes(17*int(m.stream.Uint64()%3)))
	}
}

func (m *maker) index(n int) {
	for i := range n {
		m.add(rlpUint(uint64(i)), m.bytes(m.length(100)))
	}
}

func (m *maker) account(n int) {
	for range n {
		address, nonce := m.bytes(20), m.stream.Uint64()%1000
		m.add(address, accountRLP(nonce, m.bytes(int(m.stream.Uint64()%13))))
	}
}

func (m *maker) storage(n int) {
	for i := range n {
		value := m.bytes(m.length(32))
		value[0] |= 1
		key := m.take(32)
		binary.BigEndian.PutUint64(key[24:], uint64(i))
		m.add(key, rlpString(value))
	}
}

// kv makes keys as a state has them: a byte that says what it is of, 24 bytes of
// an entity, 7 bytes of its slot.
func (m *maker) kv(n int) {
	for range n {
		key := m.take(32)
		if m.stream.Uint64()%2 == 0 { // a balance
			m.stream.FillBytes(key[1:25])
		} else { // a slot of a contract
			key[0], key[24] = 1, byte(m.stream.Uint64()%64)
			m.stream.FillBytes(key[25:])
		}
		m.add(key, m.stateValue())
	}
}

func (m *maker) kvChurn(n int) {
	m.kv(n)
	for range n / 2 {
		key := m.entries[m.stream.Uint64()%uint64(n)].Key
		if m.stream.Uint64()%3 == 0 {
			m.add(key, m.take(32))
		} else {
			m.add(key, m.stateValue())
		}
	}
}

// stateValue returns a number of 1 to 32 bytes, big-endian in 32.
func (m *maker) stateValue() []byte {
	value := m.take(32)
	from := 32 - m.length(32)
	m.stream.FillBytes(value[from:])
	value[from] |= 1
	return value
}

// FillBytes fills dst with the numbers of the stream as little-endian bytes, of
// which the last number may be cut.
func (s *SplitMix64) FillBytes(dst []byte) {
	for ; len(dst) >= 8; dst = dst[8:] {
		binary.LittleEndian.PutUint64(dst, s.Uint64())
	}
	if len(dst) > 0 {
		var last [8]byte
		binary.LittleEndian.PutUint64(last[:], s.Uint64())
		copy(dst, last[:])
	}
}

// accountRLP encodes an account without code or storage.
func accountRLP(nonce uint64, balance []byte) []byte {
	for len(balance) > 0 && balance[0] == 0 {
		balance = balance[1:]
	}
	// Keccak-256 of the empty trie's node 0x80, and of no code.
	const ends = "\xa0\x56\xe8\x1f\x17\x1b\xcc\x55\xa6\xff\x83\x45\xe6\x92\xc0\xf8\x6e\x5b\x48\xe0\x1b\x99\x6c\xad\xc0\x01\x62\x2f\xb5\xe3\x63\xb4\x21" +
		"\xa0\xc5\xd2\x46\x01\x86\xf7\x23\x3c\x92\x7e\x7d\xb2\xdc\xc7\x03\xc0\xe5\x00\xb6\x53\xca\x82\x27\x3b\x7b\xfa\xd8\x04\x5d\x85\xa4\x70"
	body := append(rlpUint(nonce), rlpString(balance)...)
	body = append(body, ends...)
	return append([]byte{0xf8, byte(len(body))}, body...) // 68 to 102 bytes: the length takes one
}

// rlpUint encodes a number as RLP does: big-endian without leading zeros.
func rlpUint(x uint64) []byte {
	b := binary.BigEndian.AppendUint64(nil, x)
	return rlpString(b[bits.LeadingZeros64(x)/8:])
}

// rlpString encodes up to 55 bytes.
func rlpString(b []byte) []byte {
	if len(b) == 1 && b[0] < 0x80 {
		return []byte{b[0]}
	}
	return append([]byte{0x80 + byte(len(b))}, b...)
}
