package workload

import (
	"github.com/crosspoint-kernels/crosspoint/blockstm"
)

// class is what a transaction does.
type class uint8

const (
	transfer class = iota
	sweep
	increment
	swap
	readOnly
	oneSlot
	classes // of those that are not Dynamic
)

// Shares of the mix, in parts per million, and how many accounts a sweep empties.
const (
	transferShare  = 600_000
	sweepShare     = 150_000
	incrementShare = 150_000 // the rest are swaps
	sweepSources   = 5
)

// transaction is what Generate draws of one. What the keys are depends on the
// class.
type transaction struct {
	class  class
	flip   bool // of a swap: from the second token to the first
	chain  bool // reads and writes a Chain slot too
	amount Value
	keys   [sweepSources + 2]Key
}

// Workload is a block and the state before it. It does not change, and is safe
// for concurrent use.
type Workload struct {
	config  Config
	txs     []transaction
	dynamic []program
	genesis map[Key]Value
	stores  int // slots of Dynamic
}

// Generate makes the block that c describes. The error is a *ConfigError.
func Generate(c Config) (*Workload, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	w := &Workload{config: c, genesis: map[Key]Value{}}
	if c.profile() == Dynamic {
		w.generateDynamic()
		return w, nil
	}
	d := newDrawer(c)
	w.txs = make([]transaction, c.N)
	for i := range w.txs {
		t := &w.txs[i]
		d.fill(t)
		t.chain = c.Distance > 0
		for _, k := range t.keys {
			w.exists(k)
		}
		if t.chain {
			w.exists(w.chain(i))
		}
	}
	return w, nil
}

// fill draws a transaction. Each draws its class even where the profile has one
// alone, so that loads differ in nothing else.
func (d *drawer) fill(t *transaction) {
	share := d.below(Million)
	t.amount = Value(1 + d.below(1000))
	switch profile := d.config.profile(); {
	case profile == OneSlot:
		t.class = oneSlot
		t.keys[0] = MakeKey(Counter, 0)
		return
	case d.config.ReadOnly > 0 && d.chance(d.config.ReadOnly):
		t.class = readOnly
		d.balances(t.keys[:2])
		return
	case share < transferShare || profile == Transfers:
		t.class = transfer
		d.balances(t.keys[:2])
		// In the profile Hot, transfers are the class without a hot key.
		if profile != Hot && d.hot() {
			t.keys[1] = d.hotBalance()
		}
		return
	}
	hot := d.hot()
	switch {
	case share < transferShare+sweepShare:
		t.class = sweep
		d.balances(t.keys[:])
		if hot { // both of the possible receivers
			t.keys[sweepSources] = d.hotBalance()
			t.keys[sweepSources+1] = t.keys[sweepSources]
		}
	case share < transferShare+sweepShare+incrementShare:
		t.class = increment
		t.keys[0] = MakeKey(Counter, d.contract(hot))
		d.balances(t.keys[1:2])
	default:
		t.class = swap
		pool := 2 * d.contract(hot)
		t.keys[0], t.keys[1] = MakeKey(Pool, pool), MakeKey(Pool, pool+1)
		d.balances(t.keys[2:4])
		t.flip = d.below(2) == 1
	}
}

// exists puts a key into the state before the block; zero is no key.
func (w *Workload) exists(k Key) {
	if k == 0 {
		return
	}
	if _, ok := w.genesis[k]; !ok {
		w.genesis[k] = genesisValue(k)
	}
}

// genesisValue is what a slot holds before the block.
func genesisValue(k Key) Value {
	spread := Value(mix64(uint64(k)) % 1_000_000)
	switch k.Kind() {
	case Balance:
		return 1_000_000 + spread
	case Pool:
		return 1_000_000_000_000 + spread
	}
	return 1 + spread
}

// chain is the slot that makes transaction i depend on the one Distance before.
func (w *Workload) chain(i int) Key { return MakeKey(Chain, uint64(i%w.config.Distance)) }

// Config returns what the block was made by.
func (w *Workload) Config() Config { return w.config }

// Len returns the number of transactions.
func (w *Workload) Len() int { return w.config.N }

// Block returns the block over a base state, that of Base if it is nil.
func (w *Workload) Block(base blockstm.Base[Key, Value]) *blockstm.Block[Key, Value, Output] {
	return w.Part(base, 0, w.config.N)
}

// Part returns transactions [lo, hi) of the block, which are within it, as a block
// of their own over the same base state.
func (w *Workload) Part(base blockstm.Base[Key, Value], lo, hi int) *blockstm.Block[Key, Value, Output] {
	if base == nil {
		base = w.Base()
	}
	b := &blockstm.Block[Key, Value, Output]{
		N:    hi - lo,
		Base: base,
		Run: func(v blockstm.View[Key, Value], i int) (Output, error) {
			return w.run(v, lo+i)
		},
	}
	if w.config.Deltas {
		b.Sum = Sum
	}
	return b
}

// MaxValue bounds what an addition may make of a slot.
const MaxValue Value = 1<<63 - 1

// Sum adds a delta, a signed number in two's complement, to a. It returns false if
// the sum is not within [0, MaxValue].
func Sum(a, delta Value) (Value, bool) {
	sum := a + delta
	if int64(delta) >= 0 && a > MaxValue-delta {
		return a, false
	}
	if int64(delta) < 0 && a < -delta {
		return a, false
	}
	return sum, sum <= MaxValue
}
