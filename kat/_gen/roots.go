package main

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"log"
	"maps"
	"slices"

	"github.com/ethereum/go-ethereum/crypto"
)

// mptSets are the sizes of each rule's tries. The seed is the size.
var mptSets = []struct {
	rule  string
	sizes []int
}{
	{"raw32", []int{0, 1, 16, 1000, 50000}},
	{"account", []int{1, 2, 1000}},
	{"storage", []int{1, 16, 1000, 50000}},
	{"short4", []int{1, 2, 16, 1000}},
	{"prefix28", []int{1, 2, 16, 50000}},
	{"varlen", []int{2, 16, 1000}},
	{"churn", []int{2, 16, 1000}},
	{"index", []int{1, 2, 127, 128, 129, 1000}},
}

// stateSizes are those of each kind of root over a state, among them powers of
// two and their neighbours for the tree, and 17 entries, which fill 8 blocks of
// the fold exactly. 1996 and 9006 are sizes of a published measurement.
var stateSizes = map[string][]int{
	"kv":      {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 18, 31, 32, 33, 127, 128, 129, 1000, 1996, 9006},
	"kvchurn": {2, 3, 7, 16, 17, 64, 1000},
}

func rootsFile() file {
	f := file{Name: "roots", Provenance: provenance{
		Source:   "github.com/ethereum/go-ethereum v1.17.10, Trie and, where it can be used, StackTrie (mpt); its Keccak-256 by the definitions (flat, merkle)",
		Licence:  "none needed: computed here, by a program that links go-ethereum (LGPL-3.0)",
		Command:  "cd kat/_gen && go run .",
		Versions: "Go 1.26, github.com/ethereum/go-ethereum v1.17.10",
		Note:     "`go run . -check` reproduces every root; the tests of package kat compute each once more from the definitions",
	}}
	for _, set := range mptSets {
		for _, n := range set.sizes {
			f.addSet(set.rule, n)
		}
	}
	f.addTrieEdges()
	for _, rule := range []string{"kv", "kvchurn"} {
		for _, n := range stateSizes[rule] {
			f.addState(rule, n)
		}
	}
	return f
}

// addSet appends the trie of a rule.
func (f *file) addSet(rule string, n int) {
	ps := makeEntries(rule, n, uint64(n))
	v := rootVector{Name: fmt.Sprintf("%s/%d", rule, n), Kind: "mpt", Secure: rule == "account" || rule == "storage"}
	if v.Secure {
		ps = secure(ps)
	}
	v.Entries = entries{Rule: rule, N: n, Seed: uint64(n), Keccak: digestPairs(ps)}
	if len(ps) > 0 {
		v.Entries.First, v.Entries.Last = ps[0].strings(), ps[len(ps)-1].strings()
	}
	root, trie := mptRoot(ps)
	v.Root, v.Trie = hex.EncodeToString(root), trie
	f.Roots = append(f.Roots, v)
}

func (p pair) strings() []string {
	return []string{hex.EncodeToString(p.key), hex.EncodeToString(p.value)}
}

// digestPairs returns the Keccak-256 of all lengths, keys and values.
func digestPairs(ps []pair) string {
	var b []byte
	for _, p := range ps {
		b = append(append(b, byte(len(p.key))), p.key...)
		b = append(append(b, byte(len(p.value))), p.value...)
	}
	return keccakOf(b)
}

// addState appends the roots of every kind over the state of a rule.
func (f *file) addState(rule string, n int) {
	ps := makeEntries(rule, n, uint64(n))
	e := entries{Rule: rule, N: n, Seed: uint64(n), Keccak: digestPairs(ps)}
	state := map[string][]byte{}
	for _, p := range ps {
		state[string(p.key)] = p.value
		if !slices.ContainsFunc(p.value, func(b byte) bool { return b != 0 }) {
			delete(state, string(p.key))
		}
	}
	keys := slices.Sorted(maps.Keys(state))
	var trie, leaves [][]byte
	var flat []byte
	var list []pair
	for _, key := range keys {
		entry := append([]byte(key), state[key]...)
		flat = append(flat, entry...)
		leaves = append(leaves, crypto.Keccak256([]byte{0}, entry))
		list = append(list, pair{[]byte(key), encode(bytes.TrimLeft(state[key], "\x00"))})
	}
	root, _ := mptRoot(secure(list))
	trie = [][]byte{crypto.Keccak256(flat), merkle(leaves), root}
	for i, kind := range []string{"flat", "merkle", "state-mpt"} {
		f.Roots = append(f.Roots, rootVector{Name: fmt.Sprintf("%s/%s/%d", kind, rule, n), Kind: kind,
			Entries: e, Root: hex.EncodeToString(trie[i])})
	}
}

// merkle is MTH of RFC 6962, section 2.1, over the digests of leaves: the tree
// is cut at the largest power of two that is smaller than its size.
func merkle(leaves [][]byte) []byte {
	switch len(leaves) {
	case 0:
		return crypto.Keccak256()
	case 1:
		return leaves[0]
	}
	k := 1
	for 2*k < len(leaves) {
		k *= 2
	}
	return crypto.Keccak256([]byte{1}, merkle(leaves[:k]), merkle(leaves[k:]))
}

// addTrie appends a trie whose operations are written out.
func (f *file) addTrie(name string, isSecure bool, ps ...pair) {
	list := make([][2]string, len(ps))
	for i, p := range ps {
		list[i] = [2]string(p.strings())
	}
	if isSecure {
		ps = secure(ps)
	}
	root, trie := mptRoot(ps)
	for _, v := range f.Roots {
		if v.Name == name {
			log.Fatalf("two roots %q", name)
		}
	}
	f.Roots = append(f.Roots, rootVector{Name: name, Kind: "mpt", Secure: isSecure,
		Entries: entries{List: &list}, Root: hex.EncodeToString(root), Trie: trie})
}
