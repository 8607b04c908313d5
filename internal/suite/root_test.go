package suite

import (
	"context"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/internal/report"
	"github.com/crosspoint-kernels/crosspoint/kat"
	"github.com/crosspoint-kernels/crosspoint/keccak"
	"github.com/crosspoint-kernels/crosspoint/stateroot"
)

// knownRoots are those recorded in the known answers, by vector.
func knownRoots(t *testing.T) map[string]string {
	files, err := kat.Files()
	require.NoError(t, err)
	known := map[string]string{}
	for _, f := range files {
		for _, v := range f.Roots {
			known[v.Name] = hex.EncodeToString(v.Root[:])
		}
	}
	return known
}

// A sweep whose seed is the number of leaves computes the roots that others have
// computed of the same sets.
func TestRootsAreKnown(t *testing.T) {
	cs, missing := Open(backends.Open, nil, backends.Options{})
	require.Empty(t, missing)
	defer Close(cs)
	known := knownRoots(t)
	for vector, c := range map[string]RootCase{
		"account/1":         {MPT, kat.RuleAccount, []int{1}},
		"account/1000":      {MPT, kat.RuleAccount, []int{1000}},
		"storage/1000":      {MPT, kat.RuleStorage, []int{1000}},
		"state-mpt/kv/1996": {MPT, kat.RuleKV, []int{1996}},
		"merkle/kv/1996":    {Merkle, kat.RuleKV, []int{1996}},
		"flat/kv/1996":      {Flat, kat.RuleKV, []int{1996}},
	} {
		r, err := Root(t.Context(), cs, c, Measuring{Seed: uint64(c.Sizes[0])})
		require.NoError(t, err, vector)
		require.Empty(t, r.Failed)
		require.Len(t, r.Rows, 2)
		for _, x := range r.Rows {
			require.Equal(t, known[vector], x.Root, "%s on %s", vector, x.Backend)
			require.NotEmpty(t, x.Root)
			require.True(t, x.Verified)
			require.Equal(t, "root/"+string(c.Kind), x.Op)
			require.Equal(t, map[string]string{"set": string(c.Set)}, x.Params)
		}
	}
}

// Each kind has the phases that it goes through, on every contestant.
func TestRootPhases(t *testing.T) {
	cs, _ := Open(backends.Open, nil, backends.Options{})
	defer Close(cs)
	for kind, want := range map[RootKind][]string{
		MPT:    {"build", "encode", "hash", "pack", "sort"},
		Merkle: {"hash", "pack", "sort"},
		Flat:   {"hash", "sort"},
	} {
		r, err := Root(t.Context(), cs, RootCase{kind, kat.RuleKV, []int{3000}}, Measuring{})
		require.NoError(t, err)
		for _, x := range r.Rows {
			var names []string
			for name, ns := range x.Phases {
				require.GreaterOrEqual(t, ns, 0.0)
				names = append(names, name)
			}
			slices.Sort(names)
			require.Equal(t, want, names)
			require.NotZero(t, x.Phases[report.PhaseHash])
		}
	}
}

// roots are states large enough for a device to hash their leaves.
func roots(kind RootKind, sizes ...int) RootCase { return RootCase{kind, kat.RuleKV, sizes} }

// A device whose calls cost 2.2 ms, here, has one level to hash from 1,024 leaves
// on and a second from 2,048 on. One thread has 2n-1 hashes of 1 µs, which is less
// at 2,048 leaves and more from about 2,230 on.
func TestRootFindsPlantedCrossover(t *testing.T) {
	f := newHashField()
	f.cpu.tau, f.mt.tau = 1000, 500
	f.metal.d, f.metal.tau = 2.2e6, 10
	r, err := Root(t.Context(), f.contestants(), roots(Merkle, 1024, 2048, 2560), f.measuring())
	require.NoError(t, err)
	f.settled(t)
	require.Len(t, r.Rows, 3*3)
	for _, x := range r.Rows {
		require.True(t, x.Verified, x.Error)
		require.Equal(t, row(t, r.Rows, CPU, x.Batch).Root, x.Root)
	}
	s := row(t, r.Rows, "metal", 1024).Speedup
	require.Len(t, s, 2)
	require.InEpsilon(t, row(t, r.Rows, CPU, 1024).NsPerRow/row(t, r.Rows, "metal", 1024).NsPerRow, s[CPU].Median, 0.001)
	require.InEpsilon(t, 2047e3, 1024*row(t, r.Rows, CPU, 1024).NsPerRow, 0.001)
	c := crossover(t, r, "metal", CPU)
	require.Equal(t, report.VerdictFound, c.Verdict)
	require.InEpsilon(t, 2230, *c.Batch, 0.10)
	require.LessOrEqual(t, float64(c.Hi)/float64(c.Lo), 1.10)
	for _, x := range r.Extra {
		require.NotEmpty(t, x.Root)
		require.NotEqual(t, row(t, r.Rows, CPU, 1024).Root, x.Root, "of its own size")
	}
}

