package blockstm

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// P3: the reader of a slot in a re-created account and the validator disagreed on
// what it should see, and one worker alone repeated it 170 times (erigon #23020,
// #21573). Here tx deletes an account, the next creates it again and another reads
// its slot. One worker runs each once; more are held by the bound on repetitions.
func TestFault03ReaderAndValidatorDisagree(t *testing.T) {
	hangs(t, faultTime)
	const account, slot, n = 0, 1, 90
	var most atomic.Int32
	b := &tBlock{N: n, Equal: equalValues, Sum: sumAny,
		Base: mapBase(map[tKey]tValue{account: 1, slot: 5}),
		Run: func(v tView, tx int) (uint64, error) {
			if i := int32(v.Incarnation()); i > most.Load() {
				most.Store(i)
			}
			switch tx % 3 {
			case 0:
				v.Delete(account)
				v.Delete(slot)
			case 1:
				if _, ok := v.Get(account); !ok {
					v.Put(account, tValue(tx))
				}
				v.Add(slot, 2)
			default:
				born, ok := v.Get(account)
				x, has := v.Get(slot)
				if !ok || !has {
					return 0, errProgram
				}
				v.Put(slot, x+born)
				return uint64(x), nil
			}
			return 0, nil
		}}
	for _, workers := range []int{1, 2, 8} {
		e := newTest(Options[tKey, tValue]{Workers: workers, NoThrottle: true})
		for range times(30) {
			most.Store(0)
			out := requireSequential(t, e, b)
			if workers == 1 {
				require.Equal(t, n, out.Stats.Executions)
				require.Zero(t, most.Load())
			}
			require.LessOrEqual(t, out.Stats.Executions, n*(maxLost+1))
		}
	}
}

// P5: a key that was read twice gave two versions and only the second was validated
// (pevm b2fde06, Aptos #10170). tx 1 reads before and after tx 0 is committed.
func TestFault05InconsistentReads(t *testing.T) {
	for range times(20) {
		hangs(t, faultTime)
		read, published := newGate(), newGate()
		e := newTest(Options[tKey, tValue]{Workers: 2, NoThrottle: true,
			Commit: func(tx int, _ []Change[tKey, tValue]) { published.open() }})
		out, err := e.Execute(t.Context(), &tBlock{N: 2, Base: mapBase(map[tKey]tValue{0: 1}),
			Run: func(v tView, tx int) (uint64, error) {
				if tx == 0 {
					read.pass(t)
					v.Put(0, 2)
					return 0, nil
				}
				x, _ := v.Get(0)
				read.open()
				y := x
				for more := true; more && x == y; y, _ = v.Get(0) {
					select {
					case <-published.ch:
						more = false
					default:
					}
				}
				if x != y {
					t.Errorf("one incarnation read %d and %d", x, y)
				}
				return uint64(10*x + y), nil
			}})
		require.NoError(t, err)
		require.EqualValues(t, 22, out.Results[1].Output)
		require.Equal(t, 1, out.Stats.Aborts)
	}
}

// P5 as well: each of several reads is validated, wherever the stale one is.
func TestFault05EveryReadIsValidated(t *testing.T) {
	const keys = 20 // more than the index of an incarnation searches one by one
	for stale := range tKey(keys) {
		hangs(t, faultTime)
		read := newGate()
		out, err := newTest(Options[tKey, tValue]{Workers: 2, NoThrottle: true}).Execute(t.Context(), &tBlock{N: 2,
			Run: func(v tView, tx int) (uint64, error) {
				if tx == 0 {
					read.pass(t)
					v.Put(stale, 1)
					return 0, nil
				}
				defer read.open()
				for k := range tKey(keys) {
					if x, _ := v.Get(k); x != 0 {
						return uint64(k), nil
					}
				}
				return 99, nil
			}})
		require.NoError(t, err)
		require.EqualValues(t, stale, out.Results[1].Output)
	}
}

