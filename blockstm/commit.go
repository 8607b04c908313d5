package blockstm

// tryCommit commits the transactions whose turn it is, as long as they have run.
// One worker at a time does so, the one that holds the baton.
//
// A worker that finds the baton taken may leave: whoever makes a transaction
// executed, or deferred, does that before it looks at the baton, and the holder
// looks at the transaction after it let go of the baton. One of them sees the
// other.
func (r *run[K, V, O]) tryCommit(w *worker[K, V, O]) {
	for !r.queue.closed.Load() {
		t := r.turn.Load()
		if t == r.n {
			return
		}
		if s := stateOf(r.txs[t].status.Load()); s != executed && s != deferred {
			return
		}
		yield()
		if !r.baton.CompareAndSwap(false, true) {
			return
		}
		for run := 0; r.commitNext(w); run++ {
			if run > 0 && r.queue.size.Load() > 0 {
				r.queue.nudge() // this worker was to take it, but is busy here
			}
		}
		yield()
		r.baton.Store(false)
		yield()
		if to := w.sweepTo; to > 0 {
			w.sweepTo = 0
			r.sweep(w, r.turn.Load()-1, to-1) // which tries again
			return
		}
	}
}

// commitNext validates and commits the transaction whose turn it is. It returns
// false if that has to run first. The caller holds the baton.
func (r *run[K, V, O]) commitNext(w *worker[K, V, O]) bool {
	t := r.turn.Load()
	if t == r.n || r.queue.closed.Load() {
		return false
	}
	x := &r.txs[t]
	word := x.status.Load()
	inc := incarnationOf(word)
	switch stateOf(word) {
	case executed:
	case deferred:
		x.status.Store(pack(ready, inc))
		r.queue.push(t)
		return false
	default:
		return false
	}
	if !x.status.CompareAndSwap(word, pack(validating, inc)) {
		return false // a sweep has it, and tries to commit when it is done
	}
	yield()
	w.stats.Validations++
	if !x.final {
		ok, at := false, noAccess
		if !x.unsure {
			ok, at = r.validate(x.recs, t, true, &w.chain)
		}
		if !ok {
			w.again = w.again[:0]
			r.abort(w, t, at)
			r.queue.push(w.again...)
			return false
		}
	}
	if x.broken {
		r.fail(r.results[t].Err)
		return false
	}
	w.wrote = w.wrote[:0]
	for i := range x.recs {
		if x.recs[i].set != wroteNothing {
			r.commitWrite(w, t, inc, &x.recs[i])
		}
	}
	if r.opts.Commit != nil {
		r.opts.Commit(int(t), w.wrote)
	}
	x.status.Store(pack(committed, inc))
	yield()
	r.turn.Store(t + 1)
	if r.throttle.active() {
		w.stats.Throttled++
	}
	if limit := r.throttle.note(x.final, int(x.lost)); limit > 0 {
		r.queue.setLimit(limit)
	}
	if window := int32(r.throttle.window); window != r.window.Load() {
		r.window.Store(window)
	}
	yield()
	if r.queue.idle.Load() > 0 && r.mayStart() {
		r.queue.nudge() // one that sleeps at the end of the window
	}
	if t+1 == r.n {
		r.queue.close()
	}
	return true
}

// commitWrite folds a pending version into its cell.
func (r *run[K, V, O]) commitWrite(w *worker[K, V, O], t int32, inc uint32, a *access[V]) {
	c := r.memory.cell(a.id)
	val, set, changed := a.val, a.set, true
	if set == wroteDelta {
		f, _ := c.settled()
		val, changed, _ = r.block.add(f.val, f.present, a.val)
		set = wrotePut
	}
	c.mu.Lock()
	if changed {
		c.setFlag(flagWritten)
		c.done = version[V]{val: val, tx: t, inc: inc, set: set}
	}
	if a.flags&owned != 0 {
		c.withdraw(t)
	} else if to := c.reader.Load(); to > t+1 {
		w.sweepTo = max(w.sweepTo, to) // the write was not published before
	}
	c.mu.Unlock()
	if changed && r.opts.Commit != nil {
		w.wrote = append(w.wrote, Change[K, V]{c.key, val, set == wroteDelete})
	}
}
