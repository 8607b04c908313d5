package stateroot

import (
	"context"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/keccak"
)

var ctx = context.Background()

// randomPairs returns n operations on keys that share prefixes, are prefixes of
// each other, repeat and are deleted, with values on both sides of the length at
// which a node is embedded.
func randomPairs(r *rand.Rand, n int) []Pair {
	pairs := make([]Pair, n)
	width := 1 + r.IntN(6)
	fixed := r.IntN(2) == 0
	mask := []byte{0xff, 0x33, 0x11, 0x0f}[r.IntN(4)]
	longest := []int{3, 12, 40, 300}[r.IntN(4)]
	deletes := r.IntN(2) == 0
	prefix := randomBytes(r, []int{0, 0, 1, 30}[r.IntN(4)])
	for i := range pairs {
		l := width
		if !fixed {
			l = r.IntN(width + 1)
		}
		key := randomBytes(r, l)
		for k := range key {
			key[k] &= mask
		}
		pairs[i] = Pair{slices.Concat(prefix, key), randomBytes(r, 1+r.IntN(longest))}
		if deletes && r.IntN(4) == 0 {
			pairs[i].Value = nil
		}
	}
	return pairs
}

func randomBytes(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// manyPairs returns n pairs with distinct 32-byte keys in ascending order.
func manyPairs(n int) []Pair {
	pairs := make([]Pair, n)
	for i := range pairs {
		key := keccak.Sum256(binary.BigEndian.AppendUint32(nil, uint32(i)))
		pairs[i] = Pair{key[:], key[:1+i%32]}
	}
	slices.SortFunc(pairs, func(a, b Pair) int { return slices.Compare(a.Key, b.Key) })
	return pairs
}

// randomState returns n entries, some of them absent, some of them repeated.
func randomState(r *rand.Rand, n int) State {
	s := make(State, n)
	for i := range s {
		var entity [24]byte
		binary.BigEndian.PutUint32(entity[20:], uint32(r.IntN(1+n)))
		s[i].Key, _ = MakeKey(byte(r.IntN(3)), entity, uint64(r.IntN(2)))
		if r.IntN(8) > 0 {
			copy(s[i].Value[r.IntN(32):], randomBytes(r, 32))
		}
	}
	return s
}

// buildNodes returns the root and the nodes of the trie over pairs.
func buildNodes(t testing.TB, pairs []Pair) ([32]byte, *MemNodes) {
	nodes := new(MemNodes)
	root, err := MPT(ctx, pairs, Options{Workers: 1, Emit: nodes.Put})
	require.NoError(t, err)
	return root, nodes
}

// mustMPT returns the root of the trie over pairs.
func mustMPT(t testing.TB, pairs []Pair) [32]byte {
	root, err := MPT(ctx, pairs, Options{Workers: 1})
	require.NoError(t, err)
	return root
}

// eagerBuilder returns a Builder that cuts the smallest of inputs into spans and
// batches.
func eagerBuilder(o Options) *Builder {
	b := NewBuilder(o)
	b.shape.minSpan, b.maxBatch = 0, 200
	return b
}

// counter is a Hasher that counts its calls, and can fail or call back at one.
type counter struct {
	keccak.Hasher
	calls, messages int
	smallest        int
	at              int // the call, from 1, at which f is called
	f               func() error
}

func newCounter() *counter { return &counter{Hasher: keccak.Scalar()} }

func (c *counter) count(n int) error {
	c.calls++
	c.messages += n
	if c.calls == 1 || n < c.smallest {
		c.smallest = n
	}
	if c.calls == c.at {
		return c.f()
	}
	return nil
}

func (c *counter) Sum256(ctx context.Context, dst [][32]byte, m keccak.Messages) error {
	if err := c.count(len(dst)); err != nil {
		return err
	}
	return c.Hasher.Sum256(ctx, dst, m)
}

func (c *counter) SumFixed(ctx context.Context, dst [][32]byte, data []byte, width int) error {
	if err := c.count(len(dst)); err != nil {
		return err
	}
	return c.Hasher.SumFixed(ctx, dst, data, width)
}

// trials returns n, or a tenth of it under -short.
func trials(n int) int {
	if testing.Short() {
		return n / 10
	}
	return n
}