// P10: a lazy write did not invalidate a later reader of the absolute value
// (metis-sdk #114, #115, pevm #375), and adding nothing to an absent key created it
// (besu #8353).
func TestFault10LazyWrite(t *testing.T) {
	for _, early := range []bool{false, true} { // another delta is there already
		hangs(t, faultTime)
		read := newGate()
		b := &tBlock{N: 3, Equal: equalValues, Sum: sumAny, Base: mapBase(map[tKey]tValue{0: 100}),
			Run: func(v tView, tx int) (uint64, error) {
				switch tx {
				case 0:
					if early {
						v.Add(0, 1)
					}
				case 1:
					if !isSerial(v) {
						read.pass(t)
					}
					v.Add(0, 10)
					v.Add(8, 0)
				default:
					x, _ := v.Get(0)
					_, created := v.Get(8)
					read.open()
					v.Put(1, x)
					return uint64(x), boolErr(!created)
				}
				return 0, nil
			}}
		out := requireSequential(t, newTest(Options[tKey, tValue]{Workers: 3, NoThrottle: true}), b)
		require.NoError(t, out.Results[2].Err)
		for c := range out.Changes() {
			require.NotEqualValues(t, 8, c.Key, "adding nothing created a key")
		}
	}
	// The bounds decide in block order, near the edge and with both signs.
	for seed := range uint64(times(100)) {
		r := rand.New(rand.NewPCG(seed, 10))
		deltas := make([]tValue, 60)
		for i := range deltas {
			deltas[i] = r.Int64N(121) - 60
		}
		b := &tBlock{N: len(deltas), Equal: equalValues, Sum: sumBounded, Base: mapBase(map[tKey]tValue{0: 97}),
			Run: func(v tView, tx int) (uint64, error) {
				ok := v.Add(0, deltas[tx])
				if tx%7 == 0 {
					runtime.Gosched()
				}
				if tx%13 == 12 {
					x, _ := v.Get(0)
					return uint64(x), boolErr(ok)
				}
				return 0, boolErr(ok)
			}}
		requireSequential(t, newTest(Options[tKey, tValue]{Workers: 4, NoThrottle: true}), b, "seed %d", seed)
	}
}

// P11: writes of a reverted transaction leaked (bor #1846), also into the next one
// on the same worker (grevm #107). Every third one survives; the others fail after
// having written, by an error and by a panic.
func TestFault11RevertedWritesLeak(t *testing.T) {
	hangs(t, faultTime)
	const n = 120
	b := &tBlock{N: n, Equal: equalValues, Sum: sumAny, Base: mapBase(map[tKey]tValue{1: 50}),
		Run: func(v tView, tx int) (uint64, error) {
			fee, _ := v.Get(0)
			gone, dirty := v.Get(2)
			left, _ := v.Get(1)
			v.Put(0, fee+1)
			v.Put(2, tValue(tx))
			v.Delete(1)
			v.Add(3, 1)
			switch tx % 3 {
			case 0:
				return 0, fmt.Errorf("fee %d: %w", fee, errProgram)
			case 1:
				panic(fmt.Sprint("fee ", fee))
			}
			v.Delete(2)
			v.Put(1, left)
			return uint64(gone), boolErr(!dirty)
		}}
	for _, workers := range []int{1, 2, 8} {
		e := newTest(Options[tKey, tValue]{Workers: workers})
		for range times(20) {
			out := requireSequential(t, e, b)
			for c := range out.Changes() {
				switch c.Key {
				case 0, 3:
					require.EqualValues(t, n/3, c.Value)
				case 1:
					require.EqualValues(t, 50, c.Value)
				case 2:
					require.True(t, c.Deleted)
				}
			}
		}
	}
}

// P13: an incarnation that wrote less than the one before left a version behind that
// others were still given (sei-chain #3656, sei-cosmos #451, #472), and one that
// wrote more was missed by who had seen nothing there. tx 1 writes keys 1 and 2
// first and keys 1 and 3 later; tx 2 has read them all in between.
func TestFault13StaleVersion(t *testing.T) {
	for _, deleted := range []bool{false, true} {
		hangs(t, faultTime)
		wrote, read := newGate(), newGate()
		b := &tBlock{N: 3, Base: mapBase(map[tKey]tValue{2: 20, 3: 30}),
			Run: func(v tView, tx int) (uint64, error) {
				switch tx {
				case 0:
					if !isSerial(v) {
						read.pass(t)
					}
					v.Put(0, 1)
				case 1:
					x, _ := v.Get(0)
					key := tKey(2 + x)
					v.Put(1, x)
					if deleted {
						v.Delete(key)
					} else {
						v.Put(key, 7)
					}
					wrote.open()
				case 2:
					if !isSerial(v) {
						wrote.pass(t)
					}
					a, _ := v.Get(1)
					b, _ := v.Get(2)
					c, _ := v.Get(3)
					read.open()
					return uint64(a*10000 + b*100 + c), nil
				}
				return 0, nil
			}}
		out := requireSequential(t, newTest(Options[tKey, tValue]{Workers: 3, NoThrottle: true}), b)
		want := 12007
		if deleted {
			want = 12000
		}
		require.EqualValues(t, want, out.Results[2].Output)
	}
}
