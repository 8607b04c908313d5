package main

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/keccak"
	"github.com/crosspoint-kernels/crosspoint/stateroot"
)

// history is the operations of a trie: those of its first root, and those of
// each root after it.
type history [][]stateroot.Pair

// randomHistory makes the history of one number: up to 300 operations, and up to
// three rounds more. Half have keys of one length, half any keys, the empty one
// and prefixes of others among them, which go-ethereum's Trie takes too.
func randomHistory(number int) history {
	g := keyValues{r: rand.New(rand.NewPCG(3, uint64(number)))}
	if number%2 == 0 {
		g.length = lengths[g.r.IntN(len(lengths))]
	}
	g.mask = []byte{0x01, 0x11, 0x33, 0x77, 0xff}[g.r.IntN(5)]
	g.prefix = g.bytes(g.r.IntN(4))
	h := history{g.operations(g.r.IntN(301))}
	for range g.r.IntN(4) {
		h = append(h, g.operations(1+g.r.IntN(20)))
	}
	return h
}

// lengths are those of keys where all have the same.
var lengths = []int{1, 2, 4, 8, 20, 32}

// keyValues makes keys that share prefixes, and values.
type keyValues struct {
	r      *rand.Rand
	length int    // of every key; 0 for any
	mask   byte   // of key bytes: the fewer bits, the longer the shared prefixes
	prefix []byte // of half of the keys
	keys   [][]byte
}

func (g *keyValues) bytes(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(g.r.Uint32()) & g.mask
	}
	return b
}

// operations sets new keys, and keys that were there; one in five deletes,
// a few of them keys that never were.
func (g *keyValues) operations(n int) []stateroot.Pair {
	pairs := make([]stateroot.Pair, n)
	for i := range pairs {
		var value []byte
		if g.r.IntN(5) > 0 {
			value = g.value()
		}
		pairs[i] = stateroot.Pair{Key: g.key(len(value) == 0), Value: value}
	}
	return pairs
}

// key returns a new key or one of before, mostly the latter to delete.
func (g *keyValues) key(deleted bool) []byte {
	again := g.r.IntN(6) == 0 || deleted && g.r.IntN(8) > 0
	if again && len(g.keys) > 0 {
		return g.keys[g.r.IntN(len(g.keys))]
	}
	var key []byte
	switch {
	case g.length > 0:
		key = g.bytes(g.length)
		if g.r.IntN(2) == 0 {
			copy(key, g.prefix)
		}
	case len(g.keys) > 0 && g.r.IntN(3) == 0: // a prefix of another, or the reverse
		key = slices.Concat(g.keys[g.r.IntN(len(g.keys))], g.bytes(1+g.r.IntN(2)))
		key = key[:max(0, len(key)-g.r.IntN(4))]
	default:
		key = slices.Concat(g.prefix, g.bytes(g.r.IntN(5)))
	}
	g.keys = append(g.keys, key)
	return key
}

// value has a length by which a leaf is mostly near to 32 bytes, where a parent
// starts to hold a hash instead of it.
func (g *keyValues) value() []byte {
	n := 1 + g.r.IntN(3)
	switch g.r.IntN(4) {
	case 0:
		n = 20 + g.r.IntN(14)
	case 1:
		n = 1 + g.r.IntN(120)
	}
	value := make([]byte, n)
	for i := range value {
		value[i] = byte(g.r.Uint32())
	}
	return value
}

// rivalRoots returns go-ethereum's root of each round, by Trie, and an error if
// its StackTrie differs where it can be used.
func rivalRoots(h history) ([][32]byte, error) {
	t, err := fullTrie(nil)
	if err != nil {
		return nil, err
	}
	var roots [][32]byte
	live := map[string][]byte{}
	for round, pairs := range h {
		if err := updateAll(t, pairs); err != nil {
			return nil, err
		}
		for _, p := range pairs {
			live[string(p.Key)] = p.Value
			if len(p.Value) == 0 {
				delete(live, string(p.Key))
			}
		}
		roots = append(roots, t.Hash())
		sorted := sortedPairs(live)
		if !prefixFree(sorted) {
			continue
		}
		root, err := stackRoot(sorted)
		if err != nil {
			return nil, err
		}
		if root != roots[round] {
			return nil, fmt.Errorf("round %d: Trie has %x, StackTrie %x", round, roots[round], root)
		}
	}
	return roots, nil
}

func sortedPairs(live map[string][]byte) []stateroot.Pair {
	var pairs []stateroot.Pair
	for _, key := range slices.Sorted(maps.Keys(live)) {
		pairs = append(pairs, stateroot.Pair{Key: []byte(key), Value: live[key]})
	}
	return pairs
}

