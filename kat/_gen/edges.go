package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"log"
)

// The tries of this file are those that other implementations were found to get
// wrong; kat/README.md says which.

func text(key, value string) pair { return pair{[]byte(key), []byte(value)} }

// filled returns n bytes.
func filled(n int) []byte { return bytes.Repeat([]byte{0x99}, n) }

// slot returns a key of 32 bytes.
func slot(i uint64) []byte { return binary.BigEndian.AppendUint64(make([]byte, 24), i) }

func (f *file) addTrieEdges() {
	f.addEmbedded()
	f.addOperations()
	f.addPrefixes()
	f.addLengths()
}

// addEmbedded appends nodes on both sides of the 32 bytes from which a parent
// holds a node by its digest.
func (f *file) addEmbedded() {
	// A leaf of 7 nibbles below the root's branch has 7 bytes and its value; the
	// other child is the shortest there is.
	for size := 26; size <= 34; size++ {
		f.addTrie(fmt.Sprintf("embedded/leaf-%d", size), false,
			pair{[]byte{0x11, 0x11, 0x11, 0x11}, filled(size - 7)}, pair{[]byte{0x21}, []byte{1}})
	}
	// A branch below the root's: 14 places without children and one without a
	// value, two leaves of an empty path, each a list of two strings.
	for _, lengths := range [][2]int{{2, 5}, {3, 5}, {4, 5}, {5, 5}, {5, 6}} {
		size := 1 + 15 + 2*3 + lengths[0] + lengths[1]
		f.addTrie(fmt.Sprintf("embedded/branch-%d", size), false,
			pair{[]byte{0x10}, filled(lengths[0])}, pair{[]byte{0x11}, filled(lengths[1])}, pair{[]byte{0x20}, []byte{1}})
	}
	// An extension of an embedded branch below the root's branch.
	for _, lengths := range [][2]int{{1, 1}, {2, 3}, {3, 3}, {3, 4}} {
		f.addTrie(fmt.Sprintf("embedded/extension-%d-%d", lengths[0], lengths[1]), false,
			pair{[]byte{0x11, 0x10}, filled(lengths[0])}, pair{[]byte{0x11, 0x11}, filled(lengths[1])},
			pair{[]byte{0x20, 0x00}, []byte{1}})
	}
	// A branch within a branch within the root.
	f.addTrie("embedded/nested", false, text("\x10\x00", "a"), text("\x10\x01", "b"), text("\x20\x00", "c"))
	// The root is hashed though it is short: a leaf, an extension, a branch.
	f.addTrie("embedded/root-leaf", false, text("\x10", "a"))
	f.addTrie("embedded/root-extension", false, text("\x10", "a"), text("\x11", "b"))
	f.addTrie("embedded/root-branch", false, text("\x10", "a"), text("\x20", "b"))
	// Slots that differ in the last nibble, with short values: the branch is
	// embedded in the root's extension, or held by its digest.
	for _, n := range []int{1, 4, 5, 32} {
		f.addTrie(fmt.Sprintf("embedded/slots-1-2/%d", n), false,
			pair{slot(1), filled(n)}, pair{slot(2), filled(n)})
	}
	f.addTrie("embedded/slots-1-2/secure", true, pair{slot(1), []byte{1}}, pair{slot(2), []byte{2}})
}

// addOperations appends what is put twice, overwritten and deleted.
func (f *file) addOperations() {
	a, b, c := text("\x10\x00", "first"), text("\x10\x01", "second"), text("\x20\x00", "third")
	drop := func(p pair) pair { return pair{p.key, nil} }
	f.addTrie("put/twice", false, a, a)
	f.addTrie("put/twice-among-others", false, a, b, c, b, b)
	f.addTrie("put/back-and-forth", false, a, b, pair{a.key, c.value}, a)
	f.addTrie("put/secure-twice", true, a, b, a)
	f.addTrie("delete/the-only-one", false, a, drop(a))
	f.addTrie("delete/what-was-never-there", false, a, drop(b))
	f.addTrie("delete/from-nothing", false, drop(a))
	f.addTrie("delete/twice", false, a, b, drop(a), drop(a))
	f.addTrie("delete/and-put-again", false, a, b, drop(a), a)
	f.addTrie("delete/branch-becomes-leaf", false, a, b, drop(b))
	f.addTrie("delete/branch-becomes-extension", false, a, b, c, drop(c))
	f.addTrie("delete/extensions-join", false, text("\x11\x11\x10", "a"), text("\x11\x11\x11", "b"), text("\x11\x22", "c"),
		drop(text("\x11\x22", "")))
	f.addTrie("delete/secure", true, a, b, c, drop(b))
	f.addTrie("delete/all", true, a, b, c, drop(c), drop(a), drop(b))
	// A StackTrie once took these two out of order without a word.
	f.addTrie("order/descending", false, text("\xaa", "x"), text("\x10", "y"))
	f.addTrie("order/ascending", false, text("\x10", "y"), text("\xaa", "x"))
}

