package stateroot

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// Another root of as many pairs allocates a few closures and goroutines, for each
// level and each phase, and nothing for each pair.
func TestSecondRootAllocatesNothingForAPair(t *testing.T) {
	const few = 150
	sorted := manyPairs(20_000)
	unsorted := manyPairs(20_000)
	r := rand.New(rand.NewPCG(31, 32))
	r.Shuffle(len(unsorted), func(i, j int) { unsorted[i], unsorted[j] = unsorted[j], unsorted[i] })
	s := randomState(r, 20_000)
	for _, workers := range []int{1, 2} {
		b := NewBuilder(Options{Workers: workers})
		for name, root := range map[string]func() error{
			"mpt":       func() error { _, err := b.MPT(ctx, sorted); return err },
			"mpt, sort": func() error { _, err := b.MPT(ctx, unsorted); return err },
			"secure":    func() error { _, err := b.SecureMPT(ctx, unsorted); return err },
			"state":     func() error { _, err := b.StateMPT(ctx, s); return err },
			"flat":      func() error { _, err := b.Flat(ctx, s); return err },
			"merkle":    func() error { _, err := b.Merkle(ctx, s); return err },
		} {
			allocs := testing.AllocsPerRun(2, func() { require.NoError(t, root()) })
			require.LessOrEqual(t, allocs, float64(few), "%s, %d workers", name, workers)
		}
	}
}

func TestSecondUpdateAllocatesNothingForAChange(t *testing.T) {
	pairs := manyPairs(20_000)
	root, nodes := buildNodes(t, pairs)
	u := NewUpdater(nodes, Options{Workers: 1})
	var changes []Pair
	for i := 0; i < len(pairs); i += 10 {
		changes = append(changes, Pair{pairs[i].Key, []byte("changed")})
	}
	allocs := testing.AllocsPerRun(2, func() {
		_, _, err := u.Update(ctx, root, changes)
		require.NoError(t, err)
	})
	require.LessOrEqual(t, allocs, 100.0)
}
