package blockstm

// serialView is the View of a sequential run.
type serialView[K comparable, V, O any] struct {
	s  *serial[K, V, O]
	tx int
}

// writeKind says what a transaction did to a key.
type writeKind uint8

const (
	wroteNothing writeKind = iota
	wrotePut
	wroteDelete
	wroteDelta // the value is to be added to what is there
)

// unwound is the type of the panic that ends an incarnation from inside.
type unwound struct{ _ byte } // not of size zero, so that its address is its own

var unwinding = new(unwound)

func (u *unwound) Error() string { return "blockstm: this incarnation is being unwound" }

func (v *serialView[K, V, O]) Tx() int          { return v.tx }
func (v *serialView[K, V, O]) Incarnation() int { return 0 }

func (v *serialView[K, V, O]) Check() {
	if v.s.stopped.Load() || v.s.fatal != nil {
		panic(unwinding)
	}
}

func (v *serialView[K, V, O]) Get(k K) (V, bool) {
	v.Check()
	if i, ok := v.s.index[k]; ok {
		if r := &v.s.table.rows[i]; r.set != wroteNothing {
			return r.val, r.set == wrotePut
		}
	}
	val, ok, err := v.s.block.base(k)
	if err != nil {
		v.s.fatal = &BaseError{v.tx, err}
		panic(unwinding)
	}
	if !ok {
		var zero V
		val = zero
	}
	return val, ok
}

func (v *serialView[K, V, O]) Put(k K, val V) { v.write(k, val, wrotePut) }

func (v *serialView[K, V, O]) Delete(k K) {
	var zero V
	v.write(k, zero, wroteDelete)
}

func (v *serialView[K, V, O]) Add(k K, delta V) bool {
	if v.s.block.Sum == nil {
		v.Check()
		return false
	}
	val, present := v.Get(k)
	sum, changed, ok := v.s.block.add(val, present, delta)
	if changed {
		v.write(k, sum, wrotePut)
	}
	return ok
}

func (v *serialView[K, V, O]) write(k K, val V, kind writeKind) {
	v.Check()
	s := v.s
	i, ok := s.index[k]
	if !ok {
		i = int32(len(s.table.rows))
		s.index[k] = i
		s.table.rows = append(s.table.rows, row[K, V]{key: k, tx: -1})
	}
	r := &s.table.rows[i]
	if r.tx != int32(v.tx) {
		s.journal = append(s.journal, undo[V]{r.val, i, r.tx, r.set})
	}
	r.val, r.tx, r.set = val, int32(v.tx), kind
}
