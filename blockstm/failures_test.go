package blockstm

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// What a speculating transaction sees may be impossible; only what it does on
// the true state counts.
func TestPanics(t *testing.T) {
	const n = 60
	var after atomic.Int32
	b := &tBlock{
		N: n, Equal: equalValues,
		Run: func(v tView, tx int) (uint64, error) {
			if tx == 0 {
				v.Put(0, 1)
				runtime.Gosched()
				v.Put(1, 1)
				return 0, nil
			}
			defer func() {
				if tx%3 == 0 {
					_ = recover() // in vain
					if v.Tx() == tx {
						after.Add(1)
					}
				}
			}()
			x, _ := v.Get(0)
			runtime.Gosched()
			y, _ := v.Get(1)
			if x != y {
				panic("torn")
			}
			v.Put(tKey(2+tx%2), x)
			if tx == 7 {
				var none []int
				_ = none[x]
			}
			return uint64(x + y), nil
		}}
	for range 20 {
		out, err := execute(t, Options[tKey, tValue]{Workers: 4, NoThrottle: true}, b)
		require.NoError(t, err)
		for tx, r := range out.Results {
			var p *PanicError
			switch {
			case tx == 7:
				require.ErrorAs(t, r.Err, &p)
				require.Equal(t, 7, p.Tx)
				require.NotEmpty(t, p.Stack)
				var re runtime.Error
				require.ErrorAs(t, r.Err, &re)
			case tx > 0:
				require.NoError(t, r.Err)
				require.EqualValues(t, 2, r.Output)
			}
		}
	}
}

func TestGoexit(t *testing.T) {
	b := &tBlock{N: 100, Run: func(v tView, tx int) (uint64, error) {
		x, _ := v.Get(0)
		v.Put(0, x+1)
		if tx%10 == 3 {
			runtime.Goexit()
		}
		return uint64(x), nil
	}}
	for _, workers := range []int{1, 3} {
		out, err := execute(t, Options[tKey, tValue]{Workers: workers}, b)
		require.NoError(t, err)
		for tx, r := range out.Results {
			require.Equal(t, tx%10 == 3, errors.Is(r.Err, ErrGoexit))
		}
		for c := range out.Changes() {
			require.EqualValues(t, 90, c.Value)
		}
	}
}

func TestBaseError(t *testing.T) {
	bad := errors.New("disk")
	for _, workers := range []int{1, 4} {
		var log commitLog
		_, err := execute(t, Options[tKey, tValue]{Workers: workers, Commit: log.commit}, &tBlock{
			N: 50,
			Base: BaseFunc[tKey, tValue](func(k tKey) (tValue, bool, error) {
				if k == 99 {
					return 0, false, bad
				}
				return 1, true, nil
			}),
			Run: func(v tView, tx int) (uint64, error) {
				defer func() {
					_ = recover()
					defer func() { _ = recover() }()
					v.Put(5, 5) // goes on as if nothing were wrong
				}()
				if tx == 0 {
					runtime.Gosched()
					v.Put(1, 7)
				}
				if x, _ := v.Get(1); x != 7 || tx == 30 {
					v.Get(99) // in block order, only transaction 30 does
				}
				return 0, nil
			}})
		var base *BaseError
		require.ErrorAs(t, err, &base)
		require.Equal(t, 30, base.Tx)
		require.ErrorIs(t, err, bad)
		require.Len(t, log.writes, 30)
	}
}

func TestCallbackPanics(t *testing.T) {
	boom := errors.New("boom")
	fail := func(tx int) {
		switch tx {
		case 20:
			panic(boom)
		}
	}
	var ce *CallbackError
	for _, workers := range []int{1, 4} {
		_, err := execute(t, Options[tKey, tValue]{Workers: workers,
			Commit: func(tx int, _ []Change[tKey, tValue]) { fail(tx) }}, counter(50))
		require.ErrorAs(t, err, &ce)
		require.ErrorIs(t, err, boom)
		require.Equal(t, 20, ce.Tx)
		_, err = execute(t, Options[tKey, tValue]{Workers: workers,
			Commit: func(tx int, _ []Change[tKey, tValue]) { runtime.Goexit() }}, counter(50))
		require.ErrorIs(t, err, ErrGoexit)
		b := counter(50)
		b.Hints = func(tx int) []tKey { fail(tx); return nil }
		_, err = execute(t, Options[tKey, tValue]{Workers: workers}, b)
		require.ErrorIs(t, err, boom)
	}
	_, err := sequential(context.Background(), counter(50), func(tx int, _ []Change[tKey, tValue]) { fail(tx) })
	require.ErrorAs(t, err, &ce)
	require.Equal(t, 20, ce.Tx)
	// In validation a panic only repeats the incarnation.
	b := counter(50)
	b.Equal = func(tValue, tValue) bool { panic(boom) }
	out, err := execute(t, Options[tKey, tValue]{Workers: 4, NoThrottle: true}, b)
	require.NoError(t, err)
	require.EqualValues(t, 49, out.Results[49].Output)
}
