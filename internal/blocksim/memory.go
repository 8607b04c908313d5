package blocksim

import (
	"container/heap"
	"slices"
)

type status uint8

const (
	ready status = iota
	executing
	suspended
	executedOnce
	deferred
	committed
)

// transaction is one transaction under way.
type transaction struct {
	*Transaction
	status      status
	incarnation int
	final       bool // began when all before it were committed
	suspect     bool
	lost        int // incarnations that did not stand
	waiters     []int
	reads       []basis
}

// basis is what a read is based on: the version on top, how many uncommitted deltas
// were folded, and the last committed writer below them.
type basis struct {
	key         int32
	top, below  int // transactions, -1 for the state before the block
	incarnation int // of top, where it was not committed
	pending     bool
	deltas      int
}

// version is what a transaction that is not committed wrote.
type version struct {
	tx, incarnation int
	delta           bool
	estimate        bool
	foretold        bool // an estimate of what was never written
}

// cell is the memory of one key.
type cell struct {
	pending []version // by ascending transaction
	writers []int     // that are committed, ascending
	reader  int       // one more than the highest transaction that read it
	score   int       // hot, if positive: its readers claim it
}

const (
	maxScore  = 8
	maxLost   = 4
	sweepSpan = 64
)

func (c *cell) search(tx int) (int, bool) {
	return slices.BinarySearchFunc(c.pending, tx, func(v version, tx int) int { return v.tx - tx })
}

func (c *cell) publish(v version) {
	i, found := c.search(v.tx)
	if found {
		c.pending[i] = v
	} else {
		c.pending = slices.Insert(c.pending, i, v)
	}
}

// withdraw removes the version of tx, if there is one.
func (c *cell) withdraw(tx int) bool {
	i, found := c.search(tx)
	if found {
		c.pending = slices.Delete(c.pending, i, i+1)
	}
	return found
}

func (c *cell) last() int {
	if len(c.writers) == 0 {
		return -1
	}
	return c.writers[len(c.writers)-1]
}

// resolve is what a read by tx is based on now. blocked is the version whose estimate
// it has to wait for, or nil.
func (c *cell) resolve(key int32, tx int) (b basis, blocked *version) {
	b = basis{key: key, top: c.last(), below: c.last()}
	i, _ := c.search(tx)
	for i--; i >= 0; i-- {
		v := &c.pending[i]
		if v.estimate {
			return b, v
		}
		if !b.pending {
			b.top, b.incarnation, b.pending = v.tx, v.incarnation, true
		}
		if !v.delta {
			b.below = -2 // what is below it does not matter
			break
		}
		b.deltas++
	}
	return b, nil
}

// read looks up what tx reads, and returns the transaction that it has to wait for,
// or -1. Hot keys are claimed.
func (s *simulation) read(tx int) int {
	t := &s.txs[tx]
	t.reads = t.reads[:0]
	for _, a := range t.Accesses {
		if !a.Read {
			continue
		}
		c := &s.cells[a.Key]
		if c.score > 0 && s.limit > 1 {
			if _, found := c.search(tx); !found {
				c.publish(version{tx: tx, incarnation: t.incarnation, estimate: true, foretold: true})
			}
		}
		if t.final {
			continue
		}
		b, blocked := c.resolve(a.Key, tx)
		if blocked != nil {
			return blocked.tx
		}
		c.reader = max(c.reader, tx+1)
		t.reads = append(t.reads, b)
	}
	return -1
}

// publish makes the writes of tx visible, and returns one more than the highest
// transaction that has read one of their keys. What it had claimed and does not
// write is withdrawn. A final one leaves what nobody can wait for to its commit.
func (s *simulation) publish(tx int) (last int) {
	t := &s.txs[tx]
	for _, a := range t.Accesses {
		c := &s.cells[a.Key]
		_, owned := c.search(tx)
		switch {
		case a.Write || a.Add:
			if t.final && !owned {
				continue
			}
			c.publish(version{tx: tx, incarnation: t.incarnation, delta: a.Add})
			last = max(last, c.reader)
		case owned:
			c.withdraw(tx)
			c.learn(-1)
		}
	}
	return last
}

func (c *cell) learn(by int) { c.score = min(max(c.score+by, -maxScore), maxScore) }

// invalid returns a key of which tx would be told something else now, or -1. At its
// turn the answer is final; before that, what is estimated counts as valid.
func (s *simulation) invalid(tx int, turn bool) int32 {
	if s.txs[tx].final {
		return -1
	}
	for _, b := range s.txs[tx].reads {
		c := &s.cells[b.key]
		if !s.holds(c, b, tx, turn) {
			return b.key
		}
	}
	return -1
}

// holds says whether a read of tx still has the same basis.
func (s *simulation) holds(c *cell, b basis, tx int, turn bool) bool {
	now, blocked := c.resolve(b.key, tx)
	if blocked != nil {
		// A write that came in between is about to be repeated.
		return !turn && (blocked.foretold || blocked.tx == b.top)
	}
	if now.top != b.top {
		return false
	}
	if b.top >= 0 && b.pending && b.incarnation != s.txs[b.top].incarnation {
		return false
	}
	if b.below == -2 || b.deltas == 0 {
		return true
	}
	// As many deltas lie between as were folded, whether or not they are committed.
	between := now.deltas
	for i := len(c.writers) - 1; i >= 0 && c.writers[i] > b.below; i-- {
		between++
	}
	return between == b.deltas
}

// sweep looks for what tx has made invalid by writing keys that transactions up to
// last have read.
func (s *simulation) sweep(tx, last int) {
	for t := max(tx+1, s.turn); t <= min(last, tx+sweepSpan); t++ {
		switch x := &s.txs[t]; x.status {
		case executing:
			x.suspect = true
		case executedOnce:
			if key := s.invalid(t, false); key >= 0 {
				s.abort(t, key)
			}
		}
	}
}

// abort ends an incarnation that does not stand, because of its read of key.
func (s *simulation) abort(tx int, key int32) {
	s.result.Aborts++
	blame := 1
	for _, a := range s.txs[tx].Accesses {
		c := &s.cells[a.Key]
		if i, found := c.search(tx); found {
			c.pending[i].estimate = true
		}
		if a.Key == key && a.Write {
			blame = 2
		}
	}
	s.cells[key].learn(blame)
	s.requeue(tx)
}

// requeue makes tx ready for its next incarnation, or lets it wait for its turn.
func (s *simulation) requeue(tx int) {
	t := &s.txs[tx]
	t.incarnation++
	t.lost++
	if t.lost >= maxLost && s.turn != tx {
		t.status = deferred
		return
	}
	t.status = ready
	heap.Push(&s.ready, tx)
}
