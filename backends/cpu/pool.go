package cpu

import (
	"context"
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
	ctx         context.Context
	run         kernel
	call        call
	rows, chunk int

	next   atomic.Int64 // the first row not claimed
	bad    atomic.Bool  // a chunk found a coefficient out of range
	active atomic.Int32 // goroutines that may be running a chunk
	refs   atomic.Int32 // goroutines that may still look at the task
	idle   chan struct{}
}

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

// do runs a kernel over rows [0, rows) in chunks and returns when it is done.
// After an error of ctx, which is looked at before each chunk, it returns the
// number of rows that were run, all from row 0 on, and the error. The flag says
// whether the kernel found a coefficient out of range.
func (p *pool) do(ctx context.Context, c call, rows, chunk int, run kernel) (done int, bad bool, err error) {
	t := p.get()
	t.ctx, t.run, t.call, t.rows, t.chunk = ctx, run, c, rows, chunk
	t.call.bad = &t.bad
	t.bad.Store(false)
	t.next.Store(0)
	t.refs.Store(1)
	p.invite(t, rows/chunk-1)
	t.work()
	t.wait()
	done, bad = min(int(t.next.Load()), rows), t.bad.Load()
	if done < rows {
		err = ctx.Err()
	}
	p.unref(t)
	select {
	case <-p.stop: // perhaps before the task was queued, and then after close's drain
		p.drain()
	default:
	}
	return done, bad, err
}

// invite hands the task to as many helpers as it has whole chunks for.
func (p *pool) invite(t *task, chunks int) {
	for range min(p.helpers, chunks) {
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
		from, ok := t.claim()
		if !ok {
			break
		}
		t.run(&t.call, from, min(from+t.chunk, t.rows))
	}
	if t.active.Add(-1) == 0 {
		select {
		case t.idle <- struct{}{}:
		default:
		}
	}
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

// claim takes the next chunk, unless there is none or the context is done.
func (t *task) claim() (from int, ok bool) {
	for {
		n := t.next.Load()
		if int(n) >= t.rows || t.ctx.Err() != nil {
			return 0, false
		}
		if t.next.CompareAndSwap(n, n+int64(t.chunk)) {
			return int(n), true
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
