package blockstm

// MaxTransactions is the largest number of transactions in a block.
const MaxTransactions = 1 << 30

// A Block is N transactions and the state that they start from. It is not
// changed by running it, and may be run again.
//
// K is compared with ==, so a key that is not equal to itself (a NaN) can be
// written but never read. V is copied by assignment: values that share memory
// must not be changed in place.
type Block[K comparable, V, O any] struct {
	// N is the number of transactions, at most [MaxTransactions].
	N int

	// Run is the virtual machine: it runs transaction tx, from 0 to N-1, on v.
	// A non-nil error reverts the transaction's writes and is its result; so is
	// a panic, as a *[PanicError]. Run is called at least once for each
	// transaction, from several goroutines at once, and must depend only on tx
	// and on what it reads from v.
	Run func(v View[K, V], tx int) (O, error)

	// Base is the state before the block; nil means that it is empty.
	Base Base[K, V]

	// Equal reports whether two values are interchangeable. If it is not nil, a
	// read stays valid when another version with an equal value takes the place
	// of the one read. If it is nil, a read is valid only if its version is
	// unchanged, and a Get that met an uncommitted Add is always repeated.
	Equal func(a, b V) bool

	// Sum returns a with delta added, and false if that would leave the bounds
	// of a. It must always give the same answer to the same arguments. Nil
	// refuses every Add.
	Sum func(a, delta V) (sum V, ok bool)

	// Hints returns keys that transaction tx is likely to write. Transactions
	// after it that read them wait for tx instead of running in vain. Wrong
	// hints cost time and nothing else. It is called at most once for each
	// transaction, from several goroutines at once; nil gives none.
	Hints func(tx int) []K
}

func (b *Block[K, V, O]) check() error {
	switch {
	case b == nil:
		return &BlockError{Field: "Block", Reason: "is nil"}
	case b.N < 0 || b.N > MaxTransactions:
		return &BlockError{Field: "N", Reason: "is out of range"}
	case b.Run == nil && b.N > 0:
		return &BlockError{Field: "Run", Reason: "is nil"}
	}
	return nil
}

// base reads the state before the block.
func (b *Block[K, V, O]) base(k K) (v V, ok bool, err error) {
	if b.Base == nil {
		return v, false, nil
	}
	return b.Base.Get(k)
}

// add returns the state of a key after delta is added to (v, present). It is
// the one place that says what Add means; ok is false if the sum is refused, and
// changed is false if there is nothing to write.
func (b *Block[K, V, O]) add(v V, present bool, delta V) (sum V, changed, ok bool) {
	if b.Sum == nil {
		return v, false, false
	}
	if !present {
		var zero V
		v = zero
	}
	sum, ok = b.Sum(v, delta)
	if !ok || b.Equal != nil && b.Equal(sum, v) {
		return v, false, ok
	}
	return sum, true, true
}

// fold adds deltas to the value in f, the last in chain first. One that does not
// fit is left out: whoever wrote it will have to run again.
func (b *Block[K, V, O]) fold(f found[V], chain []V) found[V] {
	for i := len(chain) - 1; i >= 0; i-- {
		f.tx = fromSum
		if sum, changed, ok := b.add(f.val, f.present, chain[i]); ok && changed {
			f.val, f.present = sum, true
		}
	}
	return f
}
