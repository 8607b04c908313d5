package katrun

import (
	"context"
	"fmt"
	"slices"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/kat"
	"github.com/crosspoint-kernels/crosspoint/keccak"
	"github.com/crosspoint-kernels/crosspoint/stateroot"
)

// CheckRoots computes the state roots of the files by package stateroot, with
// every batch hashed by the backend, and returns an outcome for each. A root is
// computed more than once, in ways that must not matter: from entries in reverse,
// on a Merkle tree level by level where the backend computes it whole, and of a
// short list of entries by updates, one entry after another. Where the backend
// has no Hasher every outcome is unsupported.
func CheckRoots(ctx context.Context, b backends.Backend, files []kat.File) []Outcome {
	h, err := b.Keccak()
	r := rootRunner{err: err}
	if err == nil {
		defer h.Close()
		r.options = stateroot.Options{Big: h, Threshold: 1}
		r.builder = stateroot.NewBuilder(r.options)
	}
	var outcomes []Outcome
	for _, f := range files {
		for _, v := range f.Roots {
			op := string(v.Kind)
			if v.Secure {
				op += " secure"
			}
			outcomes = append(outcomes, newOutcome(f.Name, v.Name, op, func() error { return r.check(ctx, &v) }))
		}
	}
	return outcomes
}

// mostUpdates is how many entries a root is computed from by updates.
const mostUpdates = 20

// rootRunner keeps a builder from root to root, as a caller would.
type rootRunner struct {
	options stateroot.Options
	builder *stateroot.Builder
	err     error // of making the Hasher
}

