package blockstm

import "sync/atomic"

// hintChunk is how many transactions a worker takes hints of at a time.
const hintChunk = 64

// hint puts an estimate for each hinted write, before anything runs.
func (r *run[K, V, O]) hint() {
	var next atomic.Int32
	r.workers.Add(r.size)
	for _, w := range r.pool[:r.size] {
		go func() {
			defer r.workers.Done()
			normal := false
			defer func() {
				if !normal {
					r.failCallback(recover())
				}
			}()
			for !r.queue.closed.Load() {
				from := next.Add(hintChunk) - hintChunk
				if from >= r.n || from < 0 {
					break
				}
				for tx := from; tx < min(from+hintChunk, r.n); tx++ {
					w.hint(tx)
				}
			}
			normal = true
		}()
	}
	r.workers.Wait()
}

func (w *worker[K, V, O]) hint(tx int32) {
	keys := w.r.block.Hints(int(tx))
	if len(keys) == 0 {
		return
	}
	recs := w.arena.take(len(keys))
	w.view.index.reset()
	for _, k := range keys {
		id, c := w.r.memory.intern(k)
		if w.view.index.find(id) >= 0 {
			continue
		}
		w.view.index.add(id, len(recs))
		recs = append(recs, access[V]{id: id, flags: owned})
		c.mu.Lock()
		c.claim(tx)
		c.mu.Unlock()
	}
	w.r.txs[tx].recs = recs
}
