package blockstm

import (
	"sync"
	"sync/atomic"
)

// queue holds the transactions that are to run again, lowest first, and parks
// workers that have nothing to do. Work is added with the lock held, and a
// worker looks for work with the lock held before it sleeps, so that no wake-up
// is lost.
type queue struct {
	// Read for each transaction, closed even in each call of a View; seldom
	// written.
	closed  atomic.Bool  // the block is done or has failed
	limit   atomic.Int32 // how many workers may be awake
	running atomic.Int32 // how many are; changed with mu held
	_       [64]byte

	mu   sync.Mutex
	cond sync.Cond
	heap []int32
	size atomic.Int32 // len(heap)
	idle atomic.Int32 // workers asleep
}

func (q *queue) reset(workers int) {
	q.cond.L = &q.mu
	q.heap = q.heap[:0]
	q.size.Store(0)
	q.idle.Store(0)
	q.running.Store(int32(workers))
	q.limit.Store(int32(workers))
	q.closed.Store(false)
}

// push adds transactions. The caller is about to take work itself, so it wakes
// another worker only for a second one.
func (q *queue) push(txs ...int32) {
	if len(txs) == 0 {
		return
	}
	q.mu.Lock()
	for _, tx := range txs {
		q.heap = append(q.heap, tx)
		up(q.heap)
	}
	q.size.Store(int32(len(q.heap)))
	if len(q.heap) > 1 && q.idle.Load() > 0 && q.running.Load() < q.limit.Load() {
		q.cond.Signal()
	}
	q.mu.Unlock()
}

// pop removes the lowest transaction.
func (q *queue) pop() (int32, bool) {
	if q.size.Load() == 0 {
		return 0, false
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.heap) == 0 {
		return 0, false
	}
	tx := q.heap[0]
	last := len(q.heap) - 1
	q.heap[0] = q.heap[last]
	q.heap = q.heap[:last]
	down(q.heap)
	q.size.Store(int32(last))
	return tx, true
}

// park sleeps until there may be work for the caller; more reports whether there
// is some outside of the heap. It returns false when the block is over.
func (q *queue) park(more func() bool) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.idle.Add(1)
	q.running.Add(-1)
	yield()
	for !q.closed.Load() && (q.running.Load() >= q.limit.Load() || len(q.heap) == 0 && !more()) {
		q.cond.Wait()
	}
	q.idle.Add(-1)
	q.running.Add(1)
	return !q.closed.Load()
}

// nudge wakes a worker, if one may run, for work outside of the heap that the
// caller has made available before. A worker that goes to sleep counts itself
// out first and looks for work second, so one of the two sees the other.
func (q *queue) nudge() {
	if q.idle.Load() == 0 || q.running.Load() >= q.limit.Load() {
		return
	}
	q.mu.Lock()
	q.cond.Signal()
	q.mu.Unlock()
}

// setLimit changes how many workers may be awake.
func (q *queue) setLimit(n int) {
	q.mu.Lock()
	q.limit.Store(int32(n))
	q.cond.Broadcast()
	q.mu.Unlock()
}

// close ends the block for every worker.
func (q *queue) close() {
	q.mu.Lock()
	q.closed.Store(true)
	q.cond.Broadcast()
	q.mu.Unlock()
}

func up(h []int32) {
	for i := len(h) - 1; i > 0; {
		p := (i - 1) / 2
		if h[p] <= h[i] {
			return
		}
		h[p], h[i] = h[i], h[p]
		i = p
	}
}

func down(h []int32) {
	for i := 0; ; {
		c := 2*i + 1
		if c >= len(h) {
			return
		}
		if c+1 < len(h) && h[c+1] < h[c] {
			c++
		}
		if h[i] <= h[c] {
			return
		}
		h[i], h[c] = h[c], h[i]
		i = c
	}
}
