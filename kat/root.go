package kat

import (
	"bytes"
	"encoding/hex"
	"fmt"
)

// RootKind is a way to commit to a state by one digest. The names are those of
// the JSON files.
type RootKind string

// The kinds. All digests are Keccak-256. The entries of the first three are a
// state: keys and values of 32 bytes, where a value of zeros is an absent one.
const (
	// Flat is the digest of key ‖ value of every entry, in ascending order of
	// keys.
	Flat RootKind = "flat"
	// Merkle is RFC 6962's tree over the entries in ascending order of keys: a
	// leaf is the digest of 00 ‖ key ‖ value, a node that of 01 ‖ left ‖ right, a
	// lone last node is promoted, and no leaves are the digest of nothing.
	Merkle RootKind = "merkle"
	// StateMPT is the secure MPT of the entries, each with the RLP of its value
	// without leading zeros.
	StateMPT RootKind = "state-mpt"
	// MPT is Ethereum's Merkle-Patricia trie of the entries as they are, or with
	// the digests of their keys where the vector is Secure.
	MPT RootKind = "mpt"
)

// RootVector is one known answer of a state root.
type RootVector struct {
	Name   string
	Kind   RootKind
	Secure bool // of an MPT: keys are hashed
	Root   [32]byte
	// Trie describes the trie of an MPT, where it was recorded.
	Trie *TrieShape

	entries entries
}

// TrieShape counts the nodes of a trie and what hashing them takes.
type TrieShape struct {
	Hashed       int `json:"hashed_nodes"`   // of 32 bytes and more, and the root
	Embedded     int `json:"embedded_nodes"` // held by their parent as they are
	Leaves       int `json:"leaf_nodes"`
	Extensions   int `json:"extension_nodes"`
	Branches     int `json:"branch_nodes"`
	Permutations int `json:"keccak_permutations"`
	Bytes        int `json:"hashed_bytes"`
	Longest      int `json:"longest_hashed_node_bytes"`
	// ByHeight[h] is the number of nodes that can be hashed together after those
	// of smaller h: h is 0 where no node below is hashed.
	ByHeight []int `json:"hashed_nodes_by_height"`
}

// Entries returns the operations in order, made anew at each call. It can fail
// only for RuleGenesis, whose file is unpacked then.
func (v *RootVector) Entries() ([]Entry, error) { return v.entries.expand() }

// Len returns the n of a vector's rule, or the number of its entries.
func (v *RootVector) Len() int { return v.entries.n }

// CheckInputs returns nil unless the file says that the entries, as Entries
// returned them, are not those by which the root was made; it wraps ErrDigest
// then.
func (v *RootVector) CheckInputs(entries []Entry) error {
	e := &v.entries
	if len(entries) == 0 && (e.first != nil || e.last != nil) {
		return fmt.Errorf("%w: no entries", ErrDigest)
	}
	hash := v.Secure && v.Kind == MPT
	if e.first != nil && !e.first.equal(entries[0], hash) {
		return fmt.Errorf("%w: the first entry differs", ErrDigest)
	}
	if e.last != nil && !e.last.equal(entries[len(entries)-1], hash) {
		return fmt.Errorf("%w: the last entry differs", ErrDigest)
	}
	if e.keccak == "" {
		return nil
	}
	if d := digestEntries(entries, hash); hex.EncodeToString(d[:]) != e.keccak {
		return fmt.Errorf("%w: entries", ErrDigest)
	}
	return nil
}

// Check returns nil when got is the known root, and else a *RootMismatch.
func (v *RootVector) Check(got [32]byte) error {
	if got != v.Root {
		return &RootMismatch{Got: got, Want: v.Root}
	}
	return nil
}

// equal compares e with another entry, whose key is hashed first where hash is
// set.
func (e Entry) equal(o Entry, hash bool) bool {
	return bytes.Equal(e.Key, o.trieKey(hash)) && bytes.Equal(e.Value, o.Value)
}

func (e Entry) trieKey(hash bool) []byte {
	if !hash {
		return e.Key
	}
	d := keccak256(e.Key)
	return d[:]
}

// digestEntries returns the Keccak-256 of the length of a key in one byte, the
// key, the length of its value in one byte and the value, of all entries.
func digestEntries(entries []Entry, hash bool) [32]byte {
	var b []byte
	for _, e := range entries {
		key := e.trieKey(hash)
		b = append(append(b, byte(len(key))), key...)
		b = append(append(b, byte(len(e.Value))), e.Value...)
	}
	return keccak256(b)
}
