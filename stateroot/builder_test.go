package stateroot

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/keccak"
)

func TestMPTAgainstReference(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	one := NewBuilder(Options{Workers: 1})
	three := eagerBuilder(Options{Workers: 3})
	for trial := range trials(2000) {
		pairs := randomPairs(r, r.IntN(1+r.IntN(300)))
		want := refRoot(pairs)
		for _, b := range []*Builder{one, three} {
			got, err := b.MPT(ctx, pairs)
			require.NoError(t, err)
			require.Equal(t, want, got, "trial %d", trial)
		}
	}
}

// The tests of this package are as good as the tries they try: each wrong way of
// building a trie must give another root for some of them.
func TestMPTTrialsCatchMutants(t *testing.T) {
	mutants := map[string]oracle{
		"embeds below 27": {embedBelow: 27},
		"embeds below 31": {embedBelow: 31},
		"embeds below 33": {embedBelow: 33},
		"short root":      {shortRoot: true},
		"no leaf flag":    {noLeafFlag: true},
		"no branch value": {noValue: true},
		"first wins":      {firstWins: true},
		"empty ignored":   {emptyIgnored: true},
		"empty stored":    {emptyStored: true},
		"long byte":       {longByte: true},
		"short 55":        {short55: true},
		"odd as even":     {oddPadded: true},
	}
	for name, mutant := range mutants {
		r := rand.New(rand.NewPCG(1, 2))
		caught := false
		for trial := 0; trial < trials(2000) && !caught; trial++ {
			pairs := randomPairs(r, r.IntN(1+r.IntN(300)))
			caught = mutant.root(pairs) != refRoot(pairs)
		}
		require.True(t, caught, "no trial tells %q apart", name)
	}
}

func TestSecureMPTHashesKeys(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	b := eagerBuilder(Options{Workers: 2})
	for range 200 {
		pairs := randomPairs(r, r.IntN(100))
		hashed := make([]Pair, len(pairs))
		for i, p := range pairs {
			h := keccak.Sum256(p.Key)
			hashed[i] = Pair{h[:], p.Value}
		}
		got, err := b.SecureMPT(ctx, pairs)
		require.NoError(t, err)
		require.Equal(t, refRoot(hashed), got)
	}
}

func TestStateMPTIsSecureWithRLPValues(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	b := eagerBuilder(Options{Workers: 2})
	for range 200 {
		s := randomState(r, r.IntN(100))
		var pairs []Pair
		for _, e := range s {
			h := keccak.Sum256(e.Key[:])
			p := Pair{Key: h[:]}
			i := 0
			for i < 32 && e.Value[i] == 0 {
				i++
			}
			if i < 32 {
				p.Value = oracle{}.str(e.Value[i:])
			}
			pairs = append(pairs, p)
		}
		got, err := b.StateMPT(ctx, s)
		require.NoError(t, err)
		require.Equal(t, refRoot(pairs), got)
	}
}

// Emit gets each node that is hashed, once, and their hashes and paths are those
// by which the nodes refer to each other.
func TestEmit(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for range 200 {
		pairs := randomPairs(r, 1+r.IntN(200))
		var levels []int
		timed := WithPhases(ctx, func(p Phases) { levels = p.Levels })
		calls := 0
		nodes := new(MemNodes)
		b := eagerBuilder(Options{Workers: 2, Emit: func(path, enc []byte) error {
			calls++
			return nodes.Put(path, enc)
		}})
		root, err := b.MPT(timed, pairs)
		require.NoError(t, err)
		hashed := 0
		for _, n := range levels {
			hashed += n
		}
		require.Equal(t, hashed, calls)
		require.Equal(t, hashed, nodes.Len(), "two nodes had the same path")
		if hashed == 0 {
			require.Equal(t, EmptyRoot(), root)
			continue
		}
		top, err := nodes.Get(nil)
		require.NoError(t, err)
		require.Equal(t, root, keccak.Sum256(top))
	}
}

func TestEmitErrorEndsTheBuild(t *testing.T) {
	boom := errors.New("boom")
	calls := 0
	b := NewBuilder(Options{Emit: func(_, _ []byte) error {
		if calls++; calls == 100 {
			return boom
		}
		return nil
	}})
	_, err := b.MPT(ctx, manyPairs(1000))
	require.ErrorIs(t, err, boom)
	require.Equal(t, 100, calls)
}

func TestBuilderKeepsNoReferenceToPairs(t *testing.T) {
	b := NewBuilder(Options{Workers: 1})
	for _, pairs := range [][]Pair{manyPairs(50), {{[]byte{2}, []byte{1}}, {[]byte{1}, []byte{1}}}} {
		_, err := b.MPT(ctx, pairs)
		require.NoError(t, err)
		for _, v := range b.shape.values[:cap(b.shape.values)] {
			require.Nil(t, v)
		}
	}
}
