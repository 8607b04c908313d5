package kat

import (
	"bytes"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// The tests of this file compute every root once more, from the definitions: the
// Yellow Paper's appendix D, RFC 6962's section 2.1, and the fold. So a root does
// not rest on go-ethereum alone, nor on this repository's package of roots.

// leaf is an entry of a trie with its key in nibbles.
type leaf struct{ path, value []byte }

// builder counts the nodes of the trie that it builds.
type builder struct{ shape TrieShape }

// root returns the root of a trie after the operations.
func (b *builder) root(entries []Entry, secure bool) [32]byte {
	b.shape = TrieShape{ByHeight: []int{}}
	live := map[string][]byte{}
	for _, e := range entries {
		if key := string(e.trieKey(secure)); len(e.Value) > 0 {
			live[key] = e.Value
		} else {
			delete(live, key)
		}
	}
	if len(live) == 0 {
		return keccak256([]byte{0x80})
	}
	var leaves []leaf
	for _, key := range slices.Sorted(maps.Keys(live)) {
		var path []byte
		for _, x := range []byte(key) {
			path = append(path, x>>4, x&15)
		}
		leaves = append(leaves, leaf{path, live[key]})
	}
	enc, height := b.node(leaves, 0)
	b.hashed(enc, height)
	b.shape.Embedded = b.shape.Leaves + b.shape.Extensions + b.shape.Branches - b.shape.Hashed
	return keccak256(enc)
}

// node returns the encoding of the trie of leaves, whose first depth nibbles are
// the same, and its height if it is hashed: 0, or one more than the highest
// hashed node below it.
func (b *builder) node(leaves []leaf, depth int) (enc []byte, height int) {
	first, last := leaves[0], leaves[len(leaves)-1]
	if len(leaves) == 1 {
		b.shape.Leaves++
		return list(hexPrefix(first.path[depth:], 0x20), str(first.value)), 0
	}
	common := depth // leaves ascend, so what the ends share all of them share
	for common < len(first.path) && first.path[common] == last.path[common] {
		common++
	}
	if common > depth {
		b.shape.Extensions++
		child, height := b.child(leaves, common)
		return list(hexPrefix(first.path[depth:common], 0), child), height
	}
	b.shape.Branches++
	items := slices.Repeat([][]byte{{0x80}}, 17)
	if len(first.path) == depth {
		items[16] = str(first.value)
		leaves = leaves[1:]
	}
	for len(leaves) > 0 {
		nibble := leaves[0].path[depth]
		n := slices.IndexFunc(leaves, func(l leaf) bool { return l.path[depth] != nibble })
		if n < 0 {
			n = len(leaves)
		}
		child, h := b.child(leaves[:n], depth+1)
		items[nibble], height = child, max(height, h)
		leaves = leaves[n:]
	}
	return list(items...), height
}

// child returns what stands for a node in its parent, and the height of a parent
// that is hashed.
func (b *builder) child(leaves []leaf, depth int) ([]byte, int) {
	enc, height := b.node(leaves, depth)
	if len(enc) < 32 {
		return enc, height
	}
	b.hashed(enc, height)
	d := keccak256(enc)
	return str(d[:]), height + 1
}

func (b *builder) hashed(enc []byte, height int) {
	s := &b.shape
	s.Hashed++
	s.Bytes += len(enc)
	s.Permutations += len(enc)/136 + 1
	s.Longest = max(s.Longest, len(enc))
	for len(s.ByHeight) <= height {
		s.ByHeight = append(s.ByHeight, 0)
	}
	s.ByHeight[height]++
}

// hexPrefix is the encoding of nibbles of appendix C, as an RLP string; flag is
// 0x20 for a leaf.
func hexPrefix(path []byte, flag byte) []byte {
	out := []byte{flag}
	if len(path)%2 == 1 {
		out[0] |= 0x10 | path[0]
		path = path[1:]
	}
	for ; len(path) > 0; path = path[2:] {
		out = append(out, path[0]<<4|path[1])
	}
	return str(out)
}

// str and list are RLP, appendix B.
func str(b []byte) []byte {
	if len(b) == 1 && b[0] < 0x80 {
		return b
	}
	return append(header(0x80, len(b)), b...)
}

func list(items ...[]byte) []byte {
	body := bytes.Join(items, nil)
	return append(header(0xc0, len(body)), body...)
}

func header(offset byte, n int) []byte {
	if n <= 55 {
		return []byte{offset + byte(n)}
	}
	var size []byte
	for ; n > 0; n >>= 8 {
		size = append([]byte{byte(n)}, size...)
	}
	return append([]byte{offset + 55 + byte(len(size))}, size...)
}

// stateOf returns the entries of a state in ascending order of keys.
func stateOf(entries []Entry) []Entry {
	live := map[string][]byte{}
	for _, e := range entries {
		live[string(e.Key)] = e.Value
		if bytes.Equal(e.Value, make([]byte, 32)) {
			delete(live, string(e.Key))
		}
	}
	var state []Entry
	for _, key := range slices.Sorted(maps.Keys(live)) {
		state = append(state, Entry{[]byte(key), live[key]})
	}
	return state
}

// mth is MTH of RFC 6962 over the digests of leaves.
func mth(leaves [][32]byte) [32]byte {
	switch len(leaves) {
	case 0:
		return keccak256(nil)
	case 1:
		return leaves[0]
	}
	k := 1
	for 2*k < len(leaves) {
		k *= 2
	}
	left, right := mth(leaves[:k]), mth(leaves[k:])
	return keccak256(slices.Concat([]byte{1}, left[:], right[:]))
}

// rootByDefinition returns the root of a vector's entries, and of an MPT its
// shape.
func rootByDefinition(v *RootVector, entries []Entry) ([32]byte, *TrieShape) {
	var b builder
	if v.Kind == MPT {
		return b.root(entries, v.Secure), &b.shape
	}
	var flat []byte
	var leaves [][32]byte
	var trie []Entry
	for _, e := range stateOf(entries) {
		flat = append(append(flat, e.Key...), e.Value...)
		leaves = append(leaves, keccak256(slices.Concat([]byte{0}, e.Key, e.Value)))
		trie = append(trie, Entry{e.Key, str(bytes.TrimLeft(e.Value, "\x00"))})
	}
	switch v.Kind {
	case Flat:
		return keccak256(flat), nil
	case Merkle:
		return mth(leaves), nil
	}
	return b.root(trie, true), nil
}

func TestRootsByDefinition(t *testing.T) {
	files, err := Files()
	require.NoError(t, err)
	for _, f := range files {
		for _, v := range f.Roots {
			entries, err := v.Entries()
			require.NoError(t, err)
			root, shape := rootByDefinition(&v, entries)
			require.NoError(t, v.Check(root), "%s: %s", f.Name, v.Name)
			if v.Trie != nil {
				require.Equal(t, v.Trie, shape, "%s: %s", f.Name, v.Name)
			}
		}
	}
}
