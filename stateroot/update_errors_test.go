package stateroot

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/keccak"
)

// badNodes are nodes of which one is spoilt.
type badNodes struct {
	Nodes
	path []byte // of the one
	get  func(enc []byte) ([]byte, error)
	hit  bool
	asks [][]byte
}

func (b *badNodes) Get(path []byte) ([]byte, error) {
	b.asks = append(b.asks, slices.Clone(path))
	enc, err := b.Nodes.Get(path)
	if slices.Equal(path, b.path) && b.get != nil {
		b.hit = true
		return b.get(slices.Clone(enc))
	}
	return enc, err
}

var errStore = errors.New("disk on fire")

// Whichever node of those it reads is missing or corrupt, an update says so and
// names the node. It never returns a root.
func TestUpdateNamesTheBadNode(t *testing.T) {
	r := rand.New(rand.NewPCG(29, 30))
	spoilers := []struct {
		want error
		get  func(enc []byte) ([]byte, error)
	}{
		{ErrMissing, func([]byte) ([]byte, error) { return nil, nil }},
		{ErrMissing, func([]byte) ([]byte, error) { return nil, ErrMissing }},
		{errStore, func([]byte) ([]byte, error) { return nil, errStore }},
		{ErrCorrupt, func(enc []byte) ([]byte, error) { return []byte{}, nil }},
		{ErrCorrupt, func(enc []byte) ([]byte, error) { return enc[:len(enc)-1], nil }},
		{ErrCorrupt, func(enc []byte) ([]byte, error) { return append(enc, 0), nil }},
		{ErrCorrupt, func(enc []byte) ([]byte, error) {
			enc[r.IntN(len(enc))] ^= byte(1 << r.IntN(8))
			return enc, nil
		}},
	}
	for range 60 {
		pairs := randomPairs(r, 2+r.IntN(100))
		root, nodes := buildNodes(t, pairs)
		if root == EmptyRoot() {
			continue
		}
		changes := randomChanges(r, pairs)
		store := &badNodes{Nodes: nodes}
		want, _, err := NewUpdater(store, Options{}).Update(ctx, root, changes)
		require.NoError(t, err)
		require.Equal(t, mustMPT(t, slices.Concat(pairs, changes)), want)
		for _, path := range store.asks {
			for _, s := range spoilers {
				bad := &badNodes{Nodes: nodes, path: path, get: s.get}
				got, written, err := NewUpdater(bad, Options{}).Update(ctx, root, changes)
				require.True(t, bad.hit)
				require.ErrorIs(t, err, s.want)
				var ne *NodeError
				require.ErrorAs(t, err, &ne)
				require.True(t, slices.Equal(path, ne.Path), "%x, not %x", ne.Path, path)
				require.Empty(t, written)
				require.Zero(t, got)
			}
		}
	}
}

// randomChanges returns changes of keys among those of pairs, and of others.
func randomChanges(r *rand.Rand, pairs []Pair) []Pair {
	var changes []Pair
	for range 1 + r.IntN(20) {
		key := slices.Clone(pairs[r.IntN(len(pairs))].Key)
		if len(key) > 0 && r.IntN(3) == 0 {
			key[r.IntN(len(key))] ^= byte(1 << r.IntN(8))
		}
		changes = append(changes, Pair{key, randomBytes(r, r.IntN(3)*20)})
	}
	return changes
}

func TestUpdateOfAnotherRoot(t *testing.T) {
	pairs := manyPairs(100)
	_, nodes := buildNodes(t, pairs)
	_, _, err := NewUpdater(nodes, Options{}).Update(ctx, [32]byte{1}, pairs[:1])
	require.ErrorIs(t, err, ErrCorrupt)
	require.EqualError(t, err, `stateroot: node at path "": corrupt node: not the bytes of its hash`)
	_, _, err = NewUpdater(new(MemNodes), Options{}).Update(ctx, [32]byte{1}, pairs[:1])
	require.ErrorIs(t, err, ErrMissing)
}

