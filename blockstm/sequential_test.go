package blockstm

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSequentialIsTheOracle(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		p := randomPrograms(r, r.IntN(60), 1+r.IntN(6))
		results, writes, final := p.oracle()
		out, err := sequential(context.Background(), p.block(), func(tx int, cs []Change[tKey, tValue]) {
			require.Equal(t, writes[tx], changesOf(cs), "seed %d: writes of %d", seed, tx)
		})
		require.NoError(t, err)
		gotResults, gotFinal := describe(out)
		require.Equal(t, results, gotResults, "seed %d", seed)
		require.Equal(t, final, gotFinal, "seed %d", seed)
		require.Equal(t, len(final), out.Len())
	}
}

func changesOf(cs []Change[tKey, tValue]) map[tKey]string {
	m := map[tKey]string{}
	for _, c := range cs {
		if _, twice := m[c.Key]; twice {
			m[c.Key] = "twice"
		} else {
			m[c.Key] = changeText(c)
		}
	}
	return m
}

func TestSequentialErrors(t *testing.T) {
	ctx := context.Background()
	var be *BlockError
	for _, b := range []*tBlock{nil, {N: -1}, {N: MaxTransactions + 1}, {N: 1}} {
		_, err := Sequential(ctx, b)
		require.ErrorAs(t, err, &be)
	}
	out, err := Sequential(ctx, &tBlock{})
	require.NoError(t, err)
	require.Empty(t, out.Results)
	require.Zero(t, out.Len())

	bad := errors.New("disk")
	ran := 0
	_, err = Sequential(ctx, &tBlock{N: 3,
		Base: BaseFunc[tKey, tValue](func(tKey) (tValue, bool, error) { return 0, false, bad }),
		Run: func(v tView, tx int) (uint64, error) {
			defer func() { _ = recover() }() // hides the unwinding, in vain
			ran++
			if tx == 1 {
				v.Get(1)
			}
			return 0, nil
		}})
	var base *BaseError
	require.ErrorAs(t, err, &base)
	require.ErrorIs(t, err, bad)
	require.Equal(t, 1, base.Tx)
	require.Equal(t, 2, ran)
}

func TestSequentialCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	_, err := Sequential(ctx, &tBlock{N: 3, Run: func(v tView, tx int) (uint64, error) {
		if tx == 1 {
			cancel()
			for {
				v.Check()
			}
		}
		return 0, nil
	}})
	require.ErrorIs(t, err, context.Canceled)
	_, err = Sequential(ctx, &tBlock{N: 0})
	require.ErrorIs(t, err, context.Canceled)
}

func TestSequentialGoexit(t *testing.T) {
	out, err := Sequential(context.Background(), &tBlock{N: 4, Run: func(v tView, tx int) (uint64, error) {
		v.Put(tKey(tx), 1)
		if tx%2 == 1 {
			runtime.Goexit()
		}
		return 7, nil
	}})
	require.NoError(t, err)
	require.Equal(t, 2, out.Len())
	for tx, r := range out.Results {
		require.Equal(t, tx%2 == 1, errors.Is(r.Err, ErrGoexit), "transaction %d", tx)
	}
}

func TestChangesShard(t *testing.T) {
	out, err := Sequential(context.Background(), &tBlock{N: 10, Run: func(v tView, tx int) (uint64, error) {
		v.Put(tKey(tx), 1)
		return 0, nil
	}})
	require.NoError(t, err)
	for _, of := range []int{1, 3, 10, 17} {
		seen := map[tKey]int{}
		for i := range of {
			for c := range out.ChangesShard(i, of) {
				seen[c.Key]++
			}
		}
		require.Len(t, seen, 10, "%d shards", of)
	}
	for range out.ChangesShard(3, 3) {
		t.Error("a shard out of range is not empty")
	}
}
