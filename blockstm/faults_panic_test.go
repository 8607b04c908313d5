package blockstm

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// P4: what a transaction did on an inconsistent state, a division by zero, an
// index out of range, a loop without end, was given out as its result (erigon
// #23212, Aptos #10531 and #14422). Each transaction here keeps x + y = 10 and
// fails in one of those ways where it sees another sum; one panics in block order.
func TestFault04PanicOnInconsistentState(t *testing.T) {
	hangs(t, faultTime)
	const n = 60
	b := &tBlock{
		N: n, Equal: equalValues,
		Base: mapBase(map[tKey]tValue{0: 4, 1: 6}),
		Run: func(v tView, tx int) (uint64, error) {
			x, _ := v.Get(0)
			runtime.Gosched()
			y, _ := v.Get(1)
			switch torn := x + y - 10; {
			case torn != 0 && tx%3 == 0:
				_ = make([]int, 3)[10+torn*torn]
			case torn != 0 && tx%3 == 1:
				panic(torn)
			case torn != 0:
				for {
					v.Check()
				}
			case tx == 33:
				return 0, errors.New(string(make([]byte, y-y)[x]))
			}
			v.Put(0, x+1)
			runtime.Gosched()
			v.Put(1, y-1)
			return uint64(x), nil
		}}
	for _, workers := range []int{2, 4} {
		e := newTest(Options[tKey, tValue]{Workers: workers, NoThrottle: true})
		for range times(40) {
			out := requireSequential(t, e, b)
			for tx, r := range out.Results {
				var p *PanicError
				require.Equal(t, tx == 33, errors.As(r.Err, &p), "transaction %d: %v", tx, r.Err)
			}
		}
	}
}

// P4 as well, where the panic is not Run's own but that of a function it leads to:
// Sum, Equal or the base state, on a value that is not there in block order. Nothing
// was read when they panic, so that no read shows that the verdict is void.
func TestFault04PanicInCallback(t *testing.T) {
	picky := func(a, d tValue) (tValue, bool) {
		if a < 0 {
			panic("negative")
		}
		return a + d, true
	}
	failing := BaseFunc[tKey, tValue](func(k tKey) (tValue, bool, error) {
		switch k {
		case 2:
			panic("no such key")
		case 3:
			return 0, false, errors.New("disk")
		case 4:
			runtime.Goexit()
		}
		return -1, true, nil
	})
	programs := map[string]func(v tView) uint64{
		"Sum in Add":             func(v tView) uint64 { v.Add(0, 1); return 0 },
		"Sum in Add, recovered":  func(v tView) uint64 { defer func() { _ = recover() }(); v.Add(0, 1); return 0 },
		"Sum in Add after Put":   func(v tView) uint64 { v.Put(0, 3); v.Add(0, 1); return 0 },
		"Base panics":            func(v tView) uint64 { x, _ := v.Get(2); return uint64(x) },
		"Base panics, recovered": func(v tView) (x uint64) { defer func() { _ = recover() }(); y, _ := v.Get(2); return uint64(y) },
		"Base panics in Add":     func(v tView) uint64 { v.Add(2, 1); return 0 },
		"Base fails":             func(v tView) uint64 { x, _ := v.Get(3); return uint64(x) },
		"Base fails in Add":      func(v tView) uint64 { v.Add(3, 1); return 0 },
		"Base ends the goroutine": func(v tView) uint64 {
			x, _ := v.Get(4)
			return uint64(x)
		},
	}
	for name, program := range programs {
		for _, sound := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s/%v", name, sound), func(t *testing.T) {
				hangs(t, faultTime)
				ran := newGate()
				b := &tBlock{N: 2, Equal: equalValues, Sum: picky, Base: failing,
					Run: func(v tView, tx int) (uint64, error) {
						if tx == 1 {
							defer ran.open()
							return program(v), nil
						}
						if !isSerial(v) {
							ran.pass(t)
							time.Sleep(time.Millisecond) // transaction 1 has met the fault
						}
						for k := range tKey(5) {
							if sound {
								v.Put(k, 5)
							}
						}
						return 0, nil
					}}
				want, wantErr := Sequential(context.Background(), b)
				before := runtime.NumGoroutine()
				got, err := newTest(Options[tKey, tValue]{Workers: 2}).Execute(context.Background(), b)
				requireGoroutines(t, before)
				require.Equal(t, wantErr, err)
				if err == nil {
					wantResults, wantFinal := describe(want)
					gotResults, gotFinal := describe(got)
					require.Equal(t, wantResults, gotResults)
					require.Equal(t, wantFinal, gotFinal)
				}
			})
		}
	}
}

func isSerial(v tView) bool {
	_, ok := v.(*serialView[tKey, tValue, uint64])
	return ok
}

// P6: a lock was held while something panicked, or the validator panicked, and
// everybody waited for ever (erigon #7812, bor #2210 and #2255). A panic within an
// operation of the memory (of the hash of a key) and within validation must leave
// nobody behind, and the executor usable.
func TestFault06PanicWithLockHeld(t *testing.T) {
	hangs(t, faultTime)
	before := runtime.NumGoroutine()
	start := time.Now()
	e := New[any, tValue, uint64](Options[any, tValue]{Workers: 4, Small: -1})
	for range times(20) {
		out, err := e.Execute(context.Background(), &Block[any, tValue, uint64]{N: 40,
			Run: func(v View[any, tValue], tx int) (uint64, error) {
				x, _ := v.Get(tx % 3)
				if tx%7 == 0 {
					v.Put([]int{tx}, 1) // cannot be hashed
				}
				v.Put(tx%3, x+1)
				return uint64(x), nil
			}})
		require.NoError(t, err)
		for tx, r := range out.Results {
			var p *PanicError
			require.Equal(t, tx%7 == 0, errors.As(r.Err, &p))
		}
	}
	_, err := e.Execute(context.Background(), &Block[any, tValue, uint64]{N: 40,
		Hints: func(tx int) []any { return []any{tx, []int{tx}} },
		Run:   func(View[any, tValue], int) (uint64, error) { return 0, nil }})
	var ce *CallbackError
	require.ErrorAs(t, err, &ce)

	for _, bad := range []func(){func() { panic("in validation") }, runtime.Goexit} {
		b := counter(60)
		b.Equal = func(x, y tValue) bool { bad(); return x == y }
		_, err := newTest(Options[tKey, tValue]{Workers: 4, NoThrottle: true}).Execute(context.Background(), b)
		if err != nil { // whether Equal is called depends on the schedule
			require.ErrorIs(t, err, ErrGoexit)
		}
	}
	require.Less(t, time.Since(start), time.Second+faultTime/2)
	requireGoroutines(t, before)
}
