package blockstm

import (
	"sync"
	"sync/atomic"
)

// A version is what one transaction wrote to a key.
type version[V any] struct {
	val V
	tx  int32
	inc uint32 // the incarnation of tx that wrote it
	set writeKind
	// estimate: tx is expected to write the key again. set and val are what it
	// wrote before, or wroteNothing.
	estimate bool
}

// A cell is the multi-version memory of one key. Its pending versions are those
// of transactions that are not committed; commit folds the lowest one into done,
// so the list is about as long as the number of transactions in flight.
type cell[K comparable, V any] struct {
	key K

	mu sync.Mutex // guards score and pend, and done and the setting of flags and base

	// flags only gain bits, but for flagHot.
	flags atomic.Uint32

	// reader is one more than the highest transaction that read the key. It
	// tells a writer that nobody after it did, which is the common case.
	reader atomic.Int32

	score int32 // how well it pays to predict that readers of the key write it

	base V // the value before the block; fixed once flagLoaded is set

	// done is the last committed write. Only the holder of the commit baton
	// changes it. Others read it with mu held, except the transaction whose
	// turn it is: nothing is committed while that one runs.
	done version[V]

	pend []version[V] // by ascending tx, from head on
	head int
}

const (
	flagLoaded  = 1 << iota // base was read
	flagPresent             // base has a value
	flagWritten             // the key has or had a pending or committed version
	flagHot                 // readers claim the key: see claim
)

const (
	maxScore = 8

	// keepVersions is the longest list of pending versions that a cell keeps
	// for the next block, where it belongs to another key.
	keepVersions = 64
)

// init makes c the cell of a key in a new block.
func (c *cell[K, V]) init(k K) {
	c.key = k
	c.flags.Store(0)
	c.reader.Store(0)
	c.score, c.head = 0, 0
	c.done.set = wroteNothing
	c.pend = c.pend[:0]
	if cap(c.pend) > keepVersions {
		c.pend = nil
	}
}

// sawReader notes that transaction tx read the key.
func (c *cell[K, V]) sawReader(tx int32) {
	for {
		r := c.reader.Load()
		if r > tx || c.reader.CompareAndSwap(r, tx+1) {
			return
		}
	}
}

// setFlag sets bits of flags.
func (c *cell[K, V]) setFlag(bits uint32) {
	if c.flags.Load()&bits != bits {
		c.flags.Or(bits)
	}
}

// search returns the index of the first pending version of tx or a later
// transaction. mu is held, as in the functions below.
func (c *cell[K, V]) search(tx int32) int {
	lo, hi := c.head, len(c.pend)
	// Transactions run in about the order of the block: look at the end first.
	for step := 1; lo < hi; step *= 2 {
		if i := hi - step; i <= lo || c.pend[i].tx < tx {
			lo = max(lo, i)
			break
		}
		hi -= step
	}
	for lo < hi {
		if m := int(uint(lo+hi) / 2); c.pend[m].tx < tx {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return lo
}

// own returns the pending version of tx, or nil.
func (c *cell[K, V]) own(tx int32) *version[V] {
	if i := c.search(tx); i < len(c.pend) && c.pend[i].tx == tx {
		return &c.pend[i]
	}
	return nil
}

// publish makes v the pending version of its transaction.
func (c *cell[K, V]) publish(v version[V]) {
	c.setFlag(flagWritten)
	yield()
	i := c.search(v.tx)
	if i < len(c.pend) && c.pend[i].tx == v.tx {
		c.pend[i] = v
		return
	}
	if c.head > 0 && len(c.pend) == cap(c.pend) {
		// Close the gap in front rather than grow; only if it is most of the
		// list, so that the moves are paid for by as many commits.
		if 2*c.head >= len(c.pend) {
			n := copy(c.pend, c.pend[c.head:])
			clear(c.pend[n:])
			c.pend = c.pend[:n]
			i -= c.head
			c.head = 0
		}
	}
	c.pend = append(c.pend, version[V]{})
	copy(c.pend[i+1:], c.pend[i:])
	c.pend[i] = v
}

// claim announces that tx is likely to write the key, unless it did already.
func (c *cell[K, V]) claim(tx int32) {
	if c.own(tx) == nil {
		c.publish(version[V]{tx: tx, estimate: true})
	}
}

// withdraw removes the pending version of tx and returns what it held.
func (c *cell[K, V]) withdraw(tx int32) writeKind {
	i := c.search(tx)
	if i == len(c.pend) || c.pend[i].tx != tx {
		return wroteNothing
	}
	set := c.pend[i].set
	if i == c.head {
		c.pend[i] = version[V]{}
		if c.head++; c.head == len(c.pend) {
			c.pend, c.head = c.pend[:0], 0
		}
		return set
	}
	last := len(c.pend) - 1
	copy(c.pend[i:], c.pend[i+1:])
	c.pend[last] = version[V]{}
	c.pend = c.pend[:last]
	return set
}

// learn moves the score that decides whether readers claim the key.
func (c *cell[K, V]) learn(by int32) {
	c.score = min(max(c.score+by, -maxScore), maxScore)
	if c.score > 0 {
		c.setFlag(flagHot)
	} else if c.flags.Load()&flagHot != 0 {
		c.flags.And(^uint32(flagHot))
	}
}

// load returns base and whether it has a value; flagLoaded must be set.
func (c *cell[K, V]) load() (V, bool) { return c.base, c.flags.Load()&flagPresent != 0 }

// settled returns what the committed transactions left in the key. It is for
// the holder of the baton and the transaction whose turn it is. ok is false if
// that is the base state, which was not read yet.
func (c *cell[K, V]) settled() (f found[V], ok bool) {
	if c.done.set != wroteNothing {
		return found[V]{c.done.val, c.done.tx, c.done.inc, c.done.set == wrotePut}, true
	}
	f.tx = fromBase
	if c.flags.Load()&flagLoaded == 0 {
		return f, false
	}
	f.val, f.present = c.load()
	return f, true
}

// found is the value of a key, and the version that it comes from.
type found[V any] struct {
	val     V
	tx      int32 // the transaction, fromBase or fromSum
	inc     uint32
	present bool
}

const (
	fromBase = -1 // the base state
	fromSum  = -2 // deltas that are not committed
)

// A lookup is the state of resolving a read.
type lookup int

const (
	resolved lookup = iota
	blocked         // found.tx is a transaction to wait for; it wrote the key before if found.present
	unloaded        // the base state has to be read first
)

// resolve returns the value below transaction tx. Deltas above it are appended
// to chain, the last one first. If guess is set, an estimate counts as what its
// transaction wrote before; otherwise it blocks.
func (c *cell[K, V]) resolve(tx int32, chain []V, guess bool) (found[V], []V, lookup) {
	for i := c.search(tx) - 1; i >= c.head; i-- {
		e := &c.pend[i]
		switch {
		case e.estimate && !guess:
			return found[V]{tx: e.tx, present: e.set != wroteNothing}, chain, blocked
		case e.set == wroteNothing:
		case e.set == wroteDelta:
			chain = append(chain, e.val)
		default:
			return found[V]{e.val, e.tx, e.inc, e.set == wrotePut}, chain, resolved
		}
	}
	f, ok := c.settled()
	if !ok {
		return f, chain, unloaded
	}
	return f, chain, resolved
}
