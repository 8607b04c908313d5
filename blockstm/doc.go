// Package blockstm runs the transactions of a block in parallel, with the result
// of running them one after another.
//
// A transaction is a function over a [View]; keys, values and outputs are the
// caller's types, and the state before the block is an interface. [Sequential]
// is the specification of what a block means; an [Executor] gives the same
// results and changes. The goals are, in order: equal results, clarity, speed.
//
// # Algorithm
//
// It is of the Block-STM family (Gelashvili et al., PPoPP 2023): transactions
// run out of order on a multi-version memory, in which each key holds the
// versions that transactions of the block wrote. Transaction j reads the highest
// version below j. A run of a transaction is an incarnation; it records what it
// read, and its writes become visible when it ends. It departs from the paper
// in when it validates:
//
//   - Transactions are committed in block order, and the one whose turn it is, t,
//     is validated then: all before t are committed, so what it reads now is what
//     it would read in block order, for good. If each of its reads gives the same
//     version, or an equal value, as when it ran, then it ran as in block order,
//     and is committed. If not, it runs again; as its turn has come it reads
//     committed versions only, and stands. By induction the result is that of
//     Sequential, whatever else the schedule does. A block without conflicts
//     takes one validation a transaction, in the shadow of execution.
//   - Everything else only saves time. Each key knows the highest transaction that
//     read it. A transaction that writes a key which a later one has read sweeps
//     the transactions after it: one that has run is validated and, if its reads
//     differ, repeated at once by whoever is free; one that is running is marked
//     suspect, checks its reads at its next use of the View, and unwinds.
//   - The versions of an aborted incarnation stay as estimates. A reader that meets
//     one is unwound, suspended and put on the list of the transaction that it
//     waits for, which makes it ready when it has run. No goroutine waits, so
//     nothing can deadlock, and cancelling has nobody to wake but idle workers.
//   - Keys learn. Where a read was invalid and the reader wrote the key too, the
//     next readers of the key put an estimate for their own write as they read,
//     so that a hot key turns into a queue instead of a string of aborts. Hints
//     put such estimates before the block starts.
//   - Add leaves a delta, which does not depend on the value except in whether the
//     sum is allowed. Validation asks for the outcome again; a read adds deltas
//     up; commit replaces each by the sum.
//   - A throttle takes workers away while a block gains nothing by them, and bounds
//     how far execution runs ahead. A transaction whose turn has come before it
//     starts records nothing to validate, so one worker is about as fast as
//     Sequential.
//
// # Invariants
//
//   - The status word of a transaction (state, incarnation, suspect bit) changes
//     as the comment on state says. Whoever moved it to executing or validating
//     alone uses the transaction's other fields until it moves it on; the atomic
//     word orders those uses.
//   - turn and the committed version of every key change only in the hands of the
//     holder of the baton. The transaction whose turn it is reads committed
//     versions without a lock, since turn does not move while it runs.
//   - A key's pending versions belong to transactions from turn on, sorted, at most
//     one for each; they are read and changed with the lock of the key. No
//     function of the caller is called with a lock held.
//   - A suspended transaction is on exactly one list; a ready one that ever started
//     is in the queue exactly once. The transaction whose turn it is is never
//     suspended for good, as all that it could wait for are committed.
//
// # Order of atomics
//
// Go's atomics are sequentially consistent, and five protocols rely on it. In
// each, two sides first write one word and then read the other's, so that at
// least one sees the other:
//
//   - Commit. A worker makes its transaction executed (or deferred), then looks at
//     the baton. The holder lets go of the baton, then looks at the status of the
//     transaction whose turn it is.
//   - Waiting. A waiter puts itself on the list of a transaction, then looks at its
//     status. A worker makes the transaction executed, then empties the list.
//   - Cold reads. A reader notes itself in the key, then looks whether the key was
//     written. A writer marks the key as written, then looks at the readers. What
//     slips through is found in its turn.
//   - Sleep. A worker counts itself out, then looks for work. Work is made, then the
//     workers that are out are counted. (Queued work and the end of the block are
//     looked at with the lock of the queue.)
//   - Interning. A cell is initialised, then the slot that leads to it is stored; a
//     lookup that finds no slot looks again with the lock.
//
// # Limits
//
// Go cannot stop a goroutine from outside: a Run that loops for ever on an
// inconsistent read, without touching its View, holds up the block for ever. Such
// code should call [View.Check] in its loops.
package blockstm
