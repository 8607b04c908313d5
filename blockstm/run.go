package blockstm

import (
	"context"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// run is the state of the block that an Executor runs, and the memory that it
// keeps between blocks.
type run[K comparable, V, O any] struct {
	opts    Options[K, V]
	block   *Block[K, V, O]
	n       int32 // transactions
	size    int   // workers
	memory  *memory[K, V]
	txs     []txn[V]
	results []Result[O]
	pool    []*worker[K, V, O]
	ahead   int32        // how many transactions may be suspended before workers stop looking further
	window  atomic.Int32 // how many transactions may be started and not committed; see lookahead

	_       [64]byte // what follows is written often
	queue   queue
	workers sync.WaitGroup
	failure sync.Mutex
	err     error // why the block failed; guarded by failure
	_       [64]byte
	started atomic.Int32 // the next transaction that never ran
	_       [64]byte
	turn    atomic.Int32 // the next transaction to commit; changed by the holder of the baton
	_       [64]byte
	baton   atomic.Bool // a worker is committing
	_       [64]byte

	suspended atomic.Int32
	throttle  throttle // of the holder of the baton
}

// prepare readies r for b.
func (r *run[K, V, O]) prepare(b *Block[K, V, O]) {
	r.block = b
	r.n = int32(b.N)
	r.size = max(1, min(r.opts.workers(), b.N))
	r.ahead = int32(64 + 8*r.size)
	r.results = make([]Result[O], b.N)
	if r.memory == nil {
		r.memory = newMemory[K, V]()
	}
	r.memory.reset()
	if cap(r.txs) < b.N {
		r.txs = make([]txn[V], b.N)
	}
	r.txs = r.txs[:b.N]
	clear(r.txs)
	for len(r.pool) < r.size {
		r.pool = append(r.pool, &worker[K, V, O]{r: r})
	}
	for _, w := range r.pool {
		w.prepare()
	}
	r.queue.reset(r.size)
	r.err = nil
	r.started.Store(0)
	r.turn.Store(0)
	r.baton.Store(false)
	r.suspended.Store(0)
	r.throttle = throttle{window: b.N}
	if !r.opts.NoThrottle {
		r.throttle = newThrottle(r.size)
	}
	r.window.Store(int32(r.throttle.window))
}

func (w *worker[K, V, O]) prepare() {
	w.view.r = w.r
	w.view.fate = fateClosed
	w.arena.reset()
	w.stats = Stats{}
	w.sweepTo = 0
	w.inside = false
}

// execute runs the block.
func (r *run[K, V, O]) execute(ctx context.Context, b *Block[K, V, O]) (*Outcome[K, V, O], error) {
	r.prepare(b)
	called := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(called)
		r.fail(ctx.Err())
	})
	if r.block.Hints != nil {
		r.hint()
	}
	r.workers.Add(r.size)
	for _, w := range r.pool[:r.size] {
		go w.loop()
	}
	r.workers.Wait()
	if !stop() {
		<-called // it may still be using r
	}
	defer func() { r.block, r.results = nil, nil }() // not ours to keep
	if r.turn.Load() < r.n {
		return nil, r.err
	}
	out := &Outcome[K, V, O]{Results: r.results}
	out.Stats.Workers = r.size
	for _, w := range r.pool[:r.size] {
		out.Stats.add(&w.stats)
	}
	return out, nil
}

// fail ends the block. The first error counts.
func (r *run[K, V, O]) fail(err error) {
	r.failure.Lock()
	if r.err == nil {
		r.err = err
	}
	r.failure.Unlock()
	r.queue.close()
}

// failCallback ends the block because a callback panicked with v, or ended the
// goroutine if v is nil.
func (r *run[K, V, O]) failCallback(v any) {
	if v == nil {
		v = ErrGoexit
	}
	r.fail(&CallbackError{int(r.turn.Load()), v, debug.Stack()})
}

// parallel reports whether more than one worker is to run at present.
func (r *run[K, V, O]) parallel() bool { return r.queue.limit.Load() > 1 }

// unstarted reports whether a worker may begin a transaction that never ran.
// When many are suspended it may not, as the next one will likely be too; nor
// when many were started since the last commit, as what they read grows stale.
// The block cannot come to a halt over either: if the next to commit never
// started, all that started are committed, so none is suspended or in the window.
func (r *run[K, V, O]) unstarted() bool {
	s := r.started.Load()
	return s < r.n && s-r.turn.Load() < r.window.Load() && r.suspended.Load() < r.ahead
}

// mayStart is unstarted for a worker that would have to be woken for it.
func (r *run[K, V, O]) mayStart() bool {
	s := r.started.Load()
	return s < r.n && s-r.turn.Load() < r.window.Load() && r.suspended.Load() < r.ahead/2
}

// suspend puts transaction tx, which the caller executed, on the list of those
// that wait for transaction on.
func (r *run[K, V, O]) suspend(w *worker[K, V, O], tx, on int32) {
	x, y := &r.txs[tx], &r.txs[on]
	r.suspended.Add(1)
	x.status.Store(pack(suspended, w.view.inc+1))
	for {
		first := y.waiters.Load()
		x.next = first
		yield()
		if y.waiters.CompareAndSwap(first, tx+1) {
			break
		}
	}
	yield()
	// If on was executed before the list held tx, nobody else will wake it: on
	// is made executed first, and its list is looked at second.
	if !pending(stateOf(y.status.Load())) {
		r.wake(w, on)
	}
}

// wake makes the transactions that wait for tx ready.
func (r *run[K, V, O]) wake(w *worker[K, V, O], tx int32) {
	w.again = w.again[:0]
	for first := r.txs[tx].waiters.Swap(0); first != 0; {
		t := first - 1
		x := &r.txs[t]
		first = x.next
		x.status.Store(pack(ready, incarnationOf(x.status.Load())))
		w.again = append(w.again, t)
	}
	if len(w.again) == 0 {
		return
	}
	r.suspended.Add(-int32(len(w.again)))
	yield()
	r.queue.push(w.again...)
	if r.mayStart() {
		r.queue.nudge()
	}
}

// add adds the counts of a worker.
func (s *Stats) add(t *Stats) {
	s.Executions += t.Executions
	s.Suspensions += t.Suspensions
	s.Validations += t.Validations
	s.Aborts += t.Aborts
	s.Throttled += t.Throttled
}
