package blockstm

import (
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// P12: the state before the block was written by who settled transactions while
// others read it (bor #1174). The executor reads it only, and calls Commit never
// twice at once: a plain map on each side is enough, which -race would tell.
func TestFault12UnsynchronisedBase(t *testing.T) {
	hangs(t, faultTime)
	base := map[tKey]tValue{}
	for k := range tKey(500) {
		base[k] = tValue(k)
	}
	settled := map[tKey]tValue{}
	e := newTest(Options[tKey, tValue]{Workers: 4, NoThrottle: true, Commit: func(_ int, writes []Change[tKey, tValue]) {
		for _, c := range writes {
			settled[c.Key] = c.Value
		}
	}})
	for round := range times(10) {
		out := requireSequential(t, e, &tBlock{N: 400, Base: mapBase(base), Equal: equalValues,
			Run: func(v tView, tx int) (uint64, error) {
				k := tKey((tx*7 + round) % 500)
				x, _ := v.Get(k)
				y, _ := v.Get(tKey((tx * 13) % 500))
				v.Put(k, x+y)
				return uint64(x), nil
			}})
		for c := range out.Changes() {
			require.Equal(t, c.Value, settled[c.Key])
		}
	}
}

// P12 as well: a base that fills itself as it is read, under a lock as Base asks.
func TestFault12LazyBase(t *testing.T) {
	hangs(t, faultTime)
	var mu sync.Mutex
	filled := map[tKey]tValue{}
	b := &tBlock{N: 300, Equal: equalValues,
		Base: BaseFunc[tKey, tValue](func(k tKey) (tValue, bool, error) {
			mu.Lock()
			defer mu.Unlock()
			filled[k] = tValue(k) * 3
			return filled[k], true, nil
		}),
		Run: func(v tView, tx int) (uint64, error) {
			x, _ := v.Get(tKey(tx % 50))
			y, _ := v.Get(tKey(tx))
			v.Put(tKey(tx%50), (x+y)%1000)
			return uint64(x), nil
		}}
	requireSequential(t, newTest(Options[tKey, tValue]{Workers: 4, NoThrottle: true}), b)
}

var (
	errNonce = errors.New("the nonce is not the account's")
	errGas   = errors.New("the block is full")
)

// P18: what depended on the schedule was not the state but the outputs: receipts,
// the transaction at which the gas of the block ends (aptos #7488, #11899), and a
// nonce error met while speculating that was taken as final (pevm dcf1f1e, 1367493).
// The block is cut at every index, and each transaction's output is compared.
func TestFault18Outputs(t *testing.T) {
	hangs(t, 2*faultTime)
	const n, gas = 24, 1000
	for _, workers := range []int{2, 4} {
		e := newTest(Options[tKey, tValue]{Workers: workers, NoThrottle: true})
		for cut := range n + 1 {
			out := requireSequential(t, e, &tBlock{N: n, Equal: equalValues,
				Run: func(v tView, tx int) (uint64, error) {
					used, _ := v.Get(gas)
					if used >= tValue(cut*3) {
						return uint64(used), errGas // this one and all after it are skipped
					}
					sender := tKey(tx % 4)
					nonce, _ := v.Get(sender)
					if nonce != tValue(tx/4) {
						return uint64(nonce), errNonce
					}
					v.Put(sender, nonce+1)
					v.Put(gas, used+3)
					return uint64(used), nil
				}}, "cut at %d", cut)
			for tx, r := range out.Results {
				want := error(nil)
				if tx >= cut {
					want = errGas
				}
				require.Equal(t, want, r.Err, "cut at %d, transaction %d", cut, tx)
				require.EqualValues(t, 3*min(tx, cut), r.Output)
			}
		}
	}
}
