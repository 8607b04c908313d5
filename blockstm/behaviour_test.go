package blockstm

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func execute(t *testing.T, o Options[tKey, tValue], b *tBlock) (*Outcome[tKey, tValue, uint64], error) {
	t.Helper()
	watchdog(t, 30*time.Second)
	before := runtime.NumGoroutine()
	out, err := newTest(o).Execute(context.Background(), b)
	requireGoroutines(t, before)
	return out, err
}

func requireGoroutines(t *testing.T, n int) {
	t.Helper()
	for range 100 {
		if runtime.NumGoroutine() <= n {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("%d goroutines are left of %d", runtime.NumGoroutine(), n)
}

func equalValues(a, b tValue) bool { return a == b }

// counter is a block whose transactions all increment one key.
func counter(n int) *tBlock {
	return &tBlock{N: n, Equal: equalValues, Run: func(v tView, tx int) (uint64, error) {
		x, _ := v.Get(0)
		v.Put(0, x+1)
		return uint64(x), nil
	}}
}

func TestSmallBlocks(t *testing.T) {
	for n := range 4 {
		for _, workers := range []int{1, 2, 8} {
			out, err := execute(t, Options[tKey, tValue]{Workers: workers}, counter(n))
			require.NoError(t, err)
			require.Len(t, out.Results, n)
			for tx, r := range out.Results {
				require.EqualValues(t, tx, r.Output)
			}
			require.Equal(t, min(n, 1), out.Len())
		}
	}
	out, err := New[tKey, tValue, uint64](Options[tKey, tValue]{Workers: 4}).Execute(context.Background(), counter(3))
	require.NoError(t, err)
	require.True(t, out.Stats.Sequential)
}

func TestCounter(t *testing.T) {
	for _, workers := range []int{2, 8} {
		e := newTest(Options[tKey, tValue]{Workers: workers})
		for range 200 {
			out, err := e.Execute(context.Background(), counter(80))
			require.NoError(t, err)
			for tx, r := range out.Results {
				require.EqualValues(t, tx, r.Output)
			}
			for c := range out.Changes() {
				require.Equal(t, Change[tKey, tValue]{Key: 0, Value: 80}, c)
			}
		}
	}
}

func TestConflictFree(t *testing.T) {
	const n = 500
	for _, deltas := range []bool{false, true} {
		out, err := execute(t, Options[tKey, tValue]{Workers: 8, NoThrottle: true}, &tBlock{
			N: n, Sum: func(a, d tValue) (tValue, bool) { return a + d, true },
			Run: func(v tView, tx int) (uint64, error) {
				x, _ := v.Get(tKey(tx))
				v.Get(n) // all read it, nobody writes it
				runtime.Gosched()
				v.Put(tKey(tx), x+1)
				if deltas {
					v.Add(n+1, 1)
				}
				return 0, nil
			}})
		require.NoError(t, err)
		require.Equal(t, Stats{Workers: 8, Executions: n, Validations: n}, out.Stats)
	}
}

// A delta that arrives late makes a transaction after it that read the key run
// again, and a bound decides in block order.
func TestLateDelta(t *testing.T) {
	read := make(chan bool)
	var once sync.Once
	out, err := execute(t, Options[tKey, tValue]{Workers: 2, NoThrottle: true}, &tBlock{
		N: 3, Equal: equalValues, Sum: sumBounded,
		Run: func(v tView, tx int) (uint64, error) {
			switch tx {
			case 0:
				<-read
				return 0, boolErr(v.Add(0, 90))
			case 1:
				x, _ := v.Get(0)
				ok := v.Add(1, x+20)
				once.Do(func() { close(read) })
				return uint64(x), boolErr(ok)
			default:
				return 0, boolErr(v.Add(0, 20))
			}
		}})
	require.NoError(t, err)
	require.NoError(t, out.Results[0].Err)
	require.EqualValues(t, 90, out.Results[1].Output)
	require.ErrorIs(t, out.Results[1].Err, errProgram)
	require.ErrorIs(t, out.Results[2].Err, errProgram)
}

func boolErr(ok bool) error {
	if ok {
		return nil
	}
	return errProgram
}

func TestCancel(t *testing.T) {
	for _, workers := range []int{1, 2, 8} {
		for stop := range 20 {
			ctx, cancel := context.WithCancel(context.Background())
			var log commitLog
			e := newTest(Options[tKey, tValue]{Workers: workers, Commit: log.commit, NoThrottle: true})
			before := runtime.NumGoroutine()
			_, err := e.Execute(ctx, &tBlock{N: 20, Run: func(v tView, tx int) (uint64, error) {
				if tx == stop {
					cancel()
				}
				x, _ := v.Get(0)
				if tx == stop {
					for {
						v.Check()
					}
				}
				v.Put(0, x+1)
				return 0, nil
			}})
			require.ErrorIs(t, err, context.Canceled)
			requireGoroutines(t, before)
			require.False(t, log.disorder)
			require.LessOrEqual(t, len(log.writes), stop)
			out, err := e.Execute(context.Background(), counter(30)) // the executor is as good as new
			require.NoError(t, err)
			require.EqualValues(t, 29, out.Results[29].Output)
			_, err = e.Execute(ctx, counter(30))
			require.ErrorIs(t, err, context.Canceled)
			cancel()
		}
	}
}

func TestBusyAndReuse(t *testing.T) {
	e := newTest(Options[tKey, tValue]{Workers: 2})
	inside, leave := make(chan bool), make(chan bool)
	var once sync.Once
	done := make(chan error)
	go func() {
		_, err := e.Execute(context.Background(), &tBlock{N: 2, Run: func(tView, int) (uint64, error) {
			once.Do(func() { close(inside); <-leave })
			return 0, nil
		}})
		done <- err
	}()
	<-inside
	_, err := e.Execute(context.Background(), counter(2))
	require.ErrorIs(t, err, ErrBusy)
	close(leave)
	require.NoError(t, <-done)
	first, err := e.Execute(context.Background(), counter(10))
	require.NoError(t, err)
	require.Equal(t, 1, first.Len())
	second, err := e.Execute(context.Background(), counter(20))
	require.NoError(t, err)
	require.Zero(t, first.Len(), "the changes of the block before are gone")
	require.Len(t, first.Results, 10)
	require.Equal(t, 1, second.Len())
}

// A chain must cost little more than running it on one worker.
func TestChainIsThrottled(t *testing.T) {
	const n = 4000
	for _, hints := range []bool{false, true} {
		b := counter(n)
		run := b.Run
		b.Run = func(v tView, tx int) (uint64, error) {
			x, _ := v.Get(0)
			busy(uint64(x), 1000)
			return run(v, tx)
		}
		if hints {
			b.Hints = func(int) []tKey { return []tKey{0} }
		}
		out, err := execute(t, Options[tKey, tValue]{Workers: 8}, b)
		require.NoError(t, err)
		require.LessOrEqual(t, out.Stats.Executions, 2*n)
		require.Positive(t, out.Stats.Throttled)
		t.Log(fmt.Sprintf("%+v", out.Stats))
	}
}

// With hints nothing runs in vain.
func TestHintsAvoidAborts(t *testing.T) {
	b := counter(300)
	b.Hints = func(int) []tKey { return []tKey{0} }
	out, err := execute(t, Options[tKey, tValue]{Workers: 4, NoThrottle: true}, b)
	require.NoError(t, err)
	require.Zero(t, out.Stats.Aborts)
	require.Equal(t, 300, out.Stats.Validations)
}

func TestViewAfterRun(t *testing.T) {
	var kept tView
	_, err := execute(t, Options[tKey, tValue]{Workers: 1}, &tBlock{N: 1, Run: func(v tView, _ int) (uint64, error) {
		kept = v
		return 0, nil
	}})
	require.NoError(t, err)
	require.Panics(t, func() { kept.Get(1) })
}

// A block allocates its results and little else, once the executor has run one
// like it.
func TestAllocations(t *testing.T) {
	const n = 2000
	b := &tBlock{N: n, Equal: equalValues, Run: func(v tView, tx int) (uint64, error) {
		x, _ := v.Get(tKey(tx))
		y, _ := v.Get(tKey(tx / 3))
		v.Put(tKey(tx), x+y)
		return 0, nil
	}}
	for _, workers := range []int{1, 2} {
		e := newTest(Options[tKey, tValue]{Workers: workers})
		run := func() {
			_, err := e.Execute(context.Background(), b)
			require.NoError(t, err)
		}
		run()
		allowed := 40.0
		if workers > 1 {
			allowed += n / 20 // conflicts vary, and each may unwind or lengthen a list
		}
		require.LessOrEqual(t, testing.AllocsPerRun(5, run), allowed)
	}
}
