package stateroot

import (
	"bytes"
	"encoding/hex"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/keccak"
)

// The tests of this file are faults that other implementations had, as they show
// in a root. Each names where it was reported. Those of the hash function alone
// are tests of package keccak, and those of a device of its backend.

// checkTrie compares the root of pairs with the reference, built at once by
// builders of every kind, and by updates in several steps.
func checkTrie(t *testing.T, pairs []Pair) {
	t.Helper()
	want := refRoot(pairs)
	for _, workers := range []int{1, 2, 7} {
		for _, b := range []*Builder{NewBuilder(Options{Workers: workers}), eagerBuilder(Options{Workers: workers})} {
			got, err := b.MPT(ctx, pairs)
			require.NoError(t, err)
			require.Equal(t, want, got, "%d workers", workers)
		}
	}
	for _, step := range []int{1, 3, 50} {
		nodes, root := new(MemNodes), EmptyRoot()
		u := NewUpdater(nodes, Options{})
		for lo := 0; lo < len(pairs); lo += step {
			next, written, err := u.Update(ctx, root, pairs[lo:min(len(pairs), lo+step)])
			require.NoError(t, err)
			nodes.Apply(written)
			root = next
		}
		require.Equal(t, want, root, "steps of %d", step)
		_, wantNodes := buildNodes(t, pairs)
		require.True(t, wantNodes.Equal(nodes), "steps of %d", step)
	}
}

func pairsOf(kv ...string) []Pair {
	var pairs []Pair
	for i := 0; i < len(kv); i += 2 {
		pairs = append(pairs, Pair{[]byte(kv[i]), []byte(kv[i+1])})
	}
	return pairs
}

// Nodes of every length around a multiple of the rate: the padding is one byte,
// or a block of its own (wildcat-finance/skills#1860, Verified-zkEVM/evm-asm#10687,
// lfglabs-dev/verity#11, Zokrates/ZoKrates#1184).
func TestFaultPaddingAtBlockBoundaries(t *testing.T) {
	seen := map[int]bool{}
	b := NewBuilder(Options{Emit: func(_, enc []byte) error {
		seen[len(enc)] = true
		return nil
	}})
	for n := 1; n < 560; n++ {
		pairs := []Pair{{[]byte("key"), bytes.Repeat([]byte{0xee}, n)}, {[]byte("kez"), []byte("v")}}
		for _, p := range [][]Pair{pairs, pairs[:1]} {
			got, err := b.MPT(ctx, p)
			require.NoError(t, err)
			require.Equal(t, refRoot(p), got, "value of %d bytes", n)
		}
	}
	for _, n := range []int{135, 136, 137, 271, 272, 273, 407, 408, 409, 543, 544, 545} {
		require.True(t, seen[n], "no node of %d bytes", n)
	}
}

// Keccak-256 is not SHA3-256 (brix/crypto-js#184, #223, exthereum/blockchain#1).
func TestFaultSHA3ForKeccak(t *testing.T) {
	require.Equal(t, EmptyRoot(), keccak.Sum256([]byte{0x80}))
	require.NotEqual(t, EmptyRoot(), keccak.SumSHA3256([]byte{0x80}))
	got, err := Flat(ctx, nil)
	require.NoError(t, err)
	require.Equal(t, "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470", hex.EncodeToString(got[:]))
}

// Bytes are in the order of the definition on any machine (XKCP/XKCP#42,
// monero-project/monero#4392): key, value and slot are big-endian numbers.
func TestFaultByteOrder(t *testing.T) {
	key, err := MakeKey(1, [24]byte{}, 0x01020304050607)
	require.NoError(t, err)
	s := State{{Key: key, Value: [32]byte{30: 1, 31: 2}}}
	flat, err := Flat(ctx, s)
	require.NoError(t, err)
	message := make([]byte, 64)
	message[0] = 1
	copy(message[25:], []byte{1, 2, 3, 4, 5, 6, 7})
	message[62], message[63] = 1, 2
	require.Equal(t, keccak.Sum256(message), flat)
}