func TestRootStopsAtMismatch(t *testing.T) {
	for _, kind := range []RootKind{MPT, Merkle} {
		f := newHashField()
		f.metal.spoil = func(dst [][keccak.Size]byte) { dst[len(dst)-1][31] ^= 1 }
		m := f.measuring()
		m.Seed = 42
		r, err := Root(t.Context(), f.contestants(), roots(kind, 1100, 1200), m)
		require.ErrorIs(t, err, ErrMismatch)
		var wrong *DigestError
		require.ErrorAs(t, err, &wrong)
		require.Empty(t, r.Rows)
		f.settled(t)
		require.Equal(t, DigestError{Backend: "metal", Op: report.RootOp(string(kind)), Batch: 1100, Message: -1,
			Got: wrong.Got, Want: wrong.Want, Seed: 42}, *wrong)
		for _, word := range []string{"metal", "root/" + string(kind), "1100 leaves", "got", "want", "seed 42"} {
			require.Contains(t, err.Error(), word)
		}
	}
}

// A builder that gives no root, or an old one, does not pass.
func TestRootIsPoisonedBeforeACheck(t *testing.T) {
	f := newHashField()
	w, err := newStates(roots(MPT, 10), 1)
	require.NoError(t, err)
	e := &entrant{Contestant: f.cpu.contestant(CPU), hasher: keccak.Scalar()}
	x, err := w.trial(t.Context(), e, 10)
	require.NoError(t, err)
	require.NoError(t, x.verify(t.Context()))
	w.want[10] = [32]byte{1}
	require.ErrorIs(t, x.verify(t.Context()), ErrMismatch)
}

// A device is not timed where the CPU would hash every level for it.
func TestRootOfFewLeavesIsOfNoDevice(t *testing.T) {
	f := newHashField()
	var calls virtual
	edge := stateroot.DefaultThreshold
	r, err := Root(t.Context(), f.contestants(), roots(MPT, edge-1, edge), Measuring{Clock: &ticking{&calls}})
	require.NoError(t, err)
	f.settled(t)
	require.ErrorIs(t, r.Failed[0].Err, backends.ErrUnsupported)
	for _, x := range r.Rows {
		if x.Backend == "metal" && x.Batch < edge {
			require.Contains(t, x.Error, "no level of 1023 leaves")
			require.True(t, x.Unsupported)
		} else {
			require.Empty(t, x.Error, "%s of %d leaves", x.Backend, x.Batch)
		}
	}
	// A single root, which is not timed, is hashed by the device whatever its size.
	f.metal.calls = 0
	_, _, err = RootOf(t.Context(), f.contestants(), []Pair{{Key: []byte{1}, Value: []byte{2}}}, true)
	require.NoError(t, err)
	require.NotZero(t, f.metal.calls)
}

// A flat root is one sponge, which no device can share: it says so, and the CPU
// goes on.
func TestFlatRootIsOfNoDevice(t *testing.T) {
	f := newHashField()
	var calls virtual
	m := Measuring{Clock: &ticking{&calls}}
	r, err := Root(t.Context(), f.contestants(), roots(Flat, 10, 20), m)
	require.NoError(t, err)
	f.settled(t)
	require.Len(t, r.Failed, 1)
	require.Equal(t, "metal", r.Failed[0].Name)
	require.ErrorIs(t, r.Failed[0].Err, backends.ErrUnsupported)
	require.Zero(t, f.metal.calls)
	require.Empty(t, row(t, r.Rows, CPU, 20).Error)
	require.Len(t, r.Crossovers, 1)
}

// ticking is a clock that each reading advances.
type ticking struct{ *virtual }

func (c *ticking) Now() time.Duration { c.now += 1e6; return c.now }

