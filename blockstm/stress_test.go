package blockstm

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The tests in this file have no schedule in mind. They are meant to be built with
// the tag blockstm_stress, which gives way at random between any two steps whose
// order matters, and with -race; without, they look for less.

// How the writes of a block are foretold.
const (
	hintNone = iota
	hintMatch
	hintWrong
	hintPartial
	hintKinds
)

func (p *programs) hintsOf(kind int, r *rand.Rand) func(int) []tKey {
	switch kind {
	case hintMatch:
		_, writes, _ := p.oracle()
		return func(tx int) (keys []tKey) {
			for k := range writes[tx] {
				keys = append(keys, k)
			}
			return keys
		}
	case hintWrong: // of another transaction, with keys that nobody touches
		return func(tx int) []tKey { return []tKey{tKey(tx % 5), tKey(900 + tx), tKey(900 + tx)} }
	case hintPartial:
		return p.hints(r)
	}
	return nil
}

// One executor runs blocks of many sizes, with fewer transactions than workers and
// more, under each kind of hint; each block runs twice.
func TestStressPrograms(t *testing.T) {
	sizes := []int{0, 1, 2, 3, 9, 70, 1, 30, 150, 2}
	for _, cpus := range []int{1, 2, 4} {
		for _, workers := range []int{1, 2, 3, 8} {
			t.Run(fmt.Sprintf("procs=%d/workers=%d", cpus, workers), func(t *testing.T) {
				hangs(t, 30*time.Second)
				procs(t, cpus)
				before := runtime.NumGoroutine()
				var log commitLog
				e := newTest(Options[tKey, tValue]{Workers: workers, Commit: log.commit, NoThrottle: workers == 3})
				for seed := range uint64(times(100)) {
					r := rand.New(rand.NewPCG(seed, uint64(workers*10+cpus)))
					n := sizes[int(seed)%len(sizes)]
					p := randomPrograms(r, n, 1+r.IntN(5))
					b := p.block()
					if r.IntN(4) == 0 {
						b.Equal, p.noEqual = nil, true
					}
					b.Hints = p.hintsOf(int(seed)%hintKinds, r)
					for range 2 {
						requireOracle(t, e, p, b, &log, fmt.Sprintf("seed %d, n %d", seed, n))
					}
				}
				requireGoroutines(t, before)
			})
		}
	}
}

// In blocks that small, what nobody looks at again is not found by accident later on.
func TestStressTiny(t *testing.T) {
	hangs(t, 10*time.Second)
	for _, workers := range []int{2, 3} {
		e := newTest(Options[tKey, tValue]{Workers: workers})
		for range times(1500) {
			for n := range 5 {
				b := counter(n)
				out, err := e.Execute(context.Background(), b)
				require.NoError(t, err)
				for tx, r := range out.Results {
					require.EqualValues(t, tx, r.Output)
				}
			}
		}
	}
}

// A block may be cancelled at any step. What was committed by then is a prefix of the
// sequential run, and the executor is fit for another block.
func TestStressCancel(t *testing.T) {
	for _, workers := range []int{1, 2, 8} {
		hangs(t, 30*time.Second)
		before := runtime.NumGoroutine()
		var log commitLog
		e := newTest(Options[tKey, tValue]{Workers: workers, Commit: log.commit})
		for seed := range uint64(times(150)) {
			r := rand.New(rand.NewPCG(seed, 77))
			p := randomPrograms(r, 1+r.IntN(60), 1+r.IntN(4))
			_, writes, _ := p.oracle()
			b := p.block()
			b.Hints = p.hintsOf(int(seed)%hintKinds, r)
			ctx, cancel := context.WithCancel(context.Background())
			var calls atomic.Int64
			at := r.Int64N(int64(2 * b.N))
			b.Run = func(v tView, tx int) (uint64, error) {
				if calls.Add(1) > at {
					cancel()
				}
				return p.run(v, tx)
			}
			log = commitLog{}
			out, err := e.Execute(ctx, b)
			if err == nil {
				require.Len(t, out.Results, b.N)
				require.Equal(t, writes, log.writes)
			} else {
				require.ErrorIs(t, err, context.Canceled)
				require.Nil(t, out)
				require.LessOrEqual(t, len(log.writes), b.N)
				for tx, w := range log.writes {
					require.Equal(t, writes[tx], w, "seed %d, transaction %d", seed, tx)
				}
			}
			require.False(t, log.disorder)
			cancel()
		}
		requireGoroutines(t, before)
		p := randomPrograms(rand.New(rand.NewPCG(5, 5)), 50, 4)
		requireOracle(t, e, p, p.block(), &log, "after many that were cancelled")
	}
}