// Every width of every Hasher gives the same roots (damaki/libkeccak#19,
// EmbarkStudios/rust-gpu#1062): batches of 1 to 40 messages of mixed lengths.
func TestFaultOneWidthWrong(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	parallel := keccak.NewParallel(2)
	defer parallel.Close()
	for n := 1; n <= 40; n++ {
		var pairs []Pair
		for range n {
			pairs = append(pairs, Pair{randomBytes(r, 4), randomBytes(r, 1+r.IntN(300))})
		}
		for _, o := range []Options{{}, {Small: parallel}, {Big: parallel, Threshold: 1 + n/2}} {
			got, err := MPT(ctx, pairs, o)
			require.NoError(t, err)
			require.Equal(t, refRoot(pairs), got)
		}
	}
}

// Nodes on both sides of 32 bytes, where an embedded node turns into a hashed one
// and back (erigontech/erigon#20139, #6456, paradigmxyz/reth#21989,
// succinctlabs/rsp#8, gballet/multiproof-rs#31, Verified-zkEVM/evm-asm#10935).
func TestFaultEmbeddedNodes(t *testing.T) {
	for n := 1; n <= 40; n++ { // leaves of 27, 31, 32, 33 bytes among them
		v := string(bytes.Repeat([]byte{0xee}, n))
		checkTrie(t, pairsOf("\x00\x01", v, "\x00\x02", v))                // an extension, a branch
		checkTrie(t, pairsOf("\x00\x01", v, "\x00\x02", "a", "\x10", "b")) // below a branch
		checkTrie(t, pairsOf("\x00\x01", "a", "\x00\x02", "b", "\x00", v)) // and a value
		checkTrie(t, pairsOf("\x00\x01", "a", "\x00\x02", v, "\x00\x02", "b", "\x00\x01", v, "\x00\x02", ""))
	}
	// The whole trie is shorter than 32 bytes, and hashed all the same.
	checkTrie(t, pairsOf("a", "b"))
	checkTrie(t, pairsOf("\x01", "b", "\x02", "c"))
	// Slots 1 and 2 of a contract, unhashed: an inlined subtrie.
	one, two := make([]byte, 32), make([]byte, 32)
	one[31], two[31] = 1, 2
	checkTrie(t, []Pair{{one, []byte{1}}, {two, []byte{2}}})
	checkTrie(t, []Pair{{one, []byte{1}}, {two, []byte{2}}, {make([]byte, 32), bytes.Repeat([]byte{1}, 33)}})
}

// An empty value deletes (status-im/nim-eth#720), also a key that is not there,
// and the last key.
func TestFaultEmptyValueIsStored(t *testing.T) {
	checkTrie(t, pairsOf("a", ""))
	checkTrie(t, pairsOf("a", "1", "a", ""))
	checkTrie(t, pairsOf("a", "1", "b", "", "ab", ""))
	checkTrie(t, pairsOf("a", "1", "ab", "2", "a", "", "ac", "3", "ab", ""))
	checkTrie(t, pairsOf("a", "", "a", "1"))
	got, err := StateMPT(ctx, State{{Key: [32]byte{1}}, {Key: [32]byte{2}}}, Options{})
	require.NoError(t, err)
	require.Equal(t, EmptyRoot(), got)
}

// Keys that are prefixes of others, and deletions of the value of a branch
// (ethereumjs-monorepo#4346, aeternity/elixir-merkle-patricia-tree#13,
// ethereum/pyethereum#34, cspr-rad/kairos-trie#7), in every order.
func TestFaultPrefixKeys(t *testing.T) {
	set := pairsOf("", "nothing", "a", "1", "ab", "22", "abc", "333", "abcdefghijklmnop", "a long value that is hashed for sure")
	permute(set, func(pairs []Pair) {
		want := refRoot(pairs)
		require.Equal(t, want, mustMPT(t, pairs))
	})
	for skip := range set {
		for del := range set {
			ops := slices.Concat(set[:skip], set[skip+1:], []Pair{{Key: set[del].Key}})
			checkTrie(t, ops)
		}
	}
}

// permute calls f with each order of pairs.
func permute(pairs []Pair, f func([]Pair)) {
	var rec func(k int)
	rec = func(k int) {
		if k == len(pairs) {
			f(pairs)
			return
		}
		for i := k; i < len(pairs); i++ {
			pairs[k], pairs[i] = pairs[i], pairs[k]
			rec(k + 1)
			pairs[k], pairs[i] = pairs[i], pairs[k]
		}
	}
	rec(0)
}

