package blockstm

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// P1: the count of active tasks was raised after the index that it guards, so that
// a block seemed done while a transaction was yet to be validated, and updates were
// lost (cosmos-sdk #26583). Found by repetition alone: 80 increments, 8 workers.
func TestFault01DoneTooEarly(t *testing.T) {
	hangs(t, 12*faultTime)
	for _, throttled := range []bool{true, false} {
		e := newTest(Options[tKey, tValue]{Workers: 8, NoThrottle: !throttled})
		b := counter(80)
		for round := range times(750) {
			out, err := e.Execute(context.Background(), b)
			require.NoError(t, err)
			for tx, r := range out.Results {
				require.EqualValues(t, tx, r.Output, "round %d", round)
			}
			for c := range out.Changes() {
				require.EqualValues(t, 80, c.Value, "round %d", round)
			}
		}
	}
}

// P2: a transaction was counted as validated twice, and the block ended with others
// not validated (pevm #527). Writers that read nothing are mixed with readers; each
// transaction is committed once, in order, and every one of them is.
func TestFault02ValidatedTwice(t *testing.T) {
	hangs(t, 2*faultTime)
	const n = 60
	for _, workers := range []int{2, 8} {
		commits := 0
		e := newTest(Options[tKey, tValue]{Workers: workers, NoThrottle: true, Commit: func(tx int, _ []Change[tKey, tValue]) {
			if tx != commits {
				t.Errorf("transaction %d is committed in place of %d", tx, commits)
			}
			commits++
		}})
		for range times(150) {
			commits = 0
			out := requireSequential(t, e, &tBlock{N: n, Equal: equalValues, Sum: sumAny,
				Run: func(v tView, tx int) (uint64, error) {
					switch tx % 3 {
					case 0:
						v.Put(tKey(tx%4), tValue(tx)) // blind
						return 0, nil
					case 1:
						return 0, boolErr(v.Add(5, tValue(tx))) // lazy
					}
					var sum tValue
					for k := range tKey(6) {
						x, _ := v.Get(k)
						sum += x
					}
					v.Put(tKey(tx%4), sum)
					return uint64(sum), nil
				}})
			require.Equal(t, n, commits)
			require.GreaterOrEqual(t, out.Stats.Validations, n)
		}
	}
}

// P7: cancelling did not wake a transaction that was suspended on an estimate, and
// the block never ended (cosmos-sdk #25789, #25793). Here 1 waits for 0, which waits
// for the end of the block; other workers sleep as there is nothing to do.
func TestFault07CancelWhileSuspended(t *testing.T) {
	for _, workers := range []int{2, 8} {
		hangs(t, faultTime)
		before := runtime.NumGoroutine()
		commits := 0
		e := newTest(Options[tKey, tValue]{Workers: workers, Commit: func(int, []Change[tKey, tValue]) { commits++ }})
		ctx, cancel := context.WithCancel(context.Background())
		go func() {
			// Written by Run below, when all is as described.
			waitFor(t, func() bool {
				return e.run.suspended.Load() == 1 && e.run.queue.idle.Load() >= int32(min(workers, 3))-1
			})
			cancel()
		}()
		_, err := e.Execute(ctx, &tBlock{N: 3,
			Hints: func(tx int) []tKey {
				if tx == 0 {
					return []tKey{7}
				}
				return nil
			},
			Run: func(v tView, tx int) (uint64, error) {
				switch tx {
				case 0:
					for {
						v.Check()
						runtime.Gosched()
					}
				case 1:
					v.Get(7)
					t.Error("an estimate was read")
				}
				return 0, nil
			}})
		require.ErrorIs(t, err, context.Canceled)
		require.Zero(t, commits)
		requireGoroutines(t, before)
		requireSequential(t, e, counter(20))
	}
}

// P8: how far execution may run ahead was bounded by a rule that froze: tx 0 is
// slow, all that may start wait for it, and nothing else may start (aptos #18820,
// #19667). And a failure exactly at the frontier of commits stalled them.
func TestFault08CommitWindowFreezes(t *testing.T) {
	for _, workers := range []int{2, 8} {
		for _, n := range []int{100, firstWindow + 16*workers, 1500} {
			for _, hints := range []bool{true, false} {
				hangs(t, faultTime)
				b := &tBlock{N: n, Equal: equalValues, Run: func(v tView, tx int) (uint64, error) {
					if tx == 0 {
						time.Sleep(5 * time.Millisecond)
					}
					x, _ := v.Get(0)
					v.Put(tKey(tx), x+1)
					if tx%5 == 4 {
						return 0, errProgram
					}
					return uint64(x), nil
				}}
				if hints {
					b.Hints = func(tx int) []tKey { return []tKey{tKey(tx)} }
				}
				requireSequential(t, newTest(Options[tKey, tValue]{Workers: workers}), b, "workers %d, n %d", workers, n)
			}
		}
	}
}

