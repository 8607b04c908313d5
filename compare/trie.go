package main

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/ethereum/go-ethereum/core/rawdb"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/trie"
	"github.com/ethereum/go-ethereum/triedb"

	"github.com/crosspoint-kernels/crosspoint/kat"
	"github.com/crosspoint-kernels/crosspoint/keccak"
	"github.com/crosspoint-kernels/crosspoint/stateroot"
)

const (
	gethName = "go-ethereum v1.17.10"
	accounts = 50_000
	// changed is how many accounts an update changes: one in a hundred.
	changed = accounts / 100
)

// trieGroup compares the root of a trie of 50,000 accounts: from keys that are
// hashed and sorted and values that are encoded already, and from addresses; and
// the root after an update.
func trieGroup() ([]pair, func(), error) {
	raw, err := accountPairs(accounts)
	if err != nil {
		return nil, nil, err
	}
	sorted := hashedAndSorted(raw)
	work := func(s string) string { return fmt.Sprintf("root of %d accounts, %s", accounts, s) }
	fromSorted, fromAddresses := stackTrie(sorted), stackTrieOfAddresses(raw)
	two := keccak.NewParallel(2)
	update, rebuild, geth, err := updates(sorted)
	pairs := []pair{
		{work("sorted hashed keys, one thread"), build(sorted, stateroot.Options{Workers: 1}), fromSorted},
		{work("sorted hashed keys, two threads"), build(sorted, stateroot.Options{Workers: 2, Small: two}), fromSorted},
		{work("addresses, one thread"), buildSecure(raw, stateroot.Options{Workers: 1}), fromAddresses},
		{work("sorted hashed keys, one thread"), build(sorted, stateroot.Options{Workers: 1}), insertAll(sorted)},
		{fmt.Sprintf("root after %d of %d accounts changed, one thread", changed, accounts), update, rebuild},
		{fmt.Sprintf("root after %d of %d accounts changed, one thread", changed, accounts), update, geth},
	}
	return pairs, func() { two.Close() }, err
}

// accountPairs returns addresses and encoded accounts, by the rule of the known
// answers.
func accountPairs(n int) ([]stateroot.Pair, error) {
	entries, err := kat.RuleAccount.Entries(n, uint64(n))
	pairs := make([]stateroot.Pair, len(entries))
	for i, e := range entries {
		pairs[i] = stateroot.Pair{Key: e.Key, Value: e.Value}
	}
	return pairs, err
}

func hashedAndSorted(pairs []stateroot.Pair) []stateroot.Pair {
	hashed := make([]stateroot.Pair, len(pairs))
	for i, p := range pairs {
		hashed[i] = stateroot.Pair{Key: crypto.Keccak256(p.Key), Value: p.Value}
	}
	slices.SortFunc(hashed, func(a, b stateroot.Pair) int { return bytes.Compare(a.Key, b.Key) })
	return hashed
}

// rootSide is a side whose output is a root.
func rootSide(name string, run func(ctx context.Context) ([32]byte, error)) side {
	var root [32]byte
	return side{name, 1, func(ctx context.Context) (err error) {
		root, err = run(ctx)
		return err
	}, func() []byte { return root[:] }}
}

// build and buildSecure reuse a Builder, as a node does block after block.
func build(pairs []stateroot.Pair, o stateroot.Options) side {
	b := stateroot.NewBuilder(o)
	return rootSide("ours", func(ctx context.Context) ([32]byte, error) { return b.MPT(ctx, pairs) })
}

func buildSecure(pairs []stateroot.Pair, o stateroot.Options) side {
	b := stateroot.NewBuilder(o)
	return rootSide("ours", func(ctx context.Context) ([32]byte, error) { return b.SecureMPT(ctx, pairs) })
}

func stackTrie(pairs []stateroot.Pair) side {
	return rootSide(gethName+" StackTrie", func(context.Context) ([32]byte, error) { return stackRoot(pairs) })
}

func stackTrieOfAddresses(pairs []stateroot.Pair) side {
	return rootSide(gethName+" StackTrie", func(context.Context) ([32]byte, error) {
		return stackRoot(hashedAndSorted(pairs))
	})
}

func stackRoot(pairs []stateroot.Pair) ([32]byte, error) {
	t := trie.NewStackTrie(nil)
	for _, p := range pairs {
		if err := t.Update(p.Key, p.Value); err != nil {
			return [32]byte{}, err
		}
	}
	return t.Hash(), nil
}

// insertAll builds go-ethereum's trie of nodes, which can be updated afterwards.
func insertAll(pairs []stateroot.Pair) side {
	return rootSide(gethName+" Trie", func(context.Context) ([32]byte, error) {
		t, err := fullTrie(pairs)
		if err != nil {
			return [32]byte{}, err
		}
		return t.Hash(), nil
	})
}

func fullTrie(pairs []stateroot.Pair) (*trie.Trie, error) {
	t := trie.NewEmpty(triedb.NewDatabase(rawdb.NewMemoryDatabase(), nil))
	return t, updateAll(t, pairs)
}

func updateAll(t *trie.Trie, pairs []stateroot.Pair) error {
	for _, p := range pairs {
		if err := t.Update(p.Key, p.Value); err != nil {
			return err
		}
	}
	return nil
}

// updates gives the three ways to the root after one account in a hundred took
// the value of another: our Updater, which reads hashed nodes by path, our full
// rebuild, and go-ethereum's trie with all of its nodes in memory.
func updates(sorted []stateroot.Pair) (update, rebuild, geth side, err error) {
	ctx := context.Background()
	nodes := new(stateroot.MemNodes)
	before, err := stateroot.NewBuilder(stateroot.Options{Workers: 1, Emit: nodes.Put}).MPT(ctx, sorted)
	if err != nil {
		return update, rebuild, geth, err
	}
	after, changes := slices.Clone(sorted), []stateroot.Pair(nil)
	for i := 0; i < len(after); i += len(after) / changed {
		after[i].Value = sorted[(i+1)%len(sorted)].Value
		changes = append(changes, after[i])
	}
	u := stateroot.NewUpdater(nodes, stateroot.Options{Workers: 1})
	update = rootSide("ours, Update", func(ctx context.Context) ([32]byte, error) {
		root, _, err := u.Update(ctx, before, changes)
		return root, err
	})
	rebuild = build(after, stateroot.Options{Workers: 1})
	rebuild.name = "ours, full rebuild"
	full, err := fullTrie(sorted)
	if err != nil {
		return update, rebuild, geth, err
	}
	full.Hash()
	geth = rootSide(gethName+" Trie", func(context.Context) ([32]byte, error) {
		t := full.Copy()
		err := updateAll(t, changes)
		return t.Hash(), err
	})
	return update, rebuild, geth, nil
}
