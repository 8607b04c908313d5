package stateroot

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// An update must leave the root and exactly the nodes of a trie that is built
// from nothing.
func TestUpdateAgainstRebuild(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for trial := range trials(1500) {
		pairs := randomPairs(r, r.IntN(1+r.IntN(300)))
		cut := r.IntN(1 + len(pairs))
		root, nodes := buildNodes(t, pairs[:cut])
		u := NewUpdater(nodes, Options{Workers: 1 + r.IntN(3)})
		if r.IntN(2) == 0 {
			u.maxBatch = 100
		}
		for cut < len(pairs) {
			n := min(len(pairs)-cut, 1+r.IntN(50))
			next, written, err := u.Update(ctx, root, pairs[cut:cut+n])
			require.NoError(t, err)
			checkWritten(t, nodes, written)
			nodes.Apply(written)
			cut += n
			want, wantNodes := buildNodes(t, pairs[:cut])
			require.Equal(t, want, next, "trial %d", trial)
			require.True(t, wantNodes.Equal(nodes), "trial %d", trial)
			root = next
		}
	}
}

// checkWritten checks that written ascends, and deletes only what is there.
func checkWritten(t *testing.T, nodes *MemNodes, written []Node) {
	for i, w := range written {
		if i > 0 {
			require.Negative(t, slices.Compare(written[i-1].Path, w.Path))
		}
		if w.Enc == nil {
			old, _ := nodes.Get(w.Path)
			require.NotNil(t, old)
		}
	}
}

func TestUpdateFromNothingAndToNothing(t *testing.T) {
	pairs := manyPairs(300)
	nodes := new(MemNodes)
	u := NewUpdater(nodes, Options{})
	root, written, err := u.Update(ctx, EmptyRoot(), pairs)
	require.NoError(t, err)
	require.Equal(t, mustMPT(t, pairs), root)
	nodes.Apply(written)

	gone := make([]Pair, len(pairs))
	for i, p := range pairs {
		gone[i] = Pair{Key: p.Key}
	}
	root, written, err = u.Update(ctx, root, gone)
	require.NoError(t, err)
	require.Equal(t, EmptyRoot(), root)
	nodes.Apply(written)
	require.Zero(t, nodes.Len())
}

func TestUpdateThatChangesNothing(t *testing.T) {
	pairs := manyPairs(300)
	root, nodes := buildNodes(t, pairs)
	u := NewUpdater(nodes, Options{})
	for name, changes := range map[string][]Pair{
		"no changes":      nil,
		"the same values": pairs[100:110],
		"absent keys":     {{Key: []byte("a")}, {Key: nil}, {Key: append(slices.Clone(pairs[3].Key), 1)}, {Key: pairs[3].Key[:31]}},
		"set and put back": {
			{pairs[7].Key, []byte("x")}, {pairs[7].Key, nil}, pairs[7],
		},
	} {
		got, written, err := u.Update(ctx, root, changes)
		require.NoError(t, err, name)
		require.Equal(t, root, got, name)
		require.Empty(t, written, name)
	}
}

func TestUpdateSecureAndState(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for range trials(100) {
		s := randomState(r, 1+r.IntN(200))
		cut := r.IntN(len(s))
		nodes := new(MemNodes)
		root, err := StateMPT(ctx, s[:cut], Options{Emit: nodes.Put})
		require.NoError(t, err)
		got, _, err := NewUpdater(nodes, Options{}).UpdateState(ctx, root, s[cut:])
		require.NoError(t, err)
		want, err := StateMPT(ctx, s, Options{})
		require.NoError(t, err)
		require.Equal(t, want, got)

		pairs := randomPairs(r, 1+r.IntN(200))
		cut = r.IntN(len(pairs))
		nodes = new(MemNodes)
		root, err = SecureMPT(ctx, pairs[:cut], Options{Emit: nodes.Put})
		require.NoError(t, err)
		got, _, err = NewUpdater(nodes, Options{}).UpdateSecure(ctx, root, pairs[cut:])
		require.NoError(t, err)
		want, err = SecureMPT(ctx, pairs, Options{})
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
}

// An Updater may be asked about any root that its store has, whatever it wrote
// before: what it kept of other tries must not get in.
func TestUpdaterKeepsTriesApart(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	a, b := manyPairs(400), manyPairs(500)[50:]
	rootA, nodesA := buildNodes(t, a)
	rootB, nodesB := buildNodes(t, b)
	store := &switchNodes{}
	u := NewUpdater(store, Options{})
	for range 200 {
		root, nodes, pairs := &rootA, nodesA, &a
		if r.IntN(2) == 0 {
			root, nodes, pairs = &rootB, nodesB, &b
		}
		store.Nodes = nodes
		change := Pair{(*pairs)[r.IntN(400)].Key, randomBytes(r, r.IntN(3))}
		next, written, err := u.Update(ctx, *root, []Pair{change})
		require.NoError(t, err)
		*pairs = append(*pairs, change)
		require.Equal(t, mustMPT(t, *pairs), next)
		if r.IntN(4) > 0 { // else the block is thrown away
			nodes.Apply(written)
			*root = next
		} else {
			*pairs = (*pairs)[:len(*pairs)-1]
		}
	}
}

type switchNodes struct{ Nodes }

// Nodes are read and checked a level at a time, also below an extension that other
// changes part from, and nothing is read for no change.
func TestUpdateReadsByLevel(t *testing.T) {
	var pairs []Pair
	for i := range 1000 {
		pairs = append(pairs, Pair{[]byte{1, 1, byte(i >> 8), byte(i), byte(i >> 4)}, make([]byte, 40)})
	}
	root, nodes := buildNodes(t, pairs)
	changes := []Pair{{[]byte{0}, []byte("v")}, {[]byte{2}, []byte("v")}, {[]byte{1, 1}, []byte("v")}}
	for _, p := range pairs {
		changes = append(changes, Pair{p.Key, []byte("a value long enough to be hashed")})
	}
	h := newCounter()
	store := &badNodes{Nodes: nodes}
	u := NewUpdater(store, Options{Small: h})
	_, _, err := u.Update(ctx, root, changes)
	require.NoError(t, err)
	require.Len(t, store.asks, nodes.Len())
	require.LessOrEqual(t, h.calls, 20)

	store.asks, h.calls = nil, 0
	got, written, err := u.Update(ctx, root, nil)
	require.NoError(t, err)
	require.Equal(t, root, got)
	require.Empty(t, written)
	require.Empty(t, store.asks)
}