// A key that is put twice (tronprotocol/java-tron#6696).
func TestFaultDuplicatePut(t *testing.T) {
	checkTrie(t, pairsOf("a", "1", "a", "1"))
	checkTrie(t, pairsOf("a", "1", "b", "2", "a", "3", "a", "4"))
	r := rand.New(rand.NewPCG(23, 24))
	for range 50 {
		pairs := randomPairs(r, 60)
		for range 30 {
			pairs = append(pairs, Pair{pairs[r.IntN(60)].Key, randomBytes(r, r.IntN(40))})
		}
		checkTrie(t, pairs)
	}
}

// Keys in any order, an empty key among them (go-ethereum#28361, #35757).
func TestFaultInputOrder(t *testing.T) {
	checkTrie(t, pairsOf("\xaa", "1", "\x10", "2"))
	checkTrie(t, pairsOf("", "1"))
	checkTrie(t, pairsOf("", "1", "\x00", "2"))
	checkTrie(t, pairsOf("\x00", "2", "", "1"))
}

// A parallel or batched root differs from the serial one, and always in the same
// way (erigontech/erigon#20920, paradigmxyz/reth#15353).
func TestFaultParallelDiffersFromSerial(t *testing.T) {
	r := rand.New(rand.NewPCG(25, 26))
	many := 70_001 // more than 65,536, and no power of two
	if testing.Short() {
		many = 7_001
	}
	for _, pairs := range [][]Pair{
		manyPairs(many),
		generated("prefix28", 5000),
		generated("varlen", 5000),
		comb(300),
	} {
		want, err := NewBuilder(Options{Workers: 1}).MPT(ctx, pairs)
		require.NoError(t, err)
		for _, workers := range []int{2, 3, 8, 33} {
			b := NewBuilder(Options{Workers: workers, Small: keccak.NewParallel(workers)})
			b.shape.minSpan = uint32(r.IntN(64))
			b.maxBatch = 1 << (10 + r.IntN(12))
			for range 2 {
				got, err := b.MPT(ctx, pairs)
				require.NoError(t, err)
				require.Equal(t, want, got, "%d workers", workers)
			}
			require.NoError(t, b.small.Close())
		}
	}
	require.Equal(t, refRoot(comb(300)), mustMPT(t, comb(300)))
}

// comb returns keys of which each is a prefix of the next, with a tooth at each
// depth: the deepest trie for its size.
func comb(n int) []Pair {
	var pairs []Pair
	for i := range n {
		key := bytes.Repeat([]byte{0x11}, i)
		pairs = append(pairs, Pair{key, []byte{byte(i), 1}}, Pair{append(slices.Clone(key), 0x22), []byte("tooth")})
	}
	return pairs
}

// The order of the input must not show in any root, for any number of entries
// (luxcpp/cevm sorts only powers of two, and only up to 65,536).
func TestFaultOrderOfEntriesShows(t *testing.T) {
	r := rand.New(rand.NewPCG(27, 28))
	b := NewBuilder(Options{Workers: 2})
	for _, n := range []int{0, 1, 2, 3, 5, 100, 127, 128, 129, 1000, 66_000} {
		if testing.Short() && n > 1000 {
			continue
		}
		s := make(State, n)
		for i := range s {
			s[i].Key, _ = MakeKey(1, [24]byte{byte(i), byte(i >> 8)}, uint64(i))
			s[i].Value[31] = 1
		}
		var want [3][32]byte
		for round := range 3 {
			var got [3][32]byte
			var err error
			for k, f := range []func() ([32]byte, error){
				func() ([32]byte, error) { return b.Flat(ctx, s) },
				func() ([32]byte, error) { return b.Merkle(ctx, s) },
				func() ([32]byte, error) { return b.StateMPT(ctx, s) },
			} {
				got[k], err = f()
				require.NoError(t, err)
			}
			if round == 0 {
				want = got
			}
			require.Equal(t, want, got, "%d entries", n)
			r.Shuffle(n, func(i, j int) { s[i], s[j] = s[j], s[i] })
		}
	}
}

// A level is reduced in place while others still read the one below it
// (luxcpp/cevm). Here levels are of many batches and packed by several workers.
func TestFaultLevelOverwritesItself(t *testing.T) {
	b := eagerBuilder(Options{Workers: 4})
	for n := 1; n <= 70; n++ {
		s := make(State, n)
		for i := range s {
			s[i] = Entry{Key: [32]byte{byte(i)}, Value: [32]byte{1}}
		}
		got, err := b.Merkle(ctx, s)
		require.NoError(t, err)
		require.Equal(t, refMerkle(refEntries(s)), got)
	}
}
