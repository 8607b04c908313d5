package stateroot

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/keccak"
)

// roots are all the roots of a Builder, of one input each.
func roots(b *Builder) map[string]func(context.Context) ([32]byte, error) {
	s := randomState(rand.New(rand.NewPCG(19, 20)), 1500)
	pairs := manyPairs(1500)
	return map[string]func(context.Context) ([32]byte, error){
		"flat":   func(ctx context.Context) ([32]byte, error) { return b.Flat(ctx, s) },
		"merkle": func(ctx context.Context) ([32]byte, error) { return b.Merkle(ctx, s) },
		"mpt":    func(ctx context.Context) ([32]byte, error) { return b.MPT(ctx, pairs) },
		"secure": func(ctx context.Context) ([32]byte, error) { return b.SecureMPT(ctx, pairs) },
		"state":  func(ctx context.Context) ([32]byte, error) { return b.StateMPT(ctx, s) },
	}
}

func TestThresholdRoutesBatches(t *testing.T) {
	for _, threshold := range []int{1, 10, 1000, 0, 1 << 30} {
		big, small := newCounter(), newCounter()
		b := NewBuilder(Options{Big: big, Small: small, Threshold: threshold})
		plain := roots(NewBuilder(Options{}))
		for name, root := range roots(b) {
			got, err := root(ctx)
			require.NoError(t, err)
			want, err := plain[name](ctx)
			require.NoError(t, err)
			require.Equal(t, want, got)
		}
		if threshold == 0 {
			threshold = DefaultThreshold
		}
		if big.calls > 0 {
			require.GreaterOrEqual(t, big.smallest, threshold)
		}
		require.Equal(t, threshold == 1, small.calls == 0)
		require.Equal(t, threshold == 1<<30, big.calls == 0)
	}
}

// Whichever call of a Hasher fails, a root is its error, and the next root is
// right again.
func TestHasherThatFails(t *testing.T) {
	boom := errors.New("boom")
	h := newCounter()
	h.f = func() error { return boom }
	b := eagerBuilder(Options{Small: h, Workers: 2})
	b.maxBatch = 20_000
	for name, root := range roots(b) {
		want, err := root(ctx)
		require.NoError(t, err)
		h.calls, h.at = 0, 0
		_, err = root(ctx)
		require.NoError(t, err)
		for h.at = range h.calls + 1 {
			if h.at == 0 {
				continue
			}
			h.calls = 0
			_, err := root(ctx)
			require.ErrorIs(t, err, boom, name)
			var he *HashError
			require.ErrorAs(t, err, &he)
		}
		h.at = 0
		got, err := root(ctx)
		require.NoError(t, err)
		require.Equal(t, want, got, name)
	}
}

func TestTreeHasherThatFails(t *testing.T) {
	h := brokenTree{newCounter()}
	_, err := NewBuilder(Options{Big: h, Threshold: 1}).Merkle(ctx, randomState(rand.New(rand.NewPCG(1, 1)), 100))
	require.ErrorIs(t, err, errTree)
}

var errTree = errors.New("tree")

type brokenTree struct{ *counter }

func (brokenTree) MerkleRoot(context.Context, []byte, int) ([32]byte, error) {
	return [32]byte{}, errTree
}

func TestCancellation(t *testing.T) {
	done, cancel := context.WithCancel(ctx)
	cancel()
	for name, root := range roots(NewBuilder(Options{})) {
		_, err := root(done)
		require.ErrorIs(t, err, context.Canceled, name)
	}
	nodes := new(MemNodes)
	_, _, err := NewUpdater(nodes, Options{}).Update(done, EmptyRoot(), manyPairs(10))
	require.ErrorIs(t, err, context.Canceled)
}

func TestCancellationOnTheWay(t *testing.T) {
	h := newCounter()
	b := eagerBuilder(Options{Small: h, Workers: 2})
	b.maxBatch = 20_000
	for name, root := range roots(b) {
		if name == "flat" {
			continue // uses no Hasher
		}
		onTheWay, cancel := context.WithCancel(ctx)
		h.calls, h.at = 0, 3
		h.f = func() error { cancel(); return nil }
		_, err := root(onTheWay)
		require.ErrorIs(t, err, context.Canceled, name)
		require.Equal(t, 3, h.calls, "work went on")
	}
}

func TestUpdaterWithHasherThatFails(t *testing.T) {
	boom := errors.New("boom")
	pairs := manyPairs(500)
	root, nodes := buildNodes(t, pairs)
	changes := []Pair{{pairs[3].Key, nil}, {pairs[200].Key, []byte("new")}, {[]byte("key"), []byte("value")}}
	want := mustMPT(t, append(manyPairs(500), changes...))
	h := newCounter()
	h.f = func() error { return boom }
	u := NewUpdater(nodes, Options{Small: h})
	_, _, err := u.UpdateSecure(ctx, root, changes[2:])
	require.NoError(t, err)
	total := h.calls
	require.Greater(t, total, 5)
	for h.at = 1; h.at <= total; h.at++ {
		h.calls = 0
		u := NewUpdater(nodes, Options{Small: h})
		_, written, err := u.UpdateSecure(ctx, root, changes[2:])
		require.ErrorIs(t, err, boom)
		require.Empty(t, written)
		h.calls = -1 << 30
		got, _, err := u.Update(ctx, root, changes)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
}

// A Hasher that is wrong cannot make an update of a good trie pass for one.
func TestUpdaterFindsWrongHasher(t *testing.T) {
	root, nodes := buildNodes(t, manyPairs(500))
	u := NewUpdater(nodes, Options{Small: wrongHasher{keccak.Scalar()}})
	_, _, err := u.Update(ctx, root, manyPairs(3))
	require.ErrorIs(t, err, ErrCorrupt)
}

type wrongHasher struct{ keccak.Hasher }

func (h wrongHasher) Sum256(ctx context.Context, dst [][32]byte, m keccak.Messages) error {
	err := h.Hasher.Sum256(ctx, dst, m)
	if len(dst) > 0 {
		dst[len(dst)-1][31] ^= 1
	}
	return err
}

// sizes is a Hasher that notes the most bytes of a batch of several messages.
type sizes struct {
	keccak.Hasher
	most int
}

func (s *sizes) Sum256(ctx context.Context, dst [][32]byte, m keccak.Messages) error {
	if len(dst) > 1 {
		s.most = max(s.most, len(m.Data))
	}
	return s.Hasher.Sum256(ctx, dst, m)
}

func (s *sizes) SumFixed(ctx context.Context, dst [][32]byte, data []byte, width int) error {
	if len(dst) > 1 {
		s.most = max(s.most, len(data))
	}
	return s.Hasher.SumFixed(ctx, dst, data, width)
}

func TestBatchesAreBounded(t *testing.T) {
	for _, limit := range []int{100, 777, 5000} {
		h := &sizes{Hasher: keccak.Scalar()}
		b := NewBuilder(Options{Small: h})
		b.maxBatch = limit
		for name, root := range roots(b) {
			h.most = 0
			_, err := root(ctx)
			require.NoError(t, err)
			require.LessOrEqual(t, h.most, limit, name)
			if limit > 600 && name != "flat" {
				require.Greater(t, h.most, limit-600, name)
			}
		}
	}
}
