package blockstm

import (
	"runtime"
	"runtime/debug"
)

// A worker is one goroutine's share of a run. Its memory is kept between blocks.
type worker[K comparable, V, O any] struct {
	r     *run[K, V, O]
	view  view[K, V, O]
	arena arena[access[V]]
	chain []V            // scratch of validation
	again []int32        // transactions to push
	wrote []Change[K, V] // scratch of commit
	stats Stats

	// The call of Run in progress, kept here since Run may end the goroutine.
	inside   bool
	returned bool
	res      Result[O]

	sweepTo int32 // the highest reader of what was written since the last sweep, plus one
}

// loop runs transactions until the block is over. If Run ends the goroutine, by
// runtime.Goexit, another takes its place.
func (w *worker[K, V, O]) loop() {
	normal := false
	defer func() {
		if normal {
			w.r.workers.Done()
			return
		}
		if w.inside {
			go w.loop()
			return
		}
		w.r.failCallback(recover())
		w.r.workers.Done()
	}()
	if w.inside {
		w.inside = false
		w.settle() // what Run left when it ended the goroutine
	}
	crowded := w.r.size > runtime.GOMAXPROCS(0)
	for {
		tx, ok := w.next()
		if !ok {
			break
		}
		w.execute(tx)
		if crowded && w.r.queue.running.Load() > 1 {
			// Otherwise a goroutine would keep its core for milliseconds, and
			// one that lost it within a transaction would hold up the commit.
			runtime.Gosched()
		}
	}
	normal = true
}

// next takes a transaction to run: the lowest of those to be repeated, or the
// next one that never ran.
func (w *worker[K, V, O]) next() (int32, bool) {
	r := w.r
	q := &r.queue
	for !q.closed.Load() {
		if q.running.Load() > q.limit.Load() {
			q.park(r.mayStart)
			continue
		}
		tx, ok := q.pop()
		if !ok && r.unstarted() {
			tx = r.started.Add(1) - 1
			ok = tx < r.n
		}
		if !ok {
			yield()
			q.park(r.mayStart)
			continue
		}
		x := &r.txs[tx]
		word := x.status.Load()
		if stateOf(word) == ready && x.status.CompareAndSwap(word, pack(executing, incarnationOf(word))) {
			return tx, true
		}
	}
	return 0, false
}

// execute runs the next incarnation of tx, which is in state executing.
func (w *worker[K, V, O]) execute(tx int32) {
	r := w.r
	w.view.begin(tx, incarnationOf(r.txs[tx].status.Load()), r.turn.Load() == tx)
	yield()
	w.call(int(tx))
	w.settle()
}

// call calls Run and keeps what it gives in w.res, however it ends.
func (w *worker[K, V, O]) call(tx int) {
	w.inside, w.returned = true, false
	defer func() {
		if w.returned {
			return
		}
		v := recover()
		if v == any(unwinding) && w.view.fate != fateNone {
			w.inside = false
			return
		}
		w.res = Result[O]{}
		if v == nil {
			// The goroutine is exiting: loop sees that inside is still set.
			w.res.Err = &PanicError{tx, ErrGoexit, debug.Stack()}
			return
		}
		w.inside = false
		w.res.Err = &PanicError{tx, v, debug.Stack()}
	}()
	out, err := w.r.block.Run(&w.view, tx)
	w.res = Result[O]{out, err}
	w.returned = true
	w.inside = false
}

// settle moves the transaction on after an incarnation.
func (w *worker[K, V, O]) settle() {
	v, r := &w.view, w.r
	f := v.fate
	v.fate = fateClosed
	if f == fateNone && v.t.status.Load()&suspectBit != 0 {
		w.stats.Validations++
		if !v.stands() {
			f = fateDoomed
		}
	}
	switch f {
	case fateStop:
	case fateWait:
		w.stats.Suspensions++
		w.keepEstimates()
		r.suspend(w, v.tx, v.waitOn)
	case fateDoomed:
		w.stats.Executions++
		w.stats.Aborts++
		w.keepEstimates()
		w.again = w.again[:0]
		r.requeue(w, v.tx)
		r.queue.push(w.again...)
		yield()
		r.tryCommit(w)
	default:
		w.stats.Executions++
		w.finish(f == fateBase)
	}
}