// A contestant whose device fails keeps its rows with the reason.
func TestRootKeepsFailures(t *testing.T) {
	f := newHashField()
	f.metal.failAt, f.metal.failure = 1200, &keccak.Error{Op: "sum256", Err: backends.ErrDeviceLost}
	r, err := Root(t.Context(), f.contestants(), roots(Merkle, 1100, 1200, 1300), f.measuring())
	require.NoError(t, err)
	f.settled(t)
	require.Len(t, r.Failed, 1)
	require.ErrorIs(t, r.Failed[0].Err, backends.ErrDeviceLost)
	require.Empty(t, row(t, r.Rows, "metal", 1100).Error)
	for _, n := range []int{1200, 1300} {
		x := row(t, r.Rows, "metal", n)
		require.Contains(t, x.Error, "device lost")
		require.Empty(t, x.Root, "no root without a check")
		require.NotEmpty(t, row(t, r.Rows, CPU, n).Root)
	}
}

func TestRootCancelled(t *testing.T) {
	for _, stop := range []int{1, 9} {
		f := newHashField()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		calls := 0
		f.metal.onCall = func(n int) {
			if n == 1200 {
				if calls++; calls == stop {
					cancel()
				}
			}
		}
		r, err := Root(ctx, f.contestants(), roots(Merkle, 1100, 1200), f.measuring())
		require.NoError(t, err)
		f.settled(t)
		require.Equal(t, calls >= stop, r.Partial)
		require.Contains(t, []int{3, 6}, len(r.Rows), "whole sizes only")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	f := newHashField()
	r, err := Root(ctx, f.contestants(), roots(MPT, 10), f.measuring())
	require.NoError(t, err)
	require.True(t, r.Partial)
	require.Empty(t, r.Rows)
}

func TestRootLabelsSoftware(t *testing.T) {
	f := newHashField()
	f.metal.info.Software = true
	r, err := Root(t.Context(), f.contestants(), roots(Merkle, 1100), f.measuring())
	require.NoError(t, err)
	for _, x := range r.Rows {
		require.Equal(t, x.Backend == "metal", x.Software)
	}
}

func TestRootRefuses(t *testing.T) {
	for want, cases := range map[error][]RootCase{
		ErrKind: {{"tree", kat.RuleKV, []int{1}}, {"", kat.RuleKV, []int{1}}},
		ErrSet: {{MPT, "kvs", []int{1}}, {MPT, "", []int{1}}, {MPT, kat.RuleChurn, []int{1}},
			{Merkle, kat.RuleAccount, []int{1}}, {Flat, kat.RuleStorage, []int{1}}},
		ErrSizes: {roots(MPT), roots(MPT, 0), roots(MPT, 5, 5), roots(MPT, 5, 4), roots(MPT, MaxLeaves+1)},
	} {
		for _, c := range cases {
			_, err := Root(t.Context(), nil, c, Measuring{})
			require.ErrorIs(t, err, want, "%+v", c)
		}
	}
}

// A root of given pairs: from every contestant, or not at all.
func TestRootOf(t *testing.T) {
	entries, err := kat.RuleAccount.Entries(1000, 1000)
	require.NoError(t, err)
	var pairs []Pair
	for _, e := range entries {
		pairs = append(pairs, Pair(e))
	}
	many := slices.Repeat(pairs, 2) // each again: the later one counts, and is the same
	want := knownRoots(t)["account/1000"]

	f := newHashField()
	root, failed, err := RootOf(t.Context(), f.contestants(), many, true)
	require.NoError(t, err)
	require.Empty(t, failed)
	require.Equal(t, want, fmt.Sprintf("%x", root))
	require.NotZero(t, f.metal.calls)
	f.settled(t)

	raw, _, err := RootOf(t.Context(), f.contestants(), pairs, false)
	require.NoError(t, err)
	require.NotEqual(t, root, raw)

	empty, _, err := RootOf(t.Context(), f.contestants(), nil, true)
	require.NoError(t, err)
	require.Equal(t, stateroot.EmptyRoot(), empty)

	f.metal.spoil = func(dst [][keccak.Size]byte) { dst[0][0] ^= 1 }
	_, _, err = RootOf(t.Context(), f.contestants(), many, true)
	require.ErrorIs(t, err, ErrMismatch)
	require.True(t, strings.HasPrefix(err.Error(), "metal: "), err)

	f.metal.noHasher = boom
	root, failed, err = RootOf(t.Context(), f.contestants(), many, true)
	require.NoError(t, err)
	require.Equal(t, want, fmt.Sprintf("%x", root))
	require.Len(t, failed, 1)
	require.ErrorIs(t, failed[0].Err, boom)
	f.settled(t)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err = RootOf(ctx, f.contestants(), many, true)
	require.ErrorIs(t, err, context.Canceled)
}