// P8 as well: every transaction fails while the commits have come up to it.
func TestFault08FailureAtFrontier(t *testing.T) {
	hangs(t, faultTime)
	for _, workers := range []int{2, 4} {
		var committed atomic.Int32
		e := newTest(Options[tKey, tValue]{Workers: workers, Commit: func(tx int, _ []Change[tKey, tValue]) { committed.Store(int32(tx) + 1) }})
		for range times(30) {
			committed.Store(0)
			out, err := e.Execute(context.Background(), &tBlock{N: 90, Run: func(v tView, tx int) (uint64, error) {
				for i := 0; i < 1000 && committed.Load() < int32(tx); i++ {
					runtime.Gosched()
				}
				x, _ := v.Get(0)
				v.Put(0, x+1)
				switch tx % 3 {
				case 0:
					return 0, errProgram
				case 1:
					panic("at the frontier")
				}
				return uint64(x), nil
			}})
			require.NoError(t, err)
			for tx, r := range out.Results {
				if tx%3 == 2 {
					require.EqualValues(t, tx/3, r.Output)
				}
			}
		}
	}
}

// P9: a wait for another transaction within nested parallelism took the threads of
// the pool that the other needed (aptos #19680, reth #13416, sei-cosmos #356). Here
// each incarnation holds one of few slots, reads on other goroutines, and meets
// estimates of transactions that need a slot too.
func TestFault09WaitHoldsPool(t *testing.T) {
	for _, workers := range []int{2, 16} {
		hangs(t, faultTime)
		slots := make(chan struct{}, 1)
		const n = 12 // fewer than workers, or more
		b := &tBlock{N: n, Equal: equalValues,
			Hints: func(tx int) []tKey { return []tKey{tKey(tx)} },
			Run: func(v tView, tx int) (uint64, error) {
				slots <- struct{}{}
				defer func() { <-slots }()
				done := make(chan tValue)
				go func() { done <- tValue(busy(uint64(tx), 100) % 5) }()
				sum := <-done
				for k := range tKey(tx) {
					x, _ := v.Get(k)
					sum += x
				}
				v.Put(tKey(tx), sum%1000)
				return uint64(sum), nil
			}}
		e := newTest(Options[tKey, tValue]{Workers: workers, NoThrottle: true})
		for range times(20) {
			requireSequential(t, e, b)
		}
		require.Empty(t, slots)
	}
}

// P14: a storm of aborts ran one transaction more than ten times and allocated
// gigabytes (cronos #1570, go-block-stm #12, sei #2901), and an empty store took
// megabytes (Nethermind #9803). Where every transaction writes one key, each may
// run twice; the memory of a block is bounded, and not taken again for the next.
func TestFault14AbortStorm(t *testing.T) {
	hangs(t, 2*faultTime)
	n := times(4000)
	e := newTest(Options[tKey, tValue]{Workers: 8})
	b := counter(n)
	run := b.Run
	var most atomic.Int32
	b.Run = func(v tView, tx int) (uint64, error) {
		if i := int32(v.Incarnation()); i > most.Load() {
			most.Store(i)
		}
		x, _ := v.Get(0)
		busy(uint64(x), 300)
		return run(v, tx)
	}
	var out *Outcome[tKey, tValue, uint64]
	var took uint64
	for range 3 {
		took = allocated(func() { out = requireOutcome(t, e, b) })
	}
	if testing.Short() {
		n *= 2 // the throttle needs some transactions before it acts
	}
	require.LessOrEqual(t, out.Stats.Executions, 2*n)
	n = b.N
	require.Less(t, took, uint64(200*n+50_000), "bytes for %d transactions", n)

	empty := &tBlock{N: 1024, Run: func(tView, int) (uint64, error) { return 0, nil }}
	took = allocated(func() { requireOutcome(t, newTest(Options[tKey, tValue]{Workers: 2}), empty) })
	require.Less(t, took, uint64(1<<19), "bytes for an empty block")

	// Without a throttle as well, no transaction runs without end.
	most.Store(0)
	requireOutcome(t, newTest(Options[tKey, tValue]{Workers: 8, NoThrottle: true}), b)
	out = requireOutcome(t, newTest(Options[tKey, tValue]{Workers: 8, NoThrottle: true}), b)
	require.LessOrEqual(t, out.Stats.Executions, (maxLost+1)*n)
}

func requireOutcome(t *testing.T, e *tExecutor, b *tBlock) *Outcome[tKey, tValue, uint64] {
	t.Helper()
	out, err := e.Execute(context.Background(), b)
	require.NoError(t, err)
	return out
}

// allocated returns how many bytes f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// P15: transactions were validated 4 to 10 times where once is enough (aptos
// #6951). Without conflicts there is one validation for each, though all read a
// common key, create keys, and delete them.
func TestFault15SuperfluousValidation(t *testing.T) {
	hangs(t, faultTime)
	const n = 400
	for _, workers := range []int{2, 4, 16} {
		out := requireSequential(t, newTest(Options[tKey, tValue]{Workers: workers}), &tBlock{N: n,
			Base: mapBase(map[tKey]tValue{0: 3}),
			Run: func(v tView, tx int) (uint64, error) {
				x, _ := v.Get(0)
				own := tKey(1 + 2*tx)
				v.Get(own)
				if tx%3 == 0 {
					v.Delete(own)
				} else {
					v.Put(own, x)
				}
				v.Put(own+1, x)
				if tx%10 == 0 {
					return 0, errors.New("reverted")
				}
				return uint64(x), nil
			}})
		require.Equal(t, n, out.Stats.Validations)
		require.Equal(t, n, out.Stats.Executions)
	}
}
