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
	size    claimSize
	share   int  // each claim takes this part of what is left
	ordered bool // chunks are looked at before any after them is computed

	next   atomic.Int64 // the first row not claimed
	good   atomic.Int64 // rows from 0 on that are known to be in range, where ordered
	bad    atomic.Int64 // rows before the first one out of range; -1 while there is none
	active atomic.Int32 // goroutines that may be running a chunk
	refs   atomic.Int32 // goroutines that may still look at the task
	idle   chan struct{}
}

// claimSize is the rows that a worker claims at once, as Chunks are coefficients.
type claimSize struct{ least, most, alone int }

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
	for range p.helpers {
		go p.help()
	}
	return p
}

// To wake a sleeping thread costs as much as tens of transforms, on either side
// of a call. So a helper that runs out of work looks for more this many times,
// and a caller looks as often for the end of the last chunks, before it sleeps.
// A look yields the processor to whoever wants it, and takes about 0.1 µs where
// nobody does.
const looks = 500

func (p *pool) help() {
	defer p.stopped.Done()
	for {
		t := p.next()
		if t == nil {
			return
		}
		t.work()
		p.unref(t)
	}
}

// next waits for a task, nil when the pool is closed.
func (p *pool) next() *task {
	for range looks {
		select {
		case t := <-p.tasks:
			return t
		default:
			runtime.Gosched()
		}
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
	t.ctx, t.run, t.call, t.rows, t.size, t.share = ctx, run, c, rows, size, 2*(p.helpers+1)
	helpers := min(p.helpers, rows/size.least-1)
	if helpers <= 0 {
		t.size.least, t.size.most, t.share = size.alone, size.alone, 1
	}
	t.ordered = !c.trusted && helpers > 0
	t.next.Store(0)
	t.good.Store(0)
	t.bad.Store(-1)
	t.refs.Store(1)
	p.invite(t, helpers)
	t.work()
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
func (t *task) work() {
	t.active.Add(1)
	for {
		from, to := t.claim()
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

// stopAt notes the first row that is out of range, and lets nobody claim more.
func (t *task) stopAt(row int) {
	for {
		b := t.bad.Load()
		if b >= 0 && int(b) <= row {
			break
		}
		if t.bad.CompareAndSwap(b, int64(row)) {
			break
		}
	}
	t.next.Store(int64(t.rows))
}

// wait returns when nobody is running a chunk any more.
func (t *task) wait() {
	for range looks {
		if t.active.Load() == 0 {
			return
		}
		runtime.Gosched()
	}
	for t.active.Load() != 0 {
		<-t.idle
	}
}

// claim takes the next chunk, which is empty if there is none or the context is
// done. Chunks get smaller towards the end, so that workers finish together.
func (t *task) claim() (from, to int) {
	for {
		n := t.next.Load()
		left := t.rows - int(n)
		if left <= 0 || t.ctx.Err() != nil {
			return 0, 0
		}
		size := min(left, max(t.size.least, min(t.size.most, left/t.share)))
		if t.next.CompareAndSwap(n, n+int64(size)) {
			return int(n), int(n) + size
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
