package host

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
)

// pool spreads the rows of a call over a fixed number of goroutines. A call
// allocates nothing once the pool is warm: tasks are reused.
type pool struct {
	helpers int        // goroutines besides the caller's
	tasks   chan *task // handed to helpers; a full channel is a busy pool
	free    chan *task
	stop    chan struct{}
	stopped sync.WaitGroup
}

// task is one call: rows in chunks, claimed in ascending order by whoever is
// free, so that after a cancellation the finished rows are a prefix.
type task struct {
	ctx     context.Context
	run     kernel
	call    call
	rows    int
	size    int  // of a chunk
	workers int  // of the pool
	ordered bool // chunks are looked at before any after them is computed

	// Written by every worker, and so not in a line of the cache with what they read.
	_      [cacheLine]byte
	next   atomic.Int64  // the first row not claimed
	here   atomic.Uint64 // workers that claim chunks, a bit each
	good   atomic.Int64  // rows from 0 on that are known to be in range, where ordered
	bad    atomic.Int64  // rows before the first one out of range; -1 while there is none
	active atomic.Int32  // goroutines that may be running a chunk
	refs   atomic.Int32  // goroutines that may still look at the task
	_      [cacheLine]byte
	idle   chan struct{}
}

const cacheLine = 64

// claimSize is the rows that a worker claims at once, as Chunks are coefficients.
type claimSize struct{ least, most, alone int }

// of returns the size of the chunks of so many rows: as large as may be, and equally
// many for every worker.
func (s claimSize) of(rows, workers int) int {
	each := (rows + workers*s.most - 1) / (workers * s.most) // chunks
	n := max(1, workers*each)
	return min(s.most, max(s.least, (rows+n-1)/n))
}

// errRange says that do ended at a row that is out of range.
var errRange = errors.New("out of range")

// newPool starts workers-1 goroutines; the caller of do is the last worker.
func newPool(workers int) *pool {
	p := &pool{
		helpers: workers - 1,
		tasks:   make(chan *task, 4*workers),
		free:    make(chan *task, 8*workers), // those queued, and as many calls at once
		stop:    make(chan struct{}),
	}
	p.stopped.Add(p.helpers)
	for i := range p.helpers {
		go p.help(i + 1)
	}
	return p
}

// To wake a sleeping thread costs as much as tens of transforms, on either side
// of a call. So a helper that runs out of work looks for more this many times,
// and a caller looks as often for the end of the last chunks, before it sleeps.
// A look is some glances, and then yields the processor to whoever wants it, which
// takes about 0.1 µs where nobody does, as long as the glances. Without them two
// threads are 4 % slower on 64 rows of AVX-512.
const (
	looks   = 250
	glances = 50
)

func (p *pool) help(worker int) {
	defer p.stopped.Done()
	for {
		t := p.next()
		if t == nil {
			return
		}
		t.work(worker)
		p.unref(t)
	}
}

// next waits for a task, nil when the pool is closed.
func (p *pool) next() *task {
	for range looks {
		for range glances {
			select {
			case t := <-p.tasks:
				return t
			default:
			}
		}
		runtime.Gosched()
	}
	select {
	case t := <-p.tasks:
		return t
	case <-p.stop:
		return nil
	}
}

// close stops the helpers. A call that is under way is finished by its caller.
func (p *pool) close() {
	close(p.stop)
	p.stopped.Wait()
	p.drain()
}

// drain lets go of the tasks that are queued and that no helper will take, so
// that a closed pool keeps nobody's coefficients alive.
func (p *pool) drain() {
	for {
		select {
		case t := <-p.tasks:
			p.unref(t)
		default:
			return
		}
	}
}

// do runs a kernel over rows [0, rows) in chunks and returns when it is done. After
// an error of ctx, which is looked at before each chunk, or errRange, where an operand
// of a call that is not trusted is out of range, it returns the number of rows that
// are final, all from row 0 on, and that error. The others are untouched.
func (p *pool) do(ctx context.Context, c call, rows int, size claimSize, run kernel) (done int, err error) {
	t := p.get()
	t.ctx, t.run, t.call, t.rows, t.workers = ctx, run, c, rows, p.helpers+1
	helpers := min(p.helpers, rows/size.least-1)
	t.size = size.of(rows, t.workers)
	if helpers <= 0 {
		t.size = size.alone
	}
	t.ordered = !c.trusted && c.undo == nil && helpers > 0
	t.next.Store(0)
	t.here.Store(0)
	t.good.Store(0)
	t.bad.Store(-1)
	t.refs.Store(1)
	p.invite(t, helpers)
	t.work(0)
	t.wait()
	done, err = t.outcome()
	p.unref(t)
	select {
	case <-p.stop: // perhaps before the task was queued, and then after close's drain
		p.drain()
	default:
	}
	return done, err
}

