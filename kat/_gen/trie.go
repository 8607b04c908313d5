package main

import (
	"bytes"
	"log"
	"maps"
	"slices"

	"github.com/ethereum/go-ethereum/core/rawdb"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/rlp"
	"github.com/ethereum/go-ethereum/trie"
	"github.com/ethereum/go-ethereum/triedb"
)

// mptRoot returns the root that go-ethereum's Trie has after the operations, and
// the shape of the trie. Its StackTrie must agree where it can be used.
func mptRoot(ps []pair) ([]byte, *shape) {
	t := trie.NewEmpty(triedb.NewDatabase(rawdb.NewMemoryDatabase(), nil))
	live := map[string][]byte{}
	for _, p := range ps {
		if err := t.Update(p.key, p.value); err != nil {
			log.Fatal(err)
		}
		live[string(p.key)] = p.value
		if len(p.value) == 0 {
			delete(live, string(p.key))
		}
	}
	root := t.Hash()
	checkStackTrie(live, root[:])
	committed, nodes := t.Commit(false)
	if committed != root {
		log.Fatal("a root changed with the commit")
	}
	encodings := map[string][]byte{}
	if nodes != nil {
		for path, n := range nodes.Nodes {
			if !n.IsDeleted() {
				encodings[path] = n.Blob
			}
		}
	}
	return root[:], shapeOf(encodings)
}

// checkStackTrie compares the root with the other implementation, which takes no
// key that is a prefix of another, nor an empty one.
func checkStackTrie(live map[string][]byte, root []byte) {
	keys := slices.Sorted(maps.Keys(live))
	for i, key := range keys {
		if key == "" || i+1 < len(keys) && bytes.HasPrefix([]byte(keys[i+1]), []byte(key)) {
			return
		}
	}
	s := trie.NewStackTrie(nil)
	for _, key := range keys {
		if err := s.Update([]byte(key), live[key]); err != nil {
			log.Fatal(err)
		}
	}
	if h := s.Hash(); !bytes.Equal(h[:], root) {
		log.Fatalf("Trie and StackTrie differ on %d keys", len(keys))
	}
}

// shapeOf counts the nodes of a trie from the encodings of those that are
// hashed, by their paths.
func shapeOf(encodings map[string][]byte) *shape {
	s := &shape{ByHeight: []int{}}
	heights := map[string]int{}
	// Deeper paths first: the height of a node is known before its parent's.
	paths := slices.SortedFunc(maps.Keys(encodings), func(a, b string) int { return len(b) - len(a) })
	for _, path := range paths {
		enc := encodings[path]
		s.Hashed++
		s.Bytes += len(enc)
		s.Longest = max(s.Longest, len(enc))
		s.Permutations += len(enc)/136 + 1
		s.count(enc)
		for len(s.ByHeight) <= heights[path] {
			s.ByHeight = append(s.ByHeight, 0)
		}
		s.ByHeight[heights[path]]++
		for end := len(path) - 1; end >= 0; end-- {
			if _, ok := encodings[path[:end]]; ok {
				heights[path[:end]] = max(heights[path[:end]], heights[path]+1)
				break
			}
		}
	}
	s.Embedded = s.Leaves + s.Extensions + s.Branches - s.Hashed
	return s
}

// count adds a node and those that are embedded in it.
func (s *shape) count(enc []byte) {
	content, _, err := rlp.SplitList(enc)
	if err != nil {
		log.Fatal(err)
	}
	items, err := rlp.CountValues(content)
	if err != nil {
		log.Fatal(err)
	}
	if items == 2 {
		path, _, err := rlp.SplitString(content)
		if err != nil {
			log.Fatal(err)
		}
		if path[0]&0x20 != 0 {
			s.Leaves++
			return
		}
		s.Extensions++
	} else {
		s.Branches++
	}
	for len(content) > 0 {
		kind, _, rest, err := rlp.Split(content)
		if err != nil {
			log.Fatal(err)
		}
		if kind == rlp.List {
			s.count(content[:len(content)-len(rest)])
		}
		content = rest
	}
}

// secure returns the operations with hashed keys.
func secure(ps []pair) []pair {
	out := make([]pair, len(ps))
	for i, p := range ps {
		out[i] = pair{crypto.Keccak256(p.key), p.value}
	}
	return out
}
