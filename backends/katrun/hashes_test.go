package katrun_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/backends/katrun"
	"github.com/crosspoint-kernels/crosspoint/kat"
	"github.com/crosspoint-kernels/crosspoint/keccak"
)

func TestEveryDigestAndRootOnTheCPU(t *testing.T) {
	b, files := setUp(t)
	if testing.Short() {
		files = small(files)
	}
	digests, roots, vectors := 0, 0, 0
	for _, f := range files {
		roots += len(f.Roots)
		vectors += len(f.Vectors) + 4*len(f.Probes)
		for _, v := range f.Hashes {
			if v.Function == kat.Keccak256 {
				digests++
			}
		}
	}
	require.Greater(t, digests, 100)
	require.Greater(t, roots, 220)
	outcomes := katrun.Check(t.Context(), b, files)
	require.Len(t, outcomes, vectors+digests+roots)
	for _, o := range outcomes[vectors:] {
		require.NoError(t, o.Err, "%s: %s", o.File, o.Vector)
		require.False(t, o.Unsupported)
		require.Empty(t, o.Ring)
		require.NotEmpty(t, o.Op)
		require.Positive(t, o.Time, o.Vector)
	}
}

func TestEveryFunction(t *testing.T) {
	_, files := setUp(t)
	outcomes := katrun.CheckFunctions(files)
	require.Greater(t, len(outcomes), 340)
	for _, o := range outcomes {
		require.NoError(t, o.Err, "%s: %s", o.File, o.Vector)
		require.Positive(t, o.Time, o.Vector)
	}
}

// hasherWith is a backend whose Hasher goes wrong.
type hasherWith struct {
	backends.Backend
	spoil func(dst [][32]byte)
	fixed bool // spoil SumFixed alone
	err   error
}

func (w hasherWith) Keccak() (keccak.Hasher, error) {
	if w.err != nil {
		return nil, w.err
	}
	h, err := w.Backend.Keccak()
	return wrongHasher{h, w}, err
}

type wrongHasher struct {
	keccak.Hasher
	w hasherWith
}

func (h wrongHasher) Sum256(ctx context.Context, dst [][32]byte, m keccak.Messages) error {
	err := h.Hasher.Sum256(ctx, dst, m)
	if !h.w.fixed {
		h.w.spoil(dst)
	}
	return err
}

func (h wrongHasher) SumFixed(ctx context.Context, dst [][32]byte, data []byte, width int) error {
	err := h.Hasher.SumFixed(ctx, dst, data, width)
	h.w.spoil(dst)
	return err
}

// failures returns the outcomes that failed, all of them mismatches.
func failures(t *testing.T, outcomes []katrun.Outcome) map[string]error {
	t.Helper()
	failed := map[string]error{}
	for _, o := range outcomes {
		if o.Err != nil {
			require.ErrorIs(t, o.Err, kat.ErrMismatch)
			require.False(t, o.Unsupported)
			failed[o.Vector] = o.Err
		}
	}
	return failed
}

func TestWrongDigestsAreFound(t *testing.T) {
	b, files := setUp(t)
	total := len(katrun.CheckHashes(t.Context(), b, files))

	neighbours := func(dst [][32]byte) { // only in a batch
		if len(dst) > 1 {
			dst[0], dst[1] = dst[1], dst[0]
		}
	}
	failed := failures(t, katrun.CheckHashes(t.Context(), hasherWith{Backend: b, spoil: neighbours}, files))
	require.Len(t, failed, 3, "two in the file's batch, and the chain in its own")
	require.ErrorContains(t, failed["length/0/keccak256"], "in a batch of ")
	var m *kat.HashMismatch
	require.ErrorAs(t, failed["chain/1200/keccak256"], &m, "found behind the digest")
	require.Equal(t, 0, m.Message)

	first := func(dst [][32]byte) { // only alone
		if len(dst) == 1 {
			dst[0][31] ^= 1
		}
	}
	failed = failures(t, katrun.CheckHashes(t.Context(), hasherWith{Backend: b, spoil: first}, files))
	require.Len(t, failed, total-1, "all but the chain")
	failed = failures(t, katrun.CheckHashes(t.Context(), hasherWith{Backend: b, spoil: first, fixed: true}, files))
	require.Len(t, failed, total-1)
	require.ErrorContains(t, failed["length/135/keccak256"], "by its width: ")
}