func (r *rootRunner) check(ctx context.Context, v *kat.RootVector) error {
	if r.err != nil {
		return r.err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	entries, err := v.Entries()
	if err != nil {
		return err
	}
	if err := v.CheckInputs(entries); err != nil {
		return err
	}
	for _, w := range waysOf(v, entries, r.options.Big) {
		root, err := w.root(r, ctx, v, entries)
		if err == nil {
			err = v.Check(root)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", w.name, err)
		}
	}
	return nil
}

// way is a way to compute a root.
type way struct {
	name string
	root func(r *rootRunner, ctx context.Context, v *kat.RootVector, entries []kat.Entry) ([32]byte, error)
}

// waysOf returns those by which the root of a vector is computed.
func waysOf(v *kat.RootVector, entries []kat.Entry, h keccak.Hasher) []way {
	ways := []way{{"built", (*rootRunner).built}}
	if distinct(entries) {
		ways = append(ways, way{"built from entries in reverse", (*rootRunner).reversed})
	}
	if _, tree := h.(keccak.TreeHasher); tree && v.Kind == kat.Merkle {
		ways = append(ways, way{"built level by level", (*rootRunner).levels})
	}
	if v.Kind == kat.MPT || v.Kind == kat.StateMPT {
		if v.Trie != nil {
			ways = append(ways, way{"built with its nodes", (*rootRunner).withNodes})
		}
		if len(entries) <= mostUpdates {
			ways = append(ways, way{"by updates", (*rootRunner).updated})
		}
	}
	return ways
}

// distinct reports whether no key is repeated, so that the order of the entries
// does not matter.
func distinct(entries []kat.Entry) bool {
	seen := make(map[string]bool, len(entries))
	for _, e := range entries {
		seen[string(e.Key)] = true
	}
	return len(seen) == len(entries)
}

func (r *rootRunner) built(ctx context.Context, v *kat.RootVector, entries []kat.Entry) ([32]byte, error) {
	return build(ctx, r.builder, v, entries)
}

func (r *rootRunner) reversed(ctx context.Context, v *kat.RootVector, entries []kat.Entry) ([32]byte, error) {
	entries = slices.Clone(entries)
	slices.Reverse(entries)
	return build(ctx, r.builder, v, entries)
}

// levels hides that the Hasher computes whole trees.
func (r *rootRunner) levels(ctx context.Context, v *kat.RootVector, entries []kat.Entry) ([32]byte, error) {
	o := r.options
	o.Big = struct{ keccak.Hasher }{o.Big}
	return build(ctx, stateroot.NewBuilder(o), v, entries)
}

// withNodes counts the nodes as well, since a root says nothing about the shape
// by which it was made: a node hashed twice, say, or too late. What it does not
// count are nodes by their kind, for which it would have to decode them.
func (r *rootRunner) withNodes(ctx context.Context, v *kat.RootVector, entries []kat.Entry) ([32]byte, error) {
	var got kat.TrieShape
	o := r.options
	o.Emit = func(_, enc []byte) error {
		got.Hashed++
		got.Bytes += len(enc)
		got.Permutations += len(enc)/136 + 1
		got.Longest = max(got.Longest, len(enc))
		return nil
	}
	ctx = stateroot.WithPhases(ctx, func(p stateroot.Phases) { got.ByHeight = p.Levels })
	root, err := build(ctx, stateroot.NewBuilder(o), v, entries)
	if err == nil {
		err = compareShapes(&got, v.Trie)
	}
	return root, err
}

// compareShapes compares what withNodes counts.
func compareShapes(got, want *kat.TrieShape) error {
	for _, c := range []struct {
		what      string
		got, want int
	}{
		{"hashed nodes", got.Hashed, want.Hashed},
		{"hashed bytes", got.Bytes, want.Bytes},
		{"permutations", got.Permutations, want.Permutations},
		{"bytes in the longest hashed node", got.Longest, want.Longest},
	} {
		if c.got != c.want {
			return fmt.Errorf("%w: %d %s, want %d", kat.ErrMismatch, c.got, c.what, c.want)
		}
	}
	if !slices.Equal(got.ByHeight, want.ByHeight) {
		return fmt.Errorf("%w: hashed nodes by height %d, want %d", kat.ErrMismatch, got.ByHeight, want.ByHeight)
	}
	return nil
}

// updated starts from the empty trie and applies one entry after another.
func (r *rootRunner) updated(ctx context.Context, v *kat.RootVector, entries []kat.Entry) ([32]byte, error) {
	nodes := &stateroot.MemNodes{}
	u := stateroot.NewUpdater(nodes, r.options)
	root := stateroot.EmptyRoot()
	for i := range entries {
		next, written, err := update(ctx, u, v, root, entries[i:i+1])
		if err != nil {
			return root, err
		}
		nodes.Apply(written)
		root = next
	}
	return root, nil
}

func build(ctx context.Context, b *stateroot.Builder, v *kat.RootVector, entries []kat.Entry) ([32]byte, error) {
	switch {
	case v.Kind == kat.Flat:
		return b.Flat(ctx, stateOf(entries))
	case v.Kind == kat.Merkle:
		return b.Merkle(ctx, stateOf(entries))
	case v.Kind == kat.StateMPT:
		return b.StateMPT(ctx, stateOf(entries))
	case v.Secure:
		return b.SecureMPT(ctx, pairsOf(entries))
	}
	return b.MPT(ctx, pairsOf(entries))
}

func update(ctx context.Context, u *stateroot.Updater, v *kat.RootVector, root [32]byte, entries []kat.Entry) ([32]byte, []stateroot.Node, error) {
	switch {
	case v.Kind == kat.StateMPT:
		return u.UpdateState(ctx, root, stateOf(entries))
	case v.Secure:
		return u.UpdateSecure(ctx, root, pairsOf(entries))
	}
	return u.Update(ctx, root, pairsOf(entries))
}

// stateOf returns entries with keys and values of 32 bytes as a state.
func stateOf(entries []kat.Entry) stateroot.State {
	s := make(stateroot.State, len(entries))
	for i, e := range entries {
		s[i] = stateroot.Entry{Key: [32]byte(e.Key), Value: [32]byte(e.Value)}
	}
	return s
}

func pairsOf(entries []kat.Entry) []stateroot.Pair {
	pairs := make([]stateroot.Pair, len(entries))
	for i, e := range entries {
		pairs[i] = stateroot.Pair{Key: e.Key, Value: e.Value}
	}
	return pairs
}
