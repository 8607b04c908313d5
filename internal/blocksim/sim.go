// Package blocksim runs a block of transactions in virtual time by the scheduling
// of package blockstm: what a machine with more cores would make of it, as far as
// that follows from who waits for whom.
//
// It knows what each transaction costs and touches, and plays the rules of the
// executor on as many workers as it is told: which transaction a worker takes, what
// a read finds, when an incarnation is found to be invalid, what waits for an
// estimate, who commits, when the block is put on one worker. Its time advances by
// the costs alone. It does not know what cores do to one another's caches, what
// locks cost, or how long a goroutine takes to wake; so it is an upper bound that
// has to be checked against real runs where there are some.
//
// A transaction reads everything at its start and writes everything at its end, as
// those of package workload nearly do. Reads are valid by version, never by value.
package blocksim

import (
	"container/heap"
	"time"
)

// Access is what a transaction does to a key, which is a small number.
type Access struct {
	Key   int32
	Read  bool
	Write bool
	Add   bool // writes a commutative delta without reading; Read and Write are false
}

// Transaction is what one transaction of a block costs and touches.
type Transaction struct {
	Cost     float64  // of an execution, in ns
	Accesses []Access // one for each key
}

// Machine says how fast it all goes.
type Machine struct {
	Workers  int     // at least 1
	Overhead float64 // of the executor for an execution, beside the commit, in ns
	Commit   float64 // of a commit, in ns; one worker commits at a time
	Slowdown float64 // by which every cost is multiplied; 1 if it is not positive
}

// Result is what a block took.
type Result struct {
	Time        float64 // in ns
	Committed   int     // transactions: all of them
	Executions  int
	Suspensions int
	Aborts      int
	Throttled   int
}

// Run simulates a block over keys [0, keys).
func Run(txs []Transaction, keys int, m Machine) Result {
	if m.Slowdown <= 0 {
		m.Slowdown = 1
	}
	m.Workers = max(m.Workers, 1)
	s := newSimulation(txs, keys, m)
	for w := range s.workers {
		s.running++
		s.next(w, 0)
	}
	for len(s.events) > 0 && s.turn < len(s.txs) {
		e := heap.Pop(&s.events).(event)
		s.now = e.at
		if e.commit {
			s.commitNext(e.worker, e.at)
		} else {
			s.executed(e.worker, e.tx, e.at)
		}
	}
	s.result.Time, s.result.Committed = s.now, s.turn
	return s.result
}

// event is the end of an execution or of a commit.
type event struct {
	at     float64
	order  int // of two at the same time the one that was scheduled first is first
	worker int
	tx     int
	commit bool
}

type events []event

func (h events) Len() int { return len(h) }
func (h events) Less(i, j int) bool {
	return h[i].at < h[j].at || h[i].at == h[j].at && h[i].order < h[j].order
}
func (h events) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *events) Push(x any)   { *h = append(*h, x.(event)) }
func (h *events) Pop() any {
	old := *h
	e := old[len(old)-1]
	*h = old[:len(old)-1]
	return e
}

// numbers is a heap of transactions, the lowest first.
type numbers []int

func (h numbers) Len() int           { return len(h) }
func (h numbers) Less(i, j int) bool { return h[i] < h[j] }
func (h numbers) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *numbers) Push(x any)        { *h = append(*h, x.(int)) }
func (h *numbers) Pop() any {
	old := *h
	n := old[len(old)-1]
	*h = old[:len(old)-1]
	return n
}

// simulation is a block under way. Its numbers that are not commented are those of
// package blockstm, by the same names.
type simulation struct {
	Machine
	txs     []transaction
	cells   []cell
	workers []struct{}

	now       float64
	events    events
	scheduled int
	ready     numbers // to run again
	started   int
	turn      int
	suspended int
	ahead     int
	baton     bool
	idle      []int // workers
	running   int   // workers that are not idle
	limit     int
	throttle  throttle
	result    Result
}

func newSimulation(txs []Transaction, keys int, m Machine) *simulation {
	s := &simulation{Machine: m, cells: make([]cell, keys), workers: make([]struct{}, m.Workers), ahead: 64 + 8*m.Workers, limit: m.Workers}
	s.throttle = newThrottle(m.Workers)
	s.throttle.clock = func() time.Time { return time.Unix(0, int64(s.now)) }
	s.throttle.since = s.throttle.clock()
	for i := range txs {
		s.txs = append(s.txs, transaction{Transaction: &txs[i]})
	}
	return s
}

func (s *simulation) schedule(at float64, worker, tx int, commit bool) {
	heap.Push(&s.events, event{at, s.scheduled, worker, tx, commit})
	s.scheduled++
}

