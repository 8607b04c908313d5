package blockstm

import (
	"context"
	"sync/atomic"
)

// An Executor runs blocks, one at a time. It keeps the memory of the largest
// block that it ran, and the last values in it, for the next; drop the Executor
// to free them.
type Executor[K comparable, V, O any] struct {
	busy atomic.Bool
	last *lease[K, V] // of the last outcome
	run  run[K, V, O]
}

// New returns an Executor that runs blocks as o says.
func New[K comparable, V, O any](o Options[K, V]) *Executor[K, V, O] {
	return &Executor[K, V, O]{run: run[K, V, O]{opts: o}}
}

// Execute runs the transactions of b in parallel, and returns what [Sequential]
// would. The outcome's changes are readable until the next call.
//
// It returns an error, and no outcome, as Sequential does; and a
// *[CallbackError] if a callback panics, or [ErrBusy] if another call has not
// returned. It returns only when every call of Run has ended.
func (e *Executor[K, V, O]) Execute(ctx context.Context, b *Block[K, V, O]) (*Outcome[K, V, O], error) {
	if !e.busy.CompareAndSwap(false, true) {
		return nil, ErrBusy
	}
	defer e.busy.Store(false)
	if err := b.check(); err != nil {
		return nil, err
	}
	if e.last != nil {
		e.last.m = nil
		e.last = nil
	}
	if e.run.opts.sequential(b.N) {
		return sequential(ctx, b, e.run.opts.Commit)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	out, err := e.run.execute(ctx, b)
	if err != nil {
		return nil, err
	}
	e.last = &lease[K, V]{e.run.memory}
	out.changes = e.last
	return out, nil
}
