package stateroot

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestPhases(t *testing.T) {
	var got []Phases
	timed := WithPhases(ctx, func(p Phases) { got = append(got, p) })
	b := NewBuilder(Options{Workers: 2})
	s := randomState(rand.New(rand.NewPCG(33, 34)), 2000)
	n := len(refEntries(s))

	_, err := b.Flat(timed, s)
	require.NoError(t, err)
	_, err = b.Merkle(timed, s)
	require.NoError(t, err)
	_, err = b.StateMPT(timed, s)
	require.NoError(t, err)
	_, err = b.MPT(timed, nil)
	require.NoError(t, err)

	require.Len(t, got, 4)
	for i, kind := range []string{"flat", "merkle", "mpt", "mpt"} {
		p := got[i]
		require.Equal(t, kind, p.Kind)
		sum := p.Sort + p.Build + p.Pack + p.Encode + p.Hash
		require.Positive(t, p.Total)
		require.LessOrEqual(t, sum, p.Total)
	}
	require.Empty(t, got[0].Levels)
	require.Equal(t, n, got[1].Levels[0])
	require.Equal(t, n/2, got[1].Levels[1])
	require.Equal(t, n, got[2].Levels[0])
	require.Empty(t, got[3].Levels)
	for _, d := range []time.Duration{got[2].Sort, got[2].Build, got[2].Pack, got[2].Encode, got[2].Hash} {
		require.Positive(t, d)
	}
}

func TestPhasesOfAFailure(t *testing.T) {
	timed := WithPhases(ctx, func(Phases) { t.Error("reported") })
	h := newCounter()
	h.at, h.f = 1, func() error { return errTree }
	_, err := NewBuilder(Options{Small: h}).MPT(timed, manyPairs(10))
	require.ErrorIs(t, err, errTree)
}