// next gives a worker something to do from time at on, or lets it go idle.
func (s *simulation) next(w int, at float64) {
	for {
		if s.running > s.limit {
			s.park(w)
			return
		}
		var tx int
		switch {
		case len(s.ready) > 0:
			tx = heap.Pop(&s.ready).(int)
		case s.started < len(s.txs) && s.started-s.turn < s.throttle.window && s.suspended < s.ahead:
			tx = s.started
			s.started++
		default:
			s.park(w)
			return
		}
		t := &s.txs[tx]
		t.status, t.suspect, t.final = executing, false, s.turn == tx
		if on := s.read(tx); on >= 0 {
			s.result.Suspensions++
			t.status = suspended
			s.suspended++
			s.txs[on].waiters = append(s.txs[on].waiters, tx)
			continue
		}
		s.schedule(at+(t.Cost+s.Overhead)*s.Slowdown, w, tx, false)
		return
	}
}

func (s *simulation) park(w int) {
	s.idle = append(s.idle, w)
	s.running--
}

// wake lets workers that are idle look for work at time at, as many as there may be
// work for beside the one worker that made it.
func (s *simulation) wake(at float64, work int) {
	for ; work > 0 && len(s.idle) > 0 && s.running < s.limit; work-- {
		w := s.idle[0]
		s.idle = s.idle[1:]
		s.running++
		s.next(w, at)
	}
}

// executed ends an execution.
func (s *simulation) executed(w, tx int, at float64) {
	t := &s.txs[tx]
	s.result.Executions++
	if t.suspect && s.invalid(tx, false) >= 0 {
		s.result.Aborts++
		s.requeue(tx)
		s.wake(at, len(s.ready)-1)
		s.afterwards(w, at)
		return
	}
	last := s.publish(tx)
	t.status = executedOnce
	if t.final && !s.baton {
		// It commits first, so that those who wait for it run in turn as well.
	} else if s.release(tx) && s.mayStart() {
		s.wake(at, 1)
	}
	if last > tx+1 {
		s.sweep(tx, last-1)
	}
	s.wake(at, len(s.ready)-1)
	s.afterwards(w, at)
}

// release makes ready what waits for tx, and says whether anything did.
func (s *simulation) release(tx int) bool {
	t := &s.txs[tx]
	any := len(t.waiters) > 0
	for _, waiter := range t.waiters {
		s.txs[waiter].status = ready
		s.suspended--
		heap.Push(&s.ready, waiter)
	}
	t.waiters = t.waiters[:0]
	return any
}

// afterwards lets a worker commit, if it is to, or go on.
func (s *simulation) afterwards(w int, at float64) {
	if !s.baton && s.committable() {
		s.baton = true
		s.schedule(at+s.Commit*s.Slowdown, w, s.turn, true)
		return
	}
	s.next(w, at)
}

// commitNext ends a commit by the holder of the baton, and begins the next.
func (s *simulation) commitNext(w int, at float64) {
	tx := s.turn
	t := &s.txs[tx]
	done, limit := false, s.limit
	switch t.status {
	case deferred:
		t.status = ready
		heap.Push(&s.ready, tx)
	case executedOnce:
		if !t.final {
			if key := s.invalid(tx, true); key >= 0 {
				s.abort(tx, key)
				break
			}
		}
		done = true
		s.commit(tx)
		s.release(tx)
	}
	s.baton = false
	if done && s.turn == len(s.txs) {
		return
	}
	work := len(s.ready) - 1
	if s.limit > limit {
		work = s.limit - limit // those that slept beyond it look for work
	}
	if s.mayStart() {
		work++ // one that sleeps at the end of the window
	}
	if done && len(s.ready) > 0 && s.committable() {
		work++ // this worker was to take it, but goes on committing
	}
	s.wake(at, work)
	s.afterwards(w, at)
}

// committable says that the transaction whose turn it is has run.
func (s *simulation) committable() bool {
	return s.turn < len(s.txs) && (s.txs[s.turn].status == executedOnce || s.txs[s.turn].status == deferred)
}

// mayStart says that there is a transaction to begin for a worker that would have to
// be woken for it.
func (s *simulation) mayStart() bool {
	return s.started < len(s.txs) && s.started-s.turn < s.throttle.window && s.suspended < s.ahead/2
}

// commit settles what tx wrote.
func (s *simulation) commit(tx int) {
	t := &s.txs[tx]
	t.status = committed
	last := 0
	for _, a := range t.Accesses {
		if a.Write || a.Add {
			c := &s.cells[a.Key]
			if !c.withdraw(tx) {
				last = max(last, c.reader)
			}
			c.writers = append(c.writers, tx)
		}
	}
	s.turn++
	if s.throttle.active() {
		s.result.Throttled++
	}
	if limit := s.throttle.note(t.final, t.lost); limit > 0 {
		s.limit = limit
	}
	if last > tx+1 { // its writes were not published before
		s.sweep(tx, last-1)
	}
}
