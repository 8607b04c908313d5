package blockstm

// view is the View of one worker. It records what the incarnation does in accs,
// which nobody else sees; its writes are published when Run has returned.
type view[K comparable, V, O any] struct {
	r   *run[K, V, O]
	t   *txn[V]
	tx  int32
	inc uint32

	// final: every transaction before this one is committed, so that what it
	// reads is what it would read in block order. Its reads need no record
	// beyond the incarnation.
	final bool

	fate   fate
	waitOn int32 // for fateWait
	err    error // for fateBase

	// calls counts the calls of the caller's functions that have begun and not
	// returned. One that panics leaves it above zero. What it was given is
	// recorded only when it returns, so that validation would not notice that
	// in block order it is given something else.
	calls int

	accs  []access[V]
	index idIndex
	chain []V // scratch of resolve
}

// fate says why the incarnation is being unwound. Any fate but fateNone makes
// the view unusable, so that a Run that recovers the panic cannot go on.
type fate uint8

const (
	fateNone   fate = iota
	fateClosed      // not within Run
	fateStop        // the block is over
	fateDoomed      // a value that it read has changed
	fateWait        // it needs a value that waitOn is about to write
	fateBase        // the base state cannot be read
)

func (v *view[K, V, O]) begin(tx int32, inc uint32, final bool) {
	v.t, v.tx, v.inc, v.final = &v.r.txs[tx], tx, inc, final
	v.fate = fateNone
	v.calls = 0
	v.accs = v.accs[:0]
	v.index.reset()
}

func (v *view[K, V, O]) Tx() int          { return int(v.tx) }
func (v *view[K, V, O]) Incarnation() int { return int(v.inc) }

// Check is called first by every other method.
func (v *view[K, V, O]) Check() {
	if v.fate != fateNone {
		if v.fate == fateClosed {
			panic("blockstm: a View was used after Run had returned")
		}
		panic(unwinding)
	}
	if v.r.queue.closed.Load() {
		v.unwind(fateStop)
	}
	if v.t.status.Load()&suspectBit != 0 {
		v.clearSuspicion()
	}
}

func (v *view[K, V, O]) unwind(f fate) {
	v.fate = f
	panic(unwinding)
}

// clearSuspicion looks again at what was read so far.
func (v *view[K, V, O]) clearSuspicion() {
	v.t.status.And(^uint32(suspectBit))
	yield()
	if !v.stands() {
		v.unwind(fateDoomed)
	}
}

// stands reports whether the incarnation that is being recorded may stand.
func (v *view[K, V, O]) stands() bool {
	if v.final {
		return true
	}
	v.calls++
	ok, _ := v.r.validate(v.accs, v.tx, false, &v.chain)
	v.calls--
	return ok
}

// access returns the record of k in this incarnation, and its cell. The record
// moves when another is made.
func (v *view[K, V, O]) access(k K) (*access[V], *cell[K, V]) {
	id, c := v.r.memory.intern(k)
	i := v.index.find(id)
	if i < 0 {
		i = len(v.accs)
		v.index.add(id, i)
		v.accs = append(v.accs, access[V]{id: id})
	}
	return &v.accs[i], c
}

func (v *view[K, V, O]) Get(k K) (V, bool) {
	v.Check()
	a, c := v.access(k)
	if a.flags&didAdd != 0 {
		v.settleAdd(a, c)
	}
	if a.set == wroteNothing {
		v.read(a, c)
		return a.read, a.flags&readPresent != 0
	}
	return a.val, a.set == wrotePut
}

func (v *view[K, V, O]) Put(k K, val V) { v.write(k, val, wrotePut) }

func (v *view[K, V, O]) Delete(k K) {
	var zero V
	v.write(k, zero, wroteDelete)
}

func (v *view[K, V, O]) write(k K, val V, set writeKind) {
	v.Check()
	a, c := v.access(k)
	if a.flags&didAdd != 0 {
		v.settleAdd(a, c) // val still holds the delta that validation needs
	}
	a.val, a.set = val, set
}

func (v *view[K, V, O]) Add(k K, delta V) bool {
	v.Check()
	if v.r.block.Sum == nil {
		return false
	}
	a, c := v.access(k)
	if a.flags&didAdd != 0 {
		v.settleAdd(a, c)
	}
	if v.final && a.set == wroteNothing {
		v.read(a, c)
	}
	val, present := a.val, a.set == wrotePut
	if a.set == wroteNothing {
		if a.flags&didRead == 0 {
			return v.addBlind(a, c, delta)
		}
		val, present = a.read, a.flags&readPresent != 0
	}
	sum, changed, ok := v.add(val, present, delta)
	if changed {
		a.val, a.set = sum, wrotePut
	}
	return ok
}

