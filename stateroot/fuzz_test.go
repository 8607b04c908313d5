package stateroot

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/keccak"
)

// fuzzPairs reads operations from bytes: for each the lengths of a key and of a
// value, how much of the last key the key begins with, and both.
func fuzzPairs(data []byte) []Pair {
	var pairs []Pair
	var last []byte
	take := func(n int) []byte {
		n = min(n, len(data))
		b := data[:n:n]
		data = data[n:]
		return b
	}
	for len(data) >= 3 {
		h := take(3)
		key := append(bytes.Clone(last[:min(len(last), int(h[0]%8))]), take(int(h[1]%5))...)
		pairs = append(pairs, Pair{key, take(int(h[2] % 48))})
		last = key
	}
	return pairs
}

func fuzzSeeds(f *testing.F) {
	f.Add([]byte{}, uint8(0))
	f.Add([]byte("\x00\x01\x01ab\x01\x01\x01cd\x01\x01\x00c"), uint8(1))
	f.Add([]byte("\x00\x02\x05keval00\x02\x01\x05yvalue\x01\x02\x21eyabcdefghijklmnopqrstuvwxyz1234567"), uint8(2))
}

// FuzzMPT compares roots with the reference, of builders that work in different
// ways.
func FuzzMPT(f *testing.F) {
	fuzzSeeds(f)
	one, three := NewBuilder(Options{Workers: 1}), eagerBuilder(Options{Workers: 3})
	f.Fuzz(func(t *testing.T, data []byte, _ uint8) {
		pairs := fuzzPairs(data)
		want := refRoot(pairs)
		for _, b := range []*Builder{one, three} {
			got, err := b.MPT(ctx, pairs)
			require.NoError(t, err)
			require.Equal(t, want, got)
		}
	})
}

// FuzzUpdate compares an update of the trie over some operations by the others
// with the trie over all of them, root and nodes.
func FuzzUpdate(f *testing.F) {
	fuzzSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte, cut uint8) {
		pairs := fuzzPairs(data)
		n := min(int(cut), len(pairs))
		root, nodes := buildNodes(t, pairs[:n])
		u := NewUpdater(nodes, Options{Workers: 2})
		got, written, err := u.Update(ctx, root, pairs[n:])
		require.NoError(t, err)
		nodes.Apply(written)
		want, wantNodes := buildNodes(t, pairs)
		require.Equal(t, want, got)
		require.True(t, wantNodes.Equal(nodes))
	})
}

// FuzzDecode checks that only nodes are accepted whose encoding is what was read.
func FuzzDecode(f *testing.F) {
	_, nodes := buildNodes(f, append(generated("varlen", 16), generated("prefix28", 16)...))
	for n := range nodes.All() {
		f.Add(n.Enc)
	}
	f.Fuzz(func(t *testing.T, enc []byte) {
		var n partialNode
		if _, err := n.decode(enc, nil); err != nil {
			require.ErrorIs(t, err, ErrCorrupt)
			return
		}
		require.Equal(t, enc, encodeAgain(&n))
	})
}

// encodeAgain encodes a decoded node from its parts.
func encodeAgain(n *partialNode) []byte {
	t := &partial{nodes: []partialNode{{}}}
	n.dirty, n.size = true, uint32(len(n.enc))
	if n.kind == branchNode {
		n.enc = append(bytes.Clone(n.enc), 0) // so that it is not copied
	}
	dst := make([]byte, n.size)
	return dst[:t.encode(dst, n)]
}

// FuzzMalformedStore updates a trie whose root is any bytes at all, of the right
// hash, with any bytes below it: there may be an error, but no panic.
func FuzzMalformedStore(f *testing.F) {
	_, nodes := buildNodes(f, append(generated("varlen", 16), generated("short4", 16)...))
	for n := range nodes.All() {
		f.Add(n.Enc, n.Enc, []byte("\x00\x01\x01\x33b\x01\x01\x01cd\x01\x01\x00c"))
	}
	f.Fuzz(func(t *testing.T, root, below, data []byte) {
		// Let the first hash in root be that of below.
		h := keccak.Sum256(below)
		if i := bytes.IndexByte(root, rlpDigest); i >= 0 && len(root) >= i+33 {
			root = bytes.Clone(root)
			copy(root[i+1:], h[:])
		}
		u := NewUpdater(anyNodes{root, below}, Options{})
		next, written, err := u.Update(ctx, keccak.Sum256(root), fuzzPairs(data))
		if err != nil {
			var ne *NodeError
			require.ErrorAs(t, err, &ne)
			return
		}
		for _, w := range written {
			if len(w.Path) == 0 && w.Enc != nil {
				require.Equal(t, next, keccak.Sum256(w.Enc))
			}
		}
	})
}

// anyNodes have one root, and the same node at every other path.
type anyNodes struct{ root, below []byte }

func (a anyNodes) Get(path []byte) ([]byte, error) {
	if len(path) == 0 {
		return a.root, nil
	}
	return a.below, nil
}