// finish publishes what the incarnation wrote and offers it for commit.
func (w *worker[K, V, O]) finish(broken bool) {
	v, r, x := &w.view, w.r, w.view.t
	if broken {
		w.res = Result[O]{Err: v.err}
	}
	r.results[v.tx] = w.res
	x.final, x.broken = v.final, broken
	x.unsure = !v.final && (broken || v.calls > 0)
	if w.res.Err != nil {
		v.dropWrites()
	}
	w.sweepTo = 0
	w.withdrawStale()
	w.publish()
	x.recs = w.arena.store(x.recs, v.accs)
	yield()
	x.status.Store(pack(executed, v.inc))
	yield()
	to := w.sweepTo
	w.sweepTo = 0
	if v.final {
		r.tryCommit(w) // so that those who wait for it run in turn as well
		yield()
	}
	if x.waiters.Load() != 0 {
		r.wake(w, v.tx)
	}
	if to > v.tx+1 {
		r.sweep(w, v.tx, to-1)
		return
	}
	yield()
	r.tryCommit(w)
}

// withdrawStale removes the versions and estimates of earlier incarnations that
// this one does not write again.
func (w *worker[K, V, O]) withdrawStale() {
	v := &w.view
	for i := range v.t.recs {
		old := &v.t.recs[i]
		if old.flags&owned == 0 {
			continue
		}
		if at := v.index.find(old.id); at >= 0 {
			v.accs[at].flags |= owned
		} else {
			w.withdraw(old.id)
		}
	}
}

// publish makes the writes of the incarnation visible to later transactions. One
// that ran in its turn leaves that to its commit, which follows at once, but for
// keys that others may be waiting for.
func (w *worker[K, V, O]) publish() {
	v := &w.view
	for i := range v.accs {
		a := &v.accs[i]
		if a.set == wroteNothing {
			if a.flags&owned != 0 {
				a.flags &^= owned
				w.withdraw(a.id)
			}
			continue
		}
		if v.final && a.flags&owned == 0 {
			continue
		}
		c := w.r.memory.cell(a.id)
		c.mu.Lock()
		c.publish(version[V]{val: a.val, tx: v.tx, inc: v.inc, set: a.set})
		w.sweepTo = max(w.sweepTo, c.reader.Load())
		c.mu.Unlock()
		a.flags |= owned
	}
}

// withdraw takes back the version that the transaction has of a key.
func (w *worker[K, V, O]) withdraw(id int32) {
	c := w.r.memory.cell(id)
	c.mu.Lock()
	if c.withdraw(w.view.tx) == wroteNothing {
		c.learn(-1) // a write was foretold, and there was none
	} else {
		w.sweepTo = max(w.sweepTo, c.reader.Load())
	}
	c.mu.Unlock()
}

// keepEstimates records where the transaction has estimates, for an incarnation
// that published nothing.
func (w *worker[K, V, O]) keepEstimates() {
	v := &w.view
	kept := v.t.recs[:0]
	for i := range v.t.recs {
		if old := &v.t.recs[i]; old.flags&owned != 0 {
			if at := v.index.find(old.id); at >= 0 {
				v.accs[at].flags &^= owned // not twice
			}
			kept = append(kept, access[V]{id: old.id, flags: owned})
		}
	}
	for i := range v.accs {
		if a := &v.accs[i]; a.flags&owned != 0 {
			kept = w.arena.grow(kept)
			kept = append(kept, access[V]{id: a.id, flags: owned})
		}
	}
	v.t.recs = kept
}

// dropWrites reverts the writes of a failed transaction.
func (v *view[K, V, O]) dropWrites() {
	for i := range v.accs {
		v.accs[i].set = wroteNothing
	}
}
