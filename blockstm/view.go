package blockstm

// Base is the state before the block. Get returns the value of k, and false if
// there is none. It must be safe for concurrent use, must not change while a
// block runs, and may block: more workers than cores then hide its latency.
//
// An error fails the block, with a *[BaseError], if the transaction that met it
// would meet it in block order too.
type Base[K comparable, V any] interface {
	Get(k K) (V, bool, error)
}

// BaseFunc makes a [Base] of a function.
type BaseFunc[K comparable, V any] func(k K) (V, bool, error)

// Get calls f.
func (f BaseFunc[K, V]) Get(k K) (V, bool, error) { return f(k) }

// A View is what a transaction sees of the state: the writes of every
// transaction before it in the block, and its own. It is valid only until Run
// returns, and only on the goroutine that called Run: goroutines that Run
// starts must not touch it.
//
// What an incarnation reads may be inconsistent, since a transaction before it
// may not have run yet; such an incarnation is discarded and run again. Any
// method may therefore end it by unwinding Run with a panic. A deferred function
// that recovers that panic does no harm, as the view stays unusable and the
// incarnation is discarded all the same.
type View[K comparable, V any] interface {
	// Get returns the value of k, and false if it has none. Within one
	// incarnation it returns the same answer until the transaction itself
	// writes k.
	Get(k K) (V, bool)

	// Put sets the value of k.
	Put(k K, v V)

	// Delete removes k. It is a write, whether or not k had a value.
	Delete(k K)

	// Add adds delta to the value of k as Block.Sum says; a key without a value
	// counts as the zero V. It returns false, and changes nothing, if Sum
	// refuses or is nil. A sum that Block.Equal finds equal to what was there
	// is no write, so that adding nothing does not create a key.
	//
	// Two transactions that only Add to a key do not conflict, unless the order
	// decides which of them Sum refuses. A transaction that also reads the
	// key, or adds to it twice, depends on its value as with Get.
	Add(k K, delta V) bool

	// Check unwinds an incarnation that is known to be doomed, or whose block
	// was cancelled. A long computation may call it now and then: a loop that
	// never touches its View cannot be stopped.
	Check()

	// Tx returns the index of the transaction in its block.
	Tx() int

	// Incarnation returns how often Run was called for this transaction
	// before. It depends on the schedule, so the result must not; it is for
	// tests and diagnostics.
	Incarnation() int
}
