package blockstm

import "iter"

// A Result is what one transaction returned.
type Result[O any] struct {
	Output O
	Err    error // what Run returned, or a *PanicError; the writes were reverted if it is not nil
}

// A Change is the final state of a key that a transaction or a block wrote.
type Change[K comparable, V any] struct {
	Key     K
	Value   V
	Deleted bool // the key has no value; Value is zero
}

// Stats count what running a block took. For the plain sequential path
// Executions is N and the rest is zero.
type Stats struct {
	Workers     int  // goroutines that ran transactions
	Sequential  bool // the block ran on the plain sequential path
	Executions  int  // calls of Run that ended or were doomed: N, plus one for each repetition
	Suspensions int  // further calls of Run that were unwound early, to wait for another transaction
	Validations int  // decisions on whether an incarnation stands: N, if nothing was in doubt before its turn
	Aborts      int  // incarnations that did not stand
	Throttled   int  // transactions committed while some of the workers stood still, as the block gained nothing by them
}

// An Outcome is what running a block gave. Results belongs to the caller;
// the changes are read from the memory of the Executor, and so are gone after
// its next Execute. Sequential's are not.
type Outcome[K comparable, V, O any] struct {
	Results []Result[O] // one for each transaction, in block order
	Stats   Stats

	changes changeSet[K, V]
}

// changeSet is a table of keys, some of which were written.
type changeSet[K comparable, V any] interface {
	// size returns the number of rows, and change what row i holds; ok is false
	// if it was not written.
	size() int
	change(i int) (c Change[K, V], ok bool)
}

// Changes returns the final state of every key that the block wrote, each once,
// in no particular order. A key that was written with the value that it had
// before counts as written.
func (o *Outcome[K, V, O]) Changes() iter.Seq[Change[K, V]] { return o.ChangesShard(0, 1) }

// ChangesShard returns part i of the changes, which together are those of
// Changes without repetition. Parts are of about equal size and may be read at
// the same time. It is empty unless 0 <= i < of.
func (o *Outcome[K, V, O]) ChangesShard(i, of int) iter.Seq[Change[K, V]] {
	return func(yield func(Change[K, V]) bool) {
		if o.changes == nil || i < 0 || i >= of {
			return
		}
		n := o.changes.size()
		q, r := n/of, n%of
		end := (i+1)*q + min(i+1, r)
		for row := i*q + min(i, r); row < end; row++ {
			if c, ok := o.changes.change(row); ok && !yield(c) {
				return
			}
		}
	}
}

// Len returns the number of changes. It takes time proportional to the number
// of keys.
func (o *Outcome[K, V, O]) Len() int {
	n := 0
	for range o.Changes() {
		n++
	}
	return n
}
