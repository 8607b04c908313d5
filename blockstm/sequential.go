package blockstm

import (
	"context"
	"runtime/debug"
	"sync/atomic"
)

// Sequential runs the transactions of b one after another on one goroutine. It
// is the specification: [Executor.Execute] gives the same results and the same
// changes.
//
// It returns an error, and no outcome, if b is malformed (*[BlockError]), the
// base state cannot be read (*[BaseError]) or ctx is done (its error).
func Sequential[K comparable, V, O any](ctx context.Context, b *Block[K, V, O]) (*Outcome[K, V, O], error) {
	if err := b.check(); err != nil {
		return nil, err
	}
	return sequential(ctx, b, nil)
}

func sequential[K comparable, V, O any](ctx context.Context, b *Block[K, V, O], commit func(int, []Change[K, V])) (*Outcome[K, V, O], error) {
	s := &serial[K, V, O]{
		block:   b,
		commit:  commit,
		index:   make(map[K]int32),
		results: make([]Result[O], b.N),
	}
	stop := context.AfterFunc(ctx, func() { s.stopped.Store(true) })
	defer stop()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	// Run has a goroutine of its own since it may end it, by runtime.Goexit.
	for s.next < b.N && s.fatal == nil && !s.stopped.Load() {
		done := make(chan struct{})
		go s.loop(done)
		<-done
	}
	switch {
	case s.fatal != nil:
		return nil, s.fatal
	case s.next < b.N:
		return nil, ctx.Err()
	}
	return &Outcome[K, V, O]{
		Results: s.results,
		Stats:   Stats{Workers: 1, Sequential: true, Executions: b.N},
		changes: &s.table,
	}, nil
}

// serial is one sequential run. Writes go straight to the table, and a journal
// undoes those of a transaction that fails.
type serial[K comparable, V, O any] struct {
	block   *Block[K, V, O]
	commit  func(int, []Change[K, V])
	results []Result[O]
	index   map[K]int32 // row of each key in table
	table   serialTable[K, V]
	journal []undo[V]      // rows that the current transaction wrote, as they were
	writes  []Change[K, V] // scratch
	view    serialView[K, V, O]
	next    int   // the current transaction
	fatal   error // ends the block
	inside  bool  // in Run, rather than in commit
	stopped atomic.Bool
}

// serialTable implements changeSet.
type serialTable[K comparable, V any] struct{ rows []row[K, V] }

type row[K comparable, V any] struct {
	key K
	val V
	tx  int32 // the last transaction that wrote the row
	set writeKind
}

type undo[V any] struct {
	val V
	row int32
	tx  int32
	set writeKind
}

func (t *serialTable[K, V]) size() int { return len(t.rows) }

func (t *serialTable[K, V]) change(i int) (Change[K, V], bool) {
	r := &t.rows[i]
	return Change[K, V]{r.key, r.val, r.set == wroteDelete}, r.set != wroteNothing
}

func (s *serial[K, V, O]) loop(done chan<- struct{}) {
	defer close(done)
	for s.next < s.block.N && s.fatal == nil && !s.stopped.Load() {
		s.step(s.next)
	}
}

// step runs transaction tx, settles it and moves on, however Run ends.
func (s *serial[K, V, O]) step(tx int) {
	returned := false
	defer func() {
		if !returned {
			s.settle(tx, recover())
		}
	}()
	s.inside = true
	s.view = serialView[K, V, O]{s, tx}
	out, err := s.block.Run(&s.view, tx)
	s.results[tx] = Result[O]{out, err}
	s.inside = false
	if err != nil {
		s.revert()
	}
	s.finish(tx)
	returned = true
}

// settle deals with a step that did not return; r is nil for runtime.Goexit.
func (s *serial[K, V, O]) settle(tx int, r any) {
	if s.fatal != nil || s.stopped.Load() {
		return
	}
	if r == nil {
		r = ErrGoexit
	}
	if !s.inside {
		s.fatal = &CallbackError{tx, r, debug.Stack()}
		return
	}
	s.inside = false
	s.results[tx] = Result[O]{Err: &PanicError{tx, r, debug.Stack()}}
	s.revert()
	defer func() {
		if r := recover(); r != nil {
			s.fatal = &CallbackError{tx, r, debug.Stack()}
		}
	}()
	s.finish(tx)
}

// revert undoes what the current transaction wrote.
func (s *serial[K, V, O]) revert() {
	for i := len(s.journal) - 1; i >= 0; i-- {
		u := &s.journal[i]
		r := &s.table.rows[u.row]
		r.val, r.tx, r.set = u.val, u.tx, u.set
	}
	s.journal = s.journal[:0]
}

// finish commits transaction tx, unless the block failed or was stopped within
// it, even if Run hid that by recovering.
func (s *serial[K, V, O]) finish(tx int) {
	if s.fatal != nil || s.stopped.Load() {
		return
	}
	if s.commit != nil {
		s.writes = s.writes[:0]
		for i := range s.journal {
			c, _ := s.table.change(int(s.journal[i].row))
			s.writes = append(s.writes, c)
		}
		s.commit(tx, s.writes)
	}
	s.journal = s.journal[:0]
	s.next = tx + 1
}