// Two nodes that change places are both good nodes, of another hash.
func TestUpdateOfSwappedNodes(t *testing.T) {
	pairs := manyPairs(500)
	root, nodes := buildNodes(t, pairs)
	a, _ := nodes.Get([]byte{1})
	b, _ := nodes.Get([]byte{2})
	nodes.Apply([]Node{{[]byte{1}, slices.Clone(b)}, {[]byte{2}, slices.Clone(a)}})
	_, _, err := NewUpdater(nodes, Options{}).Update(ctx, root, pairs)
	require.ErrorIs(t, err, ErrCorrupt)
	var ne *NodeError
	require.ErrorAs(t, err, &ne)
	require.Equal(t, []byte{1}, ne.Path)
	require.Contains(t, err.Error(), `path "1"`)
}

// A trie may be malformed and have the right hashes: no node of it is accepted
// that a trie cannot hold.
func TestUpdateOfMalformedTrie(t *testing.T) {
	o := oracle{}
	hash := randomBytes(rand.New(rand.NewPCG(1, 1)), 32)
	leafNode := o.list(o.str([]byte{0x20}), o.str([]byte("v")))
	branch := func(n int, items ...[]byte) []byte {
		for len(items) < n {
			items = append(items, o.str(nil))
		}
		return o.list(items...)
	}
	// What is wrong in these is an embedded child.
	below := map[string]bool{"an extension of a leaf": true, "a child that is malformed": true}
	for name, enc := range map[string][]byte{
		"nothing":                    {},
		"a string":                   o.str([]byte("a string of bytes")),
		"an empty list":              o.list(),
		"one item":                   o.list(o.str([]byte{0x20})),
		"three items":                o.list(o.str([]byte{0x20}), o.str([]byte("v")), o.str([]byte("v"))),
		"16 items":                   branch(16, o.str(hash), o.str(hash)),
		"18 items":                   branch(18, o.str(hash), o.str(hash)),
		"trailing bytes":             append(o.list(o.str([]byte{0x20}), o.str([]byte("v"))), 0),
		"a list cut off":             o.list(o.str([]byte{0x20}), o.str([]byte("value")))[:7],
		"items beyond the list":      {0xc1, 0x20, 'v'},
		"a length cut off":           {0xf9, 1},
		"a length that is too long":  {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x20},
		"a length in the long form":  append([]byte{0xf8, 2}, o.list(o.str([]byte{0x20}), o.str([]byte("v")))[1:]...),
		"a length with a zero":       append([]byte{0xf9, 0}, o.list(o.str([]byte{0x20}), o.str(make([]byte, 60)))[1:]...),
		"a byte in the long form":    o.list(oracle{longByte: true}.str([]byte{0x20}), o.str([]byte("v"))),
		"an empty path":              o.list(o.str(nil), o.str([]byte("v"))),
		"a path that is a list":      o.list(o.list(), o.str([]byte("v"))),
		"an unknown flag":            o.list(o.str([]byte{0x60}), o.str([]byte("v"))),
		"another unknown flag":       o.list(o.str([]byte{0x51}), o.str(hash)),
		"a stray nibble":             o.list(o.str([]byte{0x21}), o.str([]byte("v"))),
		"a leaf without a value":     o.list(o.str([]byte{0x20}), o.str(nil)),
		"a leaf with a list":         o.list(o.str([]byte{0x20}), leafNode),
		"an extension without path":  o.list(o.str([]byte{0x00}), o.str(hash)),
		"an extension without child": o.list(o.str([]byte{0x11}), o.str(nil)),
		"an extension of a value":    o.list(o.str([]byte{0x11}), o.str([]byte("v"))),
		"an extension of a leaf":     o.list(o.str([]byte{0x16}), leafNode),
		"a branch of nothing":        branch(17),
		"a branch of one child":      branch(17, o.str(hash)),
		"a branch of a value":        append(branch(17)[:17], o.str([]byte("v"))...),
		"a child of 31 bytes":        branch(17, o.str(hash[:31]), o.str(hash)),
		"a child of 33 bytes":        branch(17, o.str(append(hash, 1)), o.str(hash)),
		"a child of 32 bytes, a list": branch(17, o.list(o.str([]byte{0x20}), o.str(hash[:29])),
			o.str(hash)),
		"a child that is malformed": branch(17, o.str(nil), o.str(nil), o.str(nil), o.str(nil), o.str(nil), o.str(nil),
			o.list(o.str([]byte{0x20})), o.str(hash)),
		"a hash that is cut off": o.list(append(slices.Repeat([][]byte{o.str(hash)}, 15), o.str(hash)[:32])...),
		"a value that is a list": branch(17, append(slices.Repeat([][]byte{o.str(hash)}, 16), o.list())...),
	} {
		var n partialNode
		_, err := n.decode(enc, nil)
		if !below[name] {
			require.ErrorIs(t, err, ErrCorrupt, name)
		}
		nodes := new(MemNodes)
		nodes.Put(nil, enc)
		_, _, err = NewUpdater(nodes, Options{}).Update(ctx, keccak.Sum256(enc), pairsOf("a key", "v", "a", "v", "aa", ""))
		require.ErrorIs(t, err, ErrCorrupt, name)
		var ne *NodeError
		require.ErrorAs(t, err, &ne, name)
	}
	nodes := new(MemNodes)
	nodes.Put(nil, leafNode) // as the good one of the list
	_, _, err := NewUpdater(nodes, Options{}).Update(ctx, keccak.Sum256(leafNode), pairsOf("a", "v"))
	require.NoError(t, err)
}