// addPrefixes appends keys that are prefixes of others, and so values of
// branches.
func (f *file) addPrefixes() {
	chain := []pair{text("a", "1"), text("ab", "22"), text("abc", "333"), text("abcd", "4444")}
	f.addTrie("prefix/chain", false, chain...)
	f.addTrie("prefix/chain-descending", false, chain[3], chain[2], chain[1], chain[0])
	f.addTrie("prefix/delete-inner", false, append(chain[:4:4], text("ab", ""))...)
	f.addTrie("prefix/delete-outer", false, append(chain[:4:4], text("abcd", ""))...)
	f.addTrie("prefix/delete-first", false, append(chain[:4:4], text("a", ""))...)
	f.addTrie("prefix/delete-value-that-is-not-there", false, text("\x10\x00", "a"), text("\x10\x10", "b"), text("\x10", ""))
	f.addTrie("prefix/delete-value-of-a-branch-of-one", false, text("\x10", "v"), text("\x10\x00", "a"), text("\x10", ""))
	f.addTrie("prefix/delete-child-of-a-value", false, text("\x10", "v"), text("\x10\x00", "a"), text("\x10\x00", ""))
	f.addTrie("prefix/long-value", false, pair{[]byte("a"), filled(40)}, pair{[]byte("ab"), filled(40)})
	f.addTrie("prefix/empty-key", false, text("", "root"))
	f.addTrie("prefix/empty-key-and-others", false, text("", "root"), text("\x10", "a"), text("\x20", "b"))
	f.addTrie("prefix/empty-key-deleted", false, text("", "root"), text("\x10", "a"), text("", ""))
	f.addTrie("prefix/empty-key-secure", true, text("", "root"), text("\x10", "a"))
	all := []pair{text("\x10", "value")}
	for nibble := range 16 {
		all = append(all, pair{[]byte{0x10, byte(nibble << 4)}, filled(30)})
	}
	f.addTrie("prefix/full-branch", false, all...)
	f.addTrie("prefix/full-branch-of-sixteen", false, all[1:]...)
}

// addLengths appends values and keys around the lengths at which RLP changes
// its form, and nodes around the blocks of Keccak-256.
func (f *file) addLengths() {
	for _, value := range []string{"\x00", "\x01", "\x7f", "\x80", "\xff", "\x00\x00"} {
		f.addTrie(fmt.Sprintf("length/value-%x", value), false, text("key", value))
	}
	for _, n := range []int{54, 55, 56, 57, 254, 255, 256, 257} {
		f.addTrie(fmt.Sprintf("length/value-of-%d", n), false, pair{[]byte("key"), filled(n)})
	}
	for _, n := range []int{1, 2, 31, 32, 33, 54, 55, 56, 57, 64, 130} {
		f.addTrie(fmt.Sprintf("length/key-of-%d", n), false, pair{filled(n), []byte("value")})
	}
	for _, size := range []int{134, 135, 136, 137, 271, 272} {
		f.addTrie(fmt.Sprintf("length/node-of-%d", size), false, leafOf(size))
	}
}

// leafOf returns an entry that alone makes a node of size bytes.
func leafOf(size int) pair {
	for n := range size {
		p := pair{[]byte{1, 2, 3, 4}, filled(n)}
		if _, s := mptRoot([]pair{p}); s.Bytes == size {
			return p
		}
	}
	log.Fatalf("no leaf has %d bytes", size)
	return pair{}
}