func TestWrongRootsAreFound(t *testing.T) {
	b, files := setUp(t)
	files = small(files)
	last := func(dst [][32]byte) { dst[len(dst)-1][0] ^= 1 }
	outcomes := katrun.CheckRoots(t.Context(), hasherWith{Backend: b, spoil: last}, files)
	failed := failures(t, outcomes)
	for _, o := range outcomes {
		if o.Op == "flat" { // one sponge, which is no Hasher's
			require.NoError(t, o.Err)
		} else if o.Err == nil {
			require.NotContains(t, []string{"account/1000", "prefix/chain", "merkle/kv/17", "state-mpt/kv/17"}, o.Vector)
		}
	}
	require.Greater(t, len(failed), 150)
}

// A wrong count is found where README.md of kat says that it is checked.
func TestWrongShapesAreFound(t *testing.T) {
	b, files := setUp(t)
	for name, c := range map[string]struct {
		change func(s *kat.TrieShape)
		found  bool
	}{
		"hashed_nodes":              {func(s *kat.TrieShape) { s.Hashed++ }, true},
		"hashed_bytes":              {func(s *kat.TrieShape) { s.Bytes++ }, true},
		"keccak_permutations":       {func(s *kat.TrieShape) { s.Permutations++ }, true},
		"longest_hashed_node_bytes": {func(s *kat.TrieShape) { s.Longest++ }, true},
		"hashed_nodes_by_height": {func(s *kat.TrieShape) {
			s.ByHeight = slices.Clone(s.ByHeight)
			slices.Reverse(s.ByHeight)
		}, true},
		"embedded_nodes":  {func(s *kat.TrieShape) { s.Embedded++ }, false},
		"leaf_nodes":      {func(s *kat.TrieShape) { s.Leaves++ }, false},
		"extension_nodes": {func(s *kat.TrieShape) { s.Extensions++ }, false},
		"branch_nodes":    {func(s *kat.TrieShape) { s.Branches++ }, false},
	} {
		v := named(t, files, "raw32/16")
		shape := *v.Trie
		c.change(&shape)
		v.Trie = &shape
		failed := failures(t, katrun.CheckRoots(t.Context(), b, []kat.File{{Roots: []kat.RootVector{v}}}))
		require.Equal(t, c.found, len(failed) > 0, name)
		if c.found {
			require.ErrorContains(t, failed[v.Name], "built with its nodes: ", name)
		}
	}
}

// named returns a root vector.
func named(t *testing.T, files []kat.File, name string) kat.RootVector {
	t.Helper()
	for _, f := range files {
		for _, v := range f.Roots {
			if v.Name == name {
				return v
			}
		}
	}
	t.Fatalf("no root %q", name)
	return kat.RootVector{}
}

// small drops the largest tries.
func small(files []kat.File) []kat.File {
	var kept []kat.File
	for _, f := range files {
		var roots []kat.RootVector
		for _, v := range f.Roots {
			if v.Len() <= 2000 {
				roots = append(roots, v)
			}
		}
		f.Roots = roots
		kept = append(kept, f)
	}
	return kept
}

func TestNoHasher(t *testing.T) {
	b, files := setUp(t)
	none := hasherWith{Backend: b, err: &backends.Error{Op: "keccak", Err: backends.ErrUnsupported}}
	outcomes := append(katrun.CheckHashes(t.Context(), none, files), katrun.CheckRoots(t.Context(), none, files)...)
	require.NotEmpty(t, outcomes)
	for _, o := range outcomes {
		require.True(t, o.Unsupported)
		require.ErrorIs(t, o.Err, backends.ErrUnsupported)
	}
	lost := hasherWith{Backend: b, err: &backends.Error{Op: "keccak", Err: backends.ErrDeviceLost}}
	for _, o := range katrun.CheckHashes(t.Context(), lost, files) {
		require.False(t, o.Unsupported)
		require.ErrorIs(t, o.Err, backends.ErrDeviceLost)
	}
}

func TestCancelledHashing(t *testing.T) {
	b, files := setUp(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, o := range append(katrun.CheckHashes(ctx, b, files), katrun.CheckRoots(ctx, b, files)...) {
		require.ErrorIs(t, o.Err, context.Canceled)
	}
}
