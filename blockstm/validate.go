package blockstm

// validate reports whether what transaction tx read is what it would read now,
// and if not, which access is the first that differs.
//
// With turn set, every transaction before tx is committed and the caller holds
// the baton: the answer is final. Otherwise the answer only serves to repeat an
// incarnation early, and what is not known yet counts as valid: a version that
// was read and may come back with the same value, and a write that is foretold
// but was never seen.
//
// Block.Equal and Block.Sum run here. If one panics the incarnation is repeated,
// and meets the panic within Run if it would in block order.
func (r *run[K, V, O]) validate(accs []access[V], tx int32, turn bool, chain *[]V) (ok bool, at int) {
	defer func() {
		if !ok {
			recover()
		}
	}()
	for at = range accs {
		a := &accs[at]
		if a.flags&(didRead|didAdd) == 0 {
			continue
		}
		c := r.memory.cell(a.id)
		var f found[V]
		var l lookup
		if turn {
			if f, ok = c.settled(); !ok {
				return false, at // a version that is gone, and nothing to compare it with
			}
			ok = false // should Equal or Sum panic
		} else {
			c.mu.Lock()
			f, *chain, l = c.resolve(tx, (*chain)[:0], false)
			c.mu.Unlock()
			if l == blocked && a.flags&didRead != 0 && f.present && f.tx != a.tx {
				return false, at // a write came in between, which is about to be repeated
			}
			if l != resolved {
				continue
			}
			f = r.block.fold(f, *chain)
		}
		if !r.agrees(a, f) {
			return false, at
		}
	}
	return true, 0
}

// agrees reports whether a would have been told the same by f.
func (r *run[K, V, O]) agrees(a *access[V], f found[V]) bool {
	if a.flags&didAdd != 0 {
		_, _, ok := r.block.add(f.val, f.present, a.val)
		return ok == (a.flags&addOK != 0)
	}
	if a.tx == f.tx && a.inc == f.inc && a.tx != fromSum {
		return true
	}
	present := a.flags&readPresent != 0
	return r.block.Equal != nil && present == f.present && (!present || r.block.Equal(a.read, f.val))
}

// sweep looks for incarnations that transaction tx has made invalid by writing a
// key that transactions up to last have read. One that has run is repeated, and
// one that is running is told to look at its reads.
func (r *run[K, V, O]) sweep(w *worker[K, V, O], tx, last int32) {
	w.again = w.again[:0]
	last = min(last, tx+sweepSpan)
	for t := max(tx+1, r.turn.Load()); t <= last; t++ {
		x := &r.txs[t]
		word := x.status.Load()
		switch stateOf(word) {
		case executing:
			// If it fails the transaction moved on, and its turn will tell.
			x.status.CompareAndSwap(word, word|suspectBit)
		case executed:
			if !x.status.CompareAndSwap(word, pack(validating, incarnationOf(word))) {
				continue
			}
			yield()
			w.stats.Validations++
			if ok, at := r.validate(x.recs, t, false, &w.chain); ok {
				x.status.Store(word)
			} else {
				r.abort(w, t, at)
			}
		}
	}
	r.queue.push(w.again...)
	// Its turn may have come for one that was being validated.
	yield()
	r.tryCommit(w)
}

// sweepSpan bounds how far ahead a sweep looks. What it leaves is found when its
// turn comes.
const sweepSpan = 64

// noAccess stands for an access where none is to blame.
const noAccess = -1

// abort ends an incarnation of t that does not stand, because of access at. The
// caller has it in state validating. Its versions become estimates, so that
// readers wait for the next incarnation.
func (r *run[K, V, O]) abort(w *worker[K, V, O], t int32, at int) {
	x := &r.txs[t]
	w.stats.Aborts++
	for i := range x.recs {
		a := &x.recs[i]
		if a.flags&owned == 0 && i != at {
			continue
		}
		c := r.memory.cell(a.id)
		c.mu.Lock()
		if a.flags&owned != 0 {
			if v := c.own(t); v != nil {
				v.estimate = true
			}
		}
		if i == at {
			c.learn(blame(a))
		}
		c.mu.Unlock()
	}
	yield()
	r.requeue(w, t)
}

// blame is how much an invalid read says for predicting that readers of the key
// write it.
func blame[V any](a *access[V]) int32 {
	if a.set != wroteNothing {
		return 2
	}
	return 1
}

// requeue makes t, which the caller owns, ready for its next incarnation; the
// caller pushes w.again.
func (r *run[K, V, O]) requeue(w *worker[K, V, O], t int32) {
	x := &r.txs[t]
	x.lost++
	inc := incarnationOf(x.status.Load()) + 1
	if x.lost >= maxLost && r.turn.Load() != t {
		x.status.Store(pack(deferred, inc))
		return
	}
	x.status.Store(pack(ready, inc))
	w.again = append(w.again, t)
}

// maxLost is how many incarnations of a transaction may fail before its turn
// comes. No transaction is executed more than maxLost+1 times.
const maxLost = 4