// outcome is what do returns, once nobody is at work.
func (t *task) outcome() (done int, err error) {
	if bad := int(t.bad.Load()); bad >= 0 {
		if t.call.undo != nil {
			t.undoAfter(bad)
		}
		return bad, errRange
	}
	if done = min(int(t.next.Load()), t.rows); done < t.rows {
		err = t.ctx.Err()
	}
	return done, err
}

// invite hands the task to so many helpers.
func (p *pool) invite(t *task, helpers int) {
	for range helpers {
		t.refs.Add(1)
		select {
		case p.tasks <- t:
		default: // every helper is busy and has more to do: the caller works alone
			t.refs.Add(-1)
			return
		}
	}
}

// work runs chunks until none is left.
func (t *task) work(worker int) {
	t.active.Add(1)
	for {
		from, to := t.claim(worker)
		if from == to {
			break
		}
		last := to
		if t.ordered {
			if last = t.admit(from, to); last == from {
				break
			}
		}
		if done := t.run(&t.call, from, last); from+done < to {
			t.stopAt(from + done)
			break
		}
	}
	if t.active.Add(-1) == 0 {
		select {
		case t.idle <- struct{}{}:
		default:
		}
	}
}

// admit returns the end of the rows of a chunk that may be computed: those before
// the first one that is out of range, of this chunk or an earlier one. Every chunk is
// looked at when it is claimed, so that it stays in the first-level cache until it
// is computed, and those before it are looked at meanwhile.
func (t *task) admit(from, to int) (end int) {
	end = from + t.call.inRange(from, to)
	for i := 0; int(t.good.Load()) < from; i++ {
		if t.bad.Load() >= 0 {
			return from
		}
		if i >= 100 { // the worker that looks may wait for a processor
			runtime.Gosched()
		}
	}
	if end < to {
		t.stopAt(end)
	} else {
		t.good.Store(int64(to))
	}
	return end
}

// undoAfter restores the rows that were computed after one that is out of range, at
// which its chunk ended. Every other chunk that has one ended there too, and so does
// undo, since what a kernel has computed is in range.
func (t *task) undoAfter(bad int) {
	claimed := min(int(t.next.Load()), t.rows)
	for from := (bad/t.size + 1) * t.size; from < claimed; from += t.size {
		t.call.undo(&t.call, from, min(from+t.size, claimed))
	}
}

// stopAt notes the first row that is out of range, after which nobody claims more.
func (t *task) stopAt(row int) {
	for {
		b := t.bad.Load()
		if b >= 0 && int(b) <= row || t.bad.CompareAndSwap(b, int64(row)) {
			return
		}
	}
}

// wait returns when nobody is running a chunk any more.
func (t *task) wait() {
	for range looks {
		for range glances {
			if t.active.Load() == 0 {
				return
			}
		}
		runtime.Gosched()
	}
	for t.active.Load() != 0 {
		<-t.idle
	}
}

// patience is how often a worker looks whether another one takes the chunk that is
// its own: about as long as the transforms of a chunk take.
const patience = 400

// claim takes the next chunk, which is empty if there is none or the context is done.
// Chunks belong to workers in turn, so that a call on the same rows as the last one
// finds them in the caches of the same cores; two cores that swap rows are no faster
// than one of them (256 coefficients, AVX-512, AMD EPYC). But where its owner is late
// a chunk goes to whoever comes.
func (t *task) claim(worker int) (from, to int) {
	me := uint64(1) << worker // none beyond 64 workers, who are not waited for
	if t.here.Load()&me == 0 {
		t.here.Or(me)
	}
	for looks := 0; ; {
		n := int(t.next.Load())
		if n >= t.rows || t.bad.Load() >= 0 || t.ctx.Err() != nil {
			return 0, 0
		}
		owner := uint64(1) << (n / t.size % t.workers)
		if owner != me && t.here.Load()&owner != 0 {
			if looks++; looks < patience {
				continue
			}
			t.here.And(^owner) // until it comes back
		}
		to := min(t.rows, n+t.size)
		if t.next.CompareAndSwap(int64(n), int64(to)) {
			return n, to
		}
	}
}

func (p *pool) get() *task {
	select {
	case t := <-p.free:
		return t
	default:
		return &task{idle: make(chan struct{}, 1)}
	}
}

// unref returns the task for reuse when nobody looks at it any more. It forgets
// the slices first, so that the pool keeps nobody's coefficients alive.
func (p *pool) unref(t *task) {
	if t.refs.Add(-1) != 0 {
		return
	}
	t.ctx, t.call = nil, call{}
	select {
	case p.free <- t:
	default:
	}
}
