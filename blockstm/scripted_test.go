package blockstm

import (
	"context"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// What only saves time cannot be seen in results. These tests force the schedule
// in which it matters, and look at what was run.

const scriptLimit = 5 * time.Second

// waitState waits until transaction tx of the block that e runs is in state s.
func waitState(t *testing.T, e *tExecutor, tx int, s state) {
	waitFor(t, func() bool { return stateOf(e.run.txs[tx].status.Load()) == s })
}

func waitFor(t *testing.T, f func() bool) {
	for end := time.Now().Add(scriptLimit); !f(); runtime.Gosched() {
		if time.Now().After(end) {
			t.Error("what the script waits for does not happen")
			return
		}
	}
}

func script(t *testing.T, workers int, b *tBlock, set func(*tExecutor)) (*Outcome[tKey, tValue, uint64], *tExecutor) {
	t.Helper()
	watchdog(t, 6*scriptLimit)
	e := newTest(Options[tKey, tValue]{Workers: workers, NoThrottle: true})
	set(e)
	out, err := e.Execute(context.Background(), b)
	require.NoError(t, err)
	requireIdle(t, e)
	return out, e
}

// requireIdle checks that a block left nothing behind.
func requireIdle(t *testing.T, e *tExecutor) {
	t.Helper()
	r := &e.run
	require.Zero(t, r.suspended.Load())
	require.Zero(t, r.queue.idle.Load())
	for id := range r.memory.count.Load() {
		c := r.memory.cell(id)
		require.Empty(t, c.pend[c.head:], "key %d has pending versions", c.key)
	}
	for i := range r.txs {
		require.Zero(t, r.txs[i].waiters.Load(), "transactions wait for %d", i)
		require.Equal(t, committed, stateOf(r.txs[i].status.Load()))
	}
}

// A transaction whose read was overtaken runs again before its turn, and so does
// one that read a key which was not written before.
func TestSweepRepeatsEarly(t *testing.T) {
	for _, written := range []bool{false, true} {
		var e *tExecutor
		var again atomic.Bool
		out, _ := script(t, 3, &tBlock{N: 4, Run: func(v tView, tx int) (uint64, error) {
			switch tx {
			case 0:
				waitFor(t, again.Load) // nothing is committed before
			case 1:
				if written {
					v.Put(7, 1)
				}
			case 2:
				if v.Incarnation() == 0 {
					waitState(t, e, 3, executed)
				}
				v.Put(7, 2)
			case 3:
				if written {
					waitState(t, e, 1, executed)
				}
				again.Store(v.Incarnation() > 0)
				x, _ := v.Get(7)
				return uint64(x), nil
			}
			return 0, nil
		}}, func(x *tExecutor) { e = x })
		require.EqualValues(t, 2, out.Results[3].Output)
		require.Equal(t, 1, out.Stats.Aborts)
	}
}

// A reader of a key that an aborted transaction wrote waits for it, and does not
// see the dead value.
func TestEstimateMakesReadersWait(t *testing.T) {
	var e *tExecutor
	var dead atomic.Bool
	out, _ := script(t, 3, &tBlock{N: 3, Run: func(v tView, tx int) (uint64, error) {
		switch tx {
		case 0:
			waitState(t, e, 1, executed)
			v.Put(1, 5)
		case 1:
			x, _ := v.Get(1)
			if v.Incarnation() > 0 {
				waitState(t, e, 2, suspended)
			}
			v.Put(2, x+1)
		case 2:
			waitFor(t, func() bool { return incarnationOf(e.run.txs[1].status.Load()) > 0 })
			x, _ := v.Get(2)
			if x != 6 {
				dead.Store(true)
			}
			return uint64(x), nil
		}
		return 0, nil
	}}, func(x *tExecutor) { e = x })
	require.False(t, dead.Load())
	require.EqualValues(t, 6, out.Results[2].Output)
	require.Equal(t, 1, out.Stats.Suspensions)
	require.Equal(t, 1, out.Stats.Aborts)
}

// A deletion that does not come again uncovers the base state, which nobody had
// read.
func TestVanishedDelete(t *testing.T) {
	var e *tExecutor
	out, _ := script(t, 3, &tBlock{N: 3, Equal: equalValues, Base: mapBase(map[tKey]tValue{2: 9}),
		Run: func(v tView, tx int) (uint64, error) {
			switch tx {
			case 0:
				waitState(t, e, 2, executed)
				v.Put(1, 5)
			case 1:
				if _, ok := v.Get(1); !ok {
					v.Delete(2)
				}
			case 2:
				if v.Incarnation() == 0 {
					waitState(t, e, 1, executed)
				}
				x, ok := v.Get(2)
				return uint64(x), boolErr(ok)
			}
			return 0, nil
		}}, func(x *tExecutor) { e = x })
	require.NoError(t, out.Results[2].Err)
	require.EqualValues(t, 9, out.Results[2].Output)
	require.Equal(t, 1, out.Len(), "the deletion is no change")
}

// Two transactions that were waiting for one run at the same time: a sleeping
// worker is woken for the second.
func TestWakeBoth(t *testing.T) {
	var e *tExecutor
	var met atomic.Int32
	script(t, 2, &tBlock{N: 3,
		Hints: func(tx int) []tKey {
			if tx == 0 {
				return []tKey{1}
			}
			return nil
		},
		Run: func(v tView, tx int) (uint64, error) {
			if tx == 0 {
				waitState(t, e, 1, suspended)
				waitState(t, e, 2, suspended)
				waitFor(t, func() bool { return e.run.queue.idle.Load() == 1 })
				v.Put(1, 5)
				return 0, nil
			}
			v.Get(1)
			met.Add(1)
			waitFor(t, func() bool { return met.Load() >= 2 })
			return 0, nil
		}}, func(x *tExecutor) { e = x })
}

// A read is repeatable within an incarnation, whatever is written meanwhile.
func TestRepeatableRead(t *testing.T) {
	var e *tExecutor
	var torn, read atomic.Bool
	out, _ := script(t, 2, &tBlock{N: 2, Run: func(v tView, tx int) (uint64, error) {
		if tx == 0 {
			waitFor(t, read.Load)
			v.Put(1, 5)
			return 0, nil
		}
		x, _ := v.Get(1)
		read.Store(true)
		waitFor(t, func() bool { s := stateOf(e.run.txs[0].status.Load()); return s == committed })
		defer func() {
			if y, _ := v.Get(1); x != y { // unwinds at the latest here
				torn.Store(true)
			}
		}()
		return uint64(x), nil
	}}, func(x *tExecutor) { e = x })
	require.False(t, torn.Load())
	require.EqualValues(t, 5, out.Results[1].Output)
}

// Suspicion ends a running incarnation at its next use of the view.
func TestSuspectUnwinds(t *testing.T) {
	var e *tExecutor
	var past, read atomic.Bool
	out, _ := script(t, 2, &tBlock{N: 2, Run: func(v tView, tx int) (uint64, error) {
		if tx == 0 {
			waitFor(t, read.Load)
			v.Put(1, 5)
			return 0, nil
		}
		x, _ := v.Get(1)
		read.Store(true)
		if v.Incarnation() == 0 {
			waitFor(t, func() bool { return e.run.txs[1].status.Load()&suspectBit != 0 })
			v.Check()
			past.Store(true)
		}
		return uint64(x), nil
	}}, func(x *tExecutor) { e = x })
	require.False(t, past.Load())
	require.EqualValues(t, 5, out.Results[1].Output)
	require.Equal(t, Stats{Workers: 2, Executions: 3, Validations: 2, Aborts: 1}, out.Stats)
}

// A worker that reached the end of the window goes on when the window moves.
func TestWindowMoves(t *testing.T) {
	watchdog(t, 6*scriptLimit)
	const n, window = 2 * firstWindow, firstWindow + 2*4
	var met atomic.Int32
	e := newTest(Options[tKey, tValue]{Workers: 2})
	_, err := e.Execute(context.Background(), &tBlock{N: n, Run: func(v tView, tx int) (uint64, error) {
		v.Put(tKey(tx), 1)
		switch tx {
		case 0:
			waitFor(t, func() bool { return e.run.queue.idle.Load() == 1 })
			require.EqualValues(t, window, e.run.started.Load())
		case window, window + 1:
			met.Add(1)
			waitFor(t, func() bool { return met.Load() == 2 })
		}
		return 0, nil
	}})
	require.NoError(t, err)
	requireIdle(t, e)
}
