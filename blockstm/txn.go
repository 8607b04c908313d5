package blockstm

import "sync/atomic"

// state is the low bits of a transaction's status word. Each transition names
// who makes it; the states marked * give that goroutine sole use of the
// transaction's fields.
//
//	ready      -> executing   the worker that takes it
//	executing* -> executed    its worker, when the writes are published
//	executing* -> suspended   its worker, when it must wait for a lower one
//	executing* -> ready       its worker, when the incarnation is doomed
//	suspended  -> ready       whoever takes it off the list of waiters
//	executed   -> validating  a worker in doubt, or the holder of the baton
//	validating*-> executed    that worker
//	validating*-> ready       that worker, if the incarnation does not stand
//	validating*-> committed   the holder of the baton
//
// deferred stands for ready where only the holder of the baton may make it so,
// because the transaction was repeated often enough already.
type state uint32

const (
	ready state = iota
	executing
	suspended
	executed
	validating
	deferred
	committed

	stateMask  = 7
	suspectBit = 1 << 3 // an executing incarnation read a key that was written since
	incShift   = 4
)

func pack(s state, inc uint32) uint32  { return uint32(s) | inc<<incShift }
func stateOf(word uint32) state        { return state(word & stateMask) }
func incarnationOf(word uint32) uint32 { return word >> incShift }
func pending(s state) bool             { return s < executed || s == deferred }

// A txn is one transaction of the block: 64 bytes, so that workers at
// neighbouring transactions do not share a cache line.
type txn[V any] struct {
	status  atomic.Uint32
	waiters atomic.Int32 // one more than the first transaction that waits for this one
	next    int32        // likewise, the next in the list that this one is in

	final  bool  // ran when all before it were committed: nothing to validate
	lost   uint8 // incarnations that did not stand
	broken bool  // the base state could not be read: results holds the error
	unsure bool  // what ended it may not be there in block order, and no record tells

	// recs is what the last incarnation that ended did. While the transaction
	// is yet to run again, the owned ones are where it has estimates.
	recs []access[V]

	_ [64 - 16 - 24]byte
}

// An access is what an incarnation did to one key.
type access[V any] struct {
	id    int32
	tx    int32 // the version read: found.tx, found.inc
	inc   uint32
	flags accessFlags
	set   writeKind
	read  V // the value read
	val   V // the value written, or the delta
}

type accessFlags uint8

const (
	didRead accessFlags = 1 << iota
	readPresent
	didAdd // the outcome of an Add was given out, without reading
	addOK
	owned // the transaction has a pending version of the key
)