func (v *view[K, V, O]) add(val V, present bool, delta V) (sum V, changed, ok bool) {
	v.calls++
	sum, changed, ok = v.r.block.add(val, present, delta)
	v.calls--
	return sum, changed, ok
}

func (v *view[K, V, O]) fold(f found[V]) found[V] {
	v.calls++
	f = v.r.block.fold(f, v.chain)
	v.calls--
	return f
}

// addBlind records a delta without depending on the value of the key, but for
// whether the sum is within bounds. It never waits: it goes by what is there,
// and validation asks again.
func (v *view[K, V, O]) addBlind(a *access[V], c *cell[K, V], delta V) bool {
	f := v.guess(c)
	_, _, ok := v.add(f.val, f.present, delta)
	a.flags |= didAdd
	a.val = delta
	if ok {
		a.flags |= addOK
		a.set = wroteDelta
	}
	return ok
}

// guess returns the likely value of the key below this transaction.
func (v *view[K, V, O]) guess(c *cell[K, V]) found[V] {
	for {
		c.mu.Lock()
		f, chain, l := c.resolve(v.tx, v.chain[:0], true)
		c.mu.Unlock()
		v.chain = chain
		if l != unloaded {
			return v.fold(f)
		}
		v.load(c)
	}
}

// settleAdd turns a blind Add into a read and a write, because the transaction
// touches the key again.
func (v *view[K, V, O]) settleAdd(a *access[V], c *cell[K, V]) {
	delta, given := a.val, a.flags&addOK != 0
	v.read(a, c)
	sum, changed, ok := v.add(a.read, a.flags&readPresent != 0, delta)
	if ok != given {
		v.unwind(fateDoomed)
	}
	a.flags &^= didAdd | addOK
	a.set = wroteNothing
	if changed {
		a.val, a.set = sum, wrotePut
	}
}

// read fills in the value of the key below this transaction, once.
func (v *view[K, V, O]) read(a *access[V], c *cell[K, V]) {
	if a.flags&didRead != 0 {
		return
	}
	f, l := v.peek(a, c)
	for l == unloaded {
		v.load(c)
		f, l = v.peek(a, c)
	}
	if l == blocked {
		v.waitOn = f.tx
		v.unwind(fateWait)
	}
	f = v.fold(f)
	a.read, a.tx, a.inc = f.val, f.tx, f.inc
	a.flags |= didRead
	if f.present {
		a.flags |= readPresent
	}
}

// peek looks for the value of the key below this transaction, and notes that it
// was read. A write that comes later finds the note, or the reader finds the
// write.
func (v *view[K, V, O]) peek(a *access[V], c *cell[K, V]) (f found[V], l lookup) {
	v.chain = v.chain[:0]
	if v.final {
		if c.flags.Load()&flagHot != 0 {
			c.mu.Lock()
			v.claim(a, c)
			c.mu.Unlock()
		}
		f, ok := c.settled()
		if !ok {
			return f, unloaded
		}
		return f, resolved
	}
	if c.flags.Load()&flagWritten == 0 {
		c.sawReader(v.tx)
		yield()
		if flags := c.flags.Load(); flags&flagWritten == 0 {
			f.tx = fromBase
			if flags&flagLoaded == 0 {
				return f, unloaded
			}
			f.val, f.present = c.load()
			return f, resolved
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.flags.Load()&flagHot != 0 {
		v.claim(a, c)
	}
	f, v.chain, l = c.resolve(v.tx, v.chain, false)
	if l == resolved {
		c.sawReader(v.tx)
	}
	return f, l
}

// claim announces a write of a key whose readers usually write it, so that
// readers after this one wait for it instead of running in vain. c.mu is held.
func (v *view[K, V, O]) claim(a *access[V], c *cell[K, V]) {
	if a.flags&owned == 0 && v.r.parallel() {
		a.flags |= owned
		c.claim(v.tx)
	}
}

// load reads the base state of a key.
func (v *view[K, V, O]) load(c *cell[K, V]) {
	v.calls++
	val, ok, err := v.r.block.base(c.key)
	v.calls--
	if err != nil {
		v.err = &BaseError{int(v.tx), err}
		v.unwind(fateBase)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.flags.Load()&flagLoaded != 0 {
		return
	}
	if ok {
		c.base = val
		c.setFlag(flagPresent)
	} else {
		var zero V
		c.base = zero
	}
	c.setFlag(flagLoaded)
}