// prefixFree reports whether no key is a prefix of another, which StackTrie
// demands. It takes no empty key either.
func prefixFree(sorted []stateroot.Pair) bool {
	for i, p := range sorted {
		if len(p.Key) == 0 || i > 0 && bytes.HasPrefix(p.Key, sorted[i-1].Key) {
			return false
		}
	}
	return true
}

// ourTries keeps a Builder and an Updater from trie to trie.
type ourTries struct {
	builder *stateroot.Builder
	updater *stateroot.Updater
	built   *stateroot.MemNodes // what the Builder emits
	kept    *stateroot.MemNodes // what the Updater reads
}

func newOurTries(o stateroot.Options) *ourTries {
	s := new(ourTries)
	o.Emit = func(path, enc []byte) error { return s.built.Put(path, enc) }
	s.builder, s.updater = stateroot.NewBuilder(o), stateroot.NewUpdater(s, o)
	return s
}

// Get makes ourTries the Nodes of its Updater.
func (s *ourTries) Get(path []byte) ([]byte, error) { return s.kept.Get(path) }

// check returns an error unless both ways have the wanted root in every round:
// from all operations so far, and from the nodes of the round before. The nodes
// that the updates leave have to be those of the whole trie.
func (s *ourTries) check(t *testing.T, h history, want [][32]byte) error {
	var all []stateroot.Pair
	for round, pairs := range h {
		all = append(all, pairs...)
		s.built = new(stateroot.MemNodes)
		root, err := s.builder.MPT(t.Context(), all)
		if err != nil {
			return err
		}
		if root != want[round] {
			return fmt.Errorf("round %d: built %x, want %x", round, root, want[round])
		}
		if round == 0 {
			s.kept = s.built
			continue
		}
		root, written, err := s.updater.Update(t.Context(), want[round-1], pairs)
		if err != nil {
			return err
		}
		if root != want[round] {
			return fmt.Errorf("round %d: updated to %x, want %x", round, root, want[round])
		}
		if s.kept.Apply(written); !s.kept.Equal(s.built) {
			return fmt.Errorf("round %d: the nodes after the update are not the trie's", round)
		}
	}
	return nil
}

// Package stateroot promises Ethereum's roots; here go-ethereum itself is asked.
// The wgsl backend takes half a minute: each level of a trie is a submission.
func TestRootsEqualGoEthereum(t *testing.T) {
	tries := 10_000
	if testing.Short() {
		tries = 500
	}
	want := make([][][32]byte, tries)
	for i := range want {
		var err error
		if want[i], err = rivalRoots(randomHistory(i)); err != nil {
			t.Fatalf("trie %d: %v", i, err)
		}
	}
	check := func(t *testing.T, o stateroot.Options) {
		s := newOurTries(o)
		for i := range tries {
			if err := s.check(t, randomHistory(i), want[i]); err != nil {
				t.Fatalf("trie %d: %v", i, err)
			}
		}
	}
	t.Run("scalar", func(t *testing.T) {
		check(t, stateroot.Options{Small: keccak.Scalar(), Workers: 1})
	})
	t.Run("cpu", func(t *testing.T) {
		check(t, stateroot.Options{Big: openHasher(t, "cpu"), Threshold: 1})
	})
	t.Run("wgsl", func(t *testing.T) {
		check(t, stateroot.Options{Big: openHasher(t, "wgsl"), Threshold: 1})
	})
}

// openHasher skips the test if there is no such backend and none is demanded.
func openHasher(t *testing.T, name string) keccak.Hasher {
	b, err := backends.Open(name, backends.Options{AllowSoftware: true})
	if errors.Is(err, backends.ErrUnavailable) && !slices.Contains(strings.Split(*require, ","), name) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	h, err := b.Keccak()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	return h
}

// The comparison can fail: one operation that only one side has is noticed.
func TestAnotherTrieHasAnotherRoot(t *testing.T) {
	s := newOurTries(stateroot.Options{Workers: 1})
	for i := range 200 {
		h := randomHistory(i)
		want, err := rivalRoots(h)
		if err != nil {
			t.Fatal(err)
		}
		last := h[len(h)-1]
		if len(last) == 0 {
			continue
		}
		// No later operation hides the last one: a bit of its value, or a key
		// that is there instead of deleted.
		p := &last[len(last)-1]
		if p.Value = bytes.Clone(p.Value); len(p.Value) > 0 {
			p.Value[0] ^= 1
		} else {
			p.Value = []byte{1}
		}
		if s.check(t, h, want) == nil {
			t.Errorf("trie %d: a changed value was not noticed", i)
		}
	}
}
