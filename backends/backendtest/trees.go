package backendtest

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"github.com/crosspoint-kernels/crosspoint/backends/katrun"
	"github.com/crosspoint-kernels/crosspoint/kat"
	"github.com/crosspoint-kernels/crosspoint/keccak"
	"github.com/crosspoint-kernels/crosspoint/stateroot"
)

// mth is MTH of RFC 6962, section 2.1, with Keccak-256: a list is cut at the
// largest power of two that is smaller than it.
func mth(leaves []byte, width int) [32]byte {
	n := len(leaves) / width
	switch n {
	case 0:
		return keccak.Sum256(nil)
	case 1:
		return keccak.Sum256(slices.Concat([]byte{0}, leaves))
	}
	k := 1
	for 2*k < n {
		k *= 2
	}
	left, right := mth(leaves[:k*width], width), mth(leaves[k*width:], width)
	return keccak.Sum256(slices.Concat([]byte{1}, left[:], right[:]))
}

// checkTree holds a Hasher that computes whole trees to the definition. One that
// does not is none of its business: checkHasher says which must.
func checkTree(ctx context.Context, e *env) error {
	h, err := e.hasher()
	if err != nil {
		return err
	}
	tree, ok := h.(keccak.TreeHasher)
	if !ok {
		return nil
	}
	sizes := []int{127, 128, 129, 255, 256, 257, e.scale.wide}
	for n := range e.scale.sizes + 1 {
		sizes = append(sizes, n)
	}
	for _, n := range append(sizes, e.scale.messages...) {
		if err := compareRoot(ctx, tree, n, 64); err != nil {
			return err
		}
	}
	for _, width := range []int{1, 31, 32, 33, 63, 65, 134, 135, 136, 300} {
		for _, n := range []int{1, 2, 3, 7, 70} {
			if err := compareRoot(ctx, tree, n, width); err != nil {
				return err
			}
		}
	}
	return checkTreeErrors(ctx, tree)
}

// compareRoot computes the root of n leaves.
func compareRoot(ctx context.Context, tree keccak.TreeHasher, n, width int) error {
	leaves := fence("leaves", messagesOf([]int{n * width}, uint64(n*width+1))[0], 0x67)
	want := mth(leaves.want, width)
	got, err := tree.MerkleRoot(ctx, leaves.slice(), width)
	if err == nil && got != want {
		err = fmt.Errorf("got %s, want %s", hex.EncodeToString(got[:]), hex.EncodeToString(want[:]))
	}
	if err == nil {
		err = leaves.unchanged()
	}
	if err != nil {
		return fmt.Errorf("tree of %d leaves of %d bytes: %w", n, width, err)
	}
	return nil
}

func checkTreeErrors(ctx context.Context, tree keccak.TreeHasher) error {
	for name, c := range map[string]struct{ bytes, width int }{
		"width 0":            {64, 0},
		"width 0 of nothing": {0, 0},
		"width negative":     {64, -1},
		"no whole leaves":    {65, 32},
	} {
		_, err := tree.MerkleRoot(ctx, make([]byte, c.bytes), c.width)
		if _, err = expectHash(err, keccak.ErrShape); err != nil {
			return fmt.Errorf("tree, %s: %w", name, err)
		}
	}
	limited := newCountdown(ctx, 0)
	defer limited.cancel()
	_, err := tree.MerkleRoot(limited, make([]byte, 64*100), 64)
	if _, err = expectHash(err, context.Canceled); err != nil {
		return fmt.Errorf("tree, cancelled: %w", err)
	}
	return nil
}

// checkRoots computes state roots with every batch hashed by the backend: the
// known ones, and others as the reference has them.
func checkRoots(ctx context.Context, e *env) error {
	h, err := e.hasher()
	if err != nil {
		return err
	}
	files, err := kat.Files()
	if err != nil {
		return err
	}
	for i := range files {
		files[i].Roots = slices.DeleteFunc(files[i].Roots, func(v kat.RootVector) bool { return v.Len() > e.scale.roots })
	}
	for _, o := range katrun.CheckRoots(ctx, e.backend, files) {
		if o.Err != nil {
			return fmt.Errorf("%s: %s: %w", o.File, o.Vector, o.Err)
		}
	}
	var errs []error
	for i, n := range []int{1, 40, 300, e.scale.late} {
		for _, rule := range []kat.Rule{kat.RuleChurn, kat.RuleVarLen, kat.RuleShort4, kat.RuleAccount} {
			if err := compareTries(ctx, h, rule, n, uint64(1000+i)); err != nil {
				errs = append(errs, fmt.Errorf("%s of %d: %w", rule, n, err))
			}
		}
	}
	return errors.Join(errs...)
}

// compareTries computes the root of a rule's trie by the Hasher and by the
// scalar one: from all entries, and by an update with the second half of them,
// which has to leave the same nodes as well. Accounts are those of a secure trie;
// the other rules make keys of which hashing would leave nothing, neither their
// prefixes nor their short nodes.
func compareTries(ctx context.Context, h keccak.Hasher, rule kat.Rule, n int, seed uint64) error {
	pairs, err := pairsOf(rule, n, seed)
	if err != nil {
		return err
	}
	mpt, update := (*stateroot.Builder).MPT, (*stateroot.Updater).Update
	if rule == kat.RuleAccount {
		mpt, update = (*stateroot.Builder).SecureMPT, (*stateroot.Updater).UpdateSecure
	}
	scalar := func(pairs []stateroot.Pair) (*stateroot.MemNodes, [32]byte, error) {
		nodes := new(stateroot.MemNodes)
		b := stateroot.NewBuilder(stateroot.Options{Small: keccak.Scalar(), Workers: 1, Emit: nodes.Put})
		root, err := mpt(b, ctx, pairs)
		return nodes, root, err
	}
	wantNodes, want, err := scalar(pairs)
	if err != nil {
		return err
	}
	o := stateroot.Options{Big: h, Threshold: 1}
	got, err := mpt(stateroot.NewBuilder(o), ctx, pairs)
	if err == nil && got != want {
		err = &kat.RootMismatch{Got: got, Want: want}
	}
	if err != nil {
		return err
	}
	nodes, before, err := scalar(pairs[:len(pairs)/2])
	if err != nil {
		return err
	}
	got, written, err := update(stateroot.NewUpdater(nodes, o), ctx, before, pairs[len(pairs)/2:])
	if err == nil && got != want {
		err = &kat.RootMismatch{Got: got, Want: want}
	}
	if err != nil {
		return fmt.Errorf("update: %w", err)
	}
	if nodes.Apply(written); !nodes.Equal(wantNodes) {
		return errors.New("update: the nodes that it leaves are not the trie's")
	}
	return nil
}

func pairsOf(rule kat.Rule, n int, seed uint64) ([]stateroot.Pair, error) {
	entries, err := rule.Entries(n, seed)
	pairs := make([]stateroot.Pair, len(entries))
	for i, x := range entries {
		pairs[i] = stateroot.Pair{Key: x.Key, Value: x.Value}
	}
	return pairs, err
}