// A callback may fail at any step too: the block ends with its error after a prefix.
func TestStressCallbackFails(t *testing.T) {
	boom := errors.New("boom")
	for _, workers := range []int{2, 8} {
		hangs(t, 30*time.Second)
		before := runtime.NumGoroutine()
		for seed := range uint64(times(60)) {
			r := rand.New(rand.NewPCG(seed, 78))
			p := randomPrograms(r, 2+r.IntN(40), 1+r.IntN(4))
			at := r.IntN(len(p.txs))
			next := 0
			e := newTest(Options[tKey, tValue]{Workers: workers, Commit: func(tx int, _ []Change[tKey, tValue]) {
				if tx != next {
					t.Errorf("transaction %d is committed in place of %d", tx, next)
				}
				if next++; tx == at {
					panic(boom)
				}
			}})
			_, err := e.Execute(context.Background(), p.block())
			var ce *CallbackError
			require.ErrorAs(t, err, &ce, "seed %d", seed)
			require.ErrorIs(t, err, boom)
			require.Equal(t, at, ce.Tx)
			require.Equal(t, at+1, next, "a commit follows one that failed")
		}
		requireGoroutines(t, before)
	}
}

// Deltas near both bounds, with readers and writers among them: which of them are
// refused depends on the order, and must be that of the block.
func TestStressDeltasNearBounds(t *testing.T) {
	for _, workers := range []int{2, 8} {
		hangs(t, 30*time.Second)
		var log commitLog
		e := newTest(Options[tKey, tValue]{Workers: workers, Commit: log.commit, NoThrottle: true})
		for seed := range uint64(times(150)) {
			r := rand.New(rand.NewPCG(seed, 79))
			p := &programs{base: map[tKey]tValue{0: 98, 1: 1}}
			for range 50 {
				o := op{kind: opAdd, key: tKey(r.IntN(3)), to: tKey(r.IntN(3)), arg: r.Int64N(7) - 3}
				switch r.IntN(8) {
				case 0:
					o.kind = opMove
				case 1:
					o.kind, o.arg = opPut, 97*r.Int64N(2)
				case 2:
					o.kind = opDelete
				}
				p.txs = append(p.txs, []op{o, {kind: opAdd, key: o.to, arg: -o.arg}, {kind: opKind(r.IntN(int(opKinds))), key: o.key, to: o.to}})
			}
			requireOracle(t, e, p, p.block(), &log, fmt.Sprint("seed ", seed))
		}
	}
}

// A key that is not equal to itself can be written and never read.
func TestStressOddKeys(t *testing.T) {
	hangs(t, 5*time.Second)
	nan := func() float64 { var zero float64; return zero / zero }()
	b := &Block[float64, tValue, uint64]{N: 40, Run: func(v View[float64, tValue], tx int) (uint64, error) {
		v.Put(nan, tValue(tx))
		x, ok := v.Get(nan)
		v.Put(0, x+1)
		return uint64(x), boolErr(!ok)
	}}
	for _, workers := range []int{1, 4} {
		out, err := New[float64, tValue, uint64](Options[float64, tValue]{Workers: workers, Small: -1}).Execute(t.Context(), b)
		require.NoError(t, err)
		require.Equal(t, 41, out.Len())
		for _, r := range out.Results {
			require.NoError(t, r.Err)
		}
	}
}
