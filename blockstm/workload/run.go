package workload

import (
	"encoding/binary"
	"math/bits"

	"github.com/crosspoint-kernels/crosspoint/blockstm"
	"github.com/crosspoint-kernels/crosspoint/keccak"
)

type view = blockstm.View[Key, Value]

// run executes transaction i of the block.
func (w *Workload) run(v view, i int) (Output, error) {
	if w.dynamic != nil {
		return w.runDynamic(v, i)
	}
	t := &w.txs[i]
	x := execution{view: v, gas: w.config.Gas, seed: uint64(i)}
	var chained Key
	if t.chain {
		chained = w.chain(i)
		x.get(chained)
	}
	switch t.class {
	case transfer:
		x.transfer(t, w.config.Deltas)
	case sweep:
		x.sweep(t, w.config.Deltas)
	case increment:
		x.increment(t, w.config.Deltas)
	case swap:
		x.swap(t, w.config.Deltas)
	case readOnly:
		x.get(t.keys[0])
		x.get(t.keys[1])
		x.work()
	case oneSlot:
		n := x.get(t.keys[0])
		x.work()
		x.put(t.keys[0], n+t.amount)
	}
	if t.chain {
		x.put(chained, Value(x.out.Work))
	}
	return x.out, nil
}

// execution is a transaction under way, and its output so far.
type execution struct {
	view view
	gas  int
	seed uint64
	out  Output
}

func (x *execution) get(k Key) Value {
	value, ok := x.view.Get(k)
	x.out.read(k, value, ok)
	return value
}

func (x *execution) put(k Key, value Value) {
	x.view.Put(k, value)
	x.out.wrote(k, value, true)
}

func (x *execution) remove(k Key) {
	x.view.Delete(k)
	x.out.wrote(k, 0, false)
}

// add is a commutative addition. What it leads to is not known to the transaction,
// so the output has the delta.
func (x *execution) add(k Key, delta Value) bool {
	if !x.view.Add(k, delta) {
		x.out.Status = Failed
		return false
	}
	x.out.wrote(k, delta, true)
	return true
}

// work is what an interpreter would spend: h = Keccak-256(h), gas times. It begins
// from what was read, so that none of it can be done before.
func (x *execution) work() {
	var h [keccak.Size]byte
	binary.LittleEndian.PutUint64(h[:], x.seed)
	binary.LittleEndian.PutUint64(h[8:], x.out.Reads)
	for range x.gas {
		h = keccak.Sum256(h[:])
	}
	x.out.Work = binary.LittleEndian.Uint64(h[:])
}

// transfer moves an amount from the first balance to the second, if it is there.
func (x *execution) transfer(t *transaction, deltas bool) {
	from, to := t.keys[0], t.keys[1]
	if deltas {
		x.work()
		if x.add(from, -t.amount) && !x.add(to, t.amount) {
			x.add(from, t.amount)
		}
		return
	}
	a, b := x.get(from), x.get(to)
	x.work()
	if a < t.amount {
		x.out.Status = Failed
		return
	}
	x.put(from, a-t.amount)
	x.put(to, b+t.amount)
}

// sweep takes half of each rich source and a hundredth of each poor one. Which of
// two balances receives the sum depends on it.
func (x *execution) sweep(t *transaction, deltas bool) {
	var rest [sweepSources]Value
	sum := Value(0)
	for i := range rest {
		have := x.get(t.keys[i])
		take := have / 2
		if have < 1_500_000 {
			take = have / 100
		}
		rest[i] = have - take
		sum += take
	}
	to := t.keys[sweepSources+int(sum%2)]
	var had Value
	if !deltas {
		had = x.get(to)
	}
	x.work()
	for i, left := range rest {
		x.put(t.keys[i], left)
	}
	if deltas {
		x.add(to, sum)
	} else {
		x.put(to, had+sum)
	}
}

// increment adds one to a shared counter, for which the caller pays a fee of one.
func (x *execution) increment(t *transaction, deltas bool) {
	counter, caller, fee := t.keys[0], t.keys[1], Value(1)
	if deltas {
		x.work()
		if x.add(caller, -fee) {
			x.add(counter, 1)
		}
		return
	}
	n, have := x.get(counter), x.get(caller)
	x.work()
	if have < fee {
		x.out.Status = Failed
		return
	}
	x.put(counter, n+1)
	x.put(caller, have-fee)
}

// swap pays an amount of one token into a pool for the other, whose product of
// reserves does not decrease.
func (x *execution) swap(t *transaction, deltas bool) {
	in, out, pays, gets := t.keys[0], t.keys[1], t.keys[2], t.keys[3]
	if t.flip {
		in, out = out, in
	}
	reserveIn, reserveOut := x.get(in), x.get(out)
	hi, lo := bits.Mul64(uint64(reserveOut), uint64(t.amount))
	bought, _ := bits.Div64(hi, lo, uint64(reserveIn+t.amount))
	if deltas {
		x.work()
		if !x.add(pays, -t.amount) {
			return
		}
		x.put(in, reserveIn+t.amount)
		x.put(out, reserveOut-Value(bought))
		x.add(gets, Value(bought))
		return
	}
	have, had := x.get(pays), x.get(gets)
	x.work()
	if have < t.amount {
		x.out.Status = Failed
		return
	}
	x.put(in, reserveIn+t.amount)
	x.put(out, reserveOut-Value(bought))
	x.put(pays, have-t.amount)
	x.put(gets, had+Value(bought))
}