func TestSizeErrors(t *testing.T) {
	require.NoError(t, checkCount(MaxPairs))
	require.ErrorIs(t, checkCount(MaxPairs+1), ErrTooLarge)
	long := make([]byte, MaxBytes+1) // never touched, so never in memory
	for _, pairs := range [][]Pair{
		{{[]byte("b"), []byte("v")}, {[]byte("c"), long}},
		{{[]byte("b"), []byte("v")}, {long, []byte("v")}}, // not in order
		{{nil, []byte("v")}, {long, []byte("v")}},
	} {
		for name, f := range map[string]func() error{
			"mpt":    func() error { _, err := MPT(ctx, pairs, Options{}); return err },
			"secure": func() error { _, err := SecureMPT(ctx, pairs, Options{}); return err },
			"update": func() error {
				_, _, err := NewUpdater(new(MemNodes), Options{}).Update(ctx, EmptyRoot(), pairs)
				return err
			},
			"update secure": func() error {
				_, _, err := NewUpdater(new(MemNodes), Options{}).UpdateSecure(ctx, EmptyRoot(), pairs)
				return err
			},
		} {
			var se *SizeError
			err := f()
			require.ErrorAs(t, err, &se, name)
			require.ErrorIs(t, err, ErrTooLarge)
			require.Equal(t, 1, se.Index)
			require.Equal(t, MaxBytes+1, se.Size)
		}
	}
	_, _, err := NewUpdater(new(MemNodes), Options{}).Update(ctx, EmptyRoot(), []Pair{{long[:MaxUpdateKey+1], nil}})
	require.EqualError(t, err, "stateroot: key of pair 0 has 4097 bytes, more than 4096")
	require.EqualError(t, checkCount(MaxPairs+1), "stateroot: 536870913 pairs are more than 536870912")
}

func TestUpdateOfADeepTrie(t *testing.T) {
	pairs := comb(400)
	root, nodes := buildNodes(t, pairs[:400])
	got, _, err := NewUpdater(nodes, Options{}).Update(ctx, root, pairs[400:])
	require.NoError(t, err)
	require.Equal(t, mustMPT(t, pairs), got)
}

func TestUpdateOfTheLongestKeys(t *testing.T) {
	key := make([]byte, MaxUpdateKey)
	var pairs []Pair
	for _, n := range []int{0, 1, 2, 100, MaxUpdateKey - 1, MaxUpdateKey} {
		pairs = append(pairs, Pair{key[:n], []byte{1}})
	}
	checkTrie(t, append(pairs, Pair{key, nil}, Pair{key[:100], nil}, Pair{key, []byte{2}}))
}
