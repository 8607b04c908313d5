package blocksim

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// block makes n transactions that each cost 1,000 and touch what keys says.
func block(n int, keys func(i int) []Access) []Transaction {
	txs := make([]Transaction, n)
	for i := range txs {
		txs[i] = Transaction{Cost: 1000, Accesses: keys(i)}
	}
	return txs
}

func update(key int) Access { return Access{Key: int32(key), Read: true, Write: true} }

// Without conflict W workers are W times as fast, and nothing runs twice.
func TestDisjoint(t *testing.T) {
	txs := block(1024, func(i int) []Access { return []Access{update(i)} })
	for _, w := range []int{1, 2, 4, 64} {
		r := Run(txs, 1024, Machine{Workers: w})
		require.InEpsilon(t, 1024*1000/float64(w), r.Time, 1e-9)
		require.Equal(t, 1024, r.Executions)
		require.Zero(t, r.Aborts+r.Suspensions)
	}
}

// A chain takes as long as on one worker, and not many more executions.
func TestOneSlot(t *testing.T) {
	txs := block(2000, func(int) []Access { return []Access{update(0)} })
	for _, w := range []int{1, 2, 8, 64} {
		r := Run(txs, 1, Machine{Workers: w})
		require.GreaterOrEqual(t, r.Time, 2000*1000.0)
		require.Less(t, r.Time, 1.15*2000*1000, w)
		require.LessOrEqual(t, r.Executions, 2*2000)
	}
	require.Positive(t, Run(txs, 1, Machine{Workers: 8}).Throttled)
}

// More workers than a block has use for do no harm: execution stays close enough to
// the commits. Of three hot keys each is in 15 % of the transactions, so that no
// number of workers is more than 6.7 times as fast as one; the other keys are shared
// by a few in flight.
func TestTooManyWorkers(t *testing.T) {
	const hot, others = 3, 800
	rnd := rand.New(rand.NewPCG(1, 2))
	txs := block(4000, func(int) []Access {
		from := rnd.IntN(others)
		to := (from + 1 + rnd.IntN(others-1)) % others
		as := []Access{update(hot + from), update(hot + to)}
		if rnd.IntN(100) < 45 {
			as[1] = update(rnd.IntN(hot))
		}
		return as
	})
	for i := range txs {
		txs[i].Cost = 20_000 * (1 + rnd.Float64()/4)
	}
	one := Run(txs, hot+others, Machine{Workers: 1}).Time
	for _, w := range []int{8, 12, 16, 24, 32, 64} {
		require.Greater(t, one/Run(txs, hot+others, Machine{Workers: w}).Time, 5.0, "%d workers", w)
	}
}

// Deltas do not conflict with one another, but with readers.
func TestDeltas(t *testing.T) {
	add := Access{Key: 0, Add: true}
	txs := block(1000, func(int) []Access { return []Access{add} })
	r := Run(txs, 1, Machine{Workers: 4})
	require.InEpsilon(t, 250*1000, r.Time, 1e-9)
	require.Equal(t, 1000, r.Executions)

	txs[500].Accesses = []Access{update(0)}
	r = Run(txs, 1, Machine{Workers: 4})
	require.Greater(t, r.Executions, 1000)
}

func TestCosts(t *testing.T) {
	txs := block(100, func(i int) []Access { return []Access{update(i)} })
	require.InEpsilon(t, 100*1700.0, Run(txs, 100, Machine{Workers: 1, Overhead: 500, Commit: 200}).Time, 1e-9)
	require.InEpsilon(t, 200*1000.0, Run(txs, 100, Machine{Workers: 1, Slowdown: 2}).Time, 1e-9)
	// Commits are one after another, whatever the workers.
	require.GreaterOrEqual(t, Run(txs, 100, Machine{Workers: 64, Commit: 5000}).Time, 100*5000.0)
}

// After a change to the executor's, copy it below the comment here.
func TestThrottleIsTheExecutors(t *testing.T) {
	executors, err := os.ReadFile("../../blockstm/throttle.go")
	require.NoError(t, err)
	ours, err := os.ReadFile("throttle.go")
	require.NoError(t, err)
	_, code, found := strings.Cut(string(ours), "\npackage blocksim\n")
	require.True(t, found)
	require.Equal(t, strings.TrimPrefix(string(executors), "package blockstm\n"), code)
}

func TestNothing(t *testing.T) {
	require.Equal(t, Result{}, Run(nil, 0, Machine{Workers: 4}))
	r := Run(block(1, func(int) []Access { return nil }), 0, Machine{Workers: 4})
	require.Equal(t, 1, r.Executions)
}

// Whatever the conflicts, every transaction is executed, none for ever, and no
// number of workers is slower than twice one or faster than all of them.
func TestRandomBlocksEnd(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		keys := 1 + rnd.IntN(20)
		txs := block(300, func(int) []Access {
			var as []Access
			for k := range keys {
				switch rnd.IntN(3 * keys) {
				case 0:
					as = append(as, Access{Key: int32(k), Read: true})
				case 1, 2:
					as = append(as, update(k))
				case 3:
					as = append(as, Access{Key: int32(k), Add: true})
				case 4:
					as = append(as, Access{Key: int32(k), Write: true})
				}
			}
			return as
		})
		one := Run(txs, keys, Machine{Workers: 1})
		require.Equal(t, 300, one.Executions)
		for _, w := range []int{2, 5, 32} {
			r := Run(txs, keys, Machine{Workers: w, Overhead: 10, Commit: 10})
			require.Equal(t, 300, r.Committed)
			require.GreaterOrEqual(t, r.Executions, 300)
			require.LessOrEqual(t, r.Executions, 300*(1+maxLost))
			require.Greater(t, r.Time, one.Time/float64(w)*0.999)
			require.Less(t, r.Time, 2*one.Time)
		}
	}
}
