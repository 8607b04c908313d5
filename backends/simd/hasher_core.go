package simd

import (
	"context"
	"sync"
	"sync/atomic"
)

// maxHashWorkers bounds what a Hasher can be asked for.
const maxHashWorkers = 1024

// hashCore spreads batches of messages over a fixed number of goroutines, each of
// which has an engine of its own. It may be that of several Hashers.
type hashCore struct {
	width   hashWidth
	wipe    bool
	helpers int
	offers  chan *hashJob    // unbuffered: an offer is taken by a helper with nothing to do, or not at all
	jobs    chan *hashJob    // for reuse
	engines chan *hashEngine // those of callers, for reuse
	trees   chan *hashTree   // for reuse
	stop    chan struct{}    // closed by close
	closed  atomic.Bool
	running sync.WaitGroup
}

// hashJob is one call. Chunks are claimed in ascending order by whoever is free, so
// that after a cancellation the finished digests are a prefix.
type hashJob struct {
	hashBatch
	ctx     context.Context
	next    atomic.Int64   // the first message not claimed
	helpers sync.WaitGroup // helpers at work on it
}

func newHashCore(o HasherOptions) (*hashCore, error) {
	width, err := findWidth(o.Width)
	if err != nil {
		return nil, err
	}
	workers := min(max(1, o.Workers), maxHashWorkers)
	c := &hashCore{
		width:   width,
		wipe:    o.Wipe,
		helpers: workers - 1,
		offers:  make(chan *hashJob),
		jobs:    make(chan *hashJob, workers),
		engines: make(chan *hashEngine, workers),
		trees:   make(chan *hashTree, 1),
		stop:    make(chan struct{}),
	}
	for range c.helpers {
		e := newHashEngine(&c.width)
		c.running.Go(func() { c.help(e) })
	}
	return c, nil
}

// handle returns a Hasher that shares the workers and does not end them.
func (c *hashCore) handle() *Hasher { return &Hasher{core: c} }

// close ends the helpers and waits for them.
func (c *hashCore) close() {
	if !c.closed.Swap(true) {
		close(c.stop)
	}
	c.running.Wait()
}

// do hashes a batch that was checked, and returns how many digests are final.
func (c *hashCore) do(ctx context.Context, b hashBatch) (done int, err error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	if len(b.dst) == 0 {
		return 0, nil
	}
	e := take(c.engines, func() *hashEngine { return newHashEngine(&c.width) })
	defer c.put(e)
	if c.helpers == 0 || b.small(c.width.inline) {
		return b.serial(ctx, e)
	}
	j := take(c.jobs, func() *hashJob { return new(hashJob) })
	j.hashBatch, j.ctx = b, ctx
	j.next.Store(0)
	for invited := 0; ; {
		from, to := j.claim()
		if from == to {
			break
		}
		// Again before each chunk: a helper may have been busy a chunk ago.
		for invited < c.helpers && to < len(b.dst) && c.offer(j) {
			invited++
		}
		e.run(&j.hashBatch, from, to)
	}
	j.helpers.Wait()
	done = int(j.next.Load())
	j.hashBatch, j.ctx = hashBatch{}, nil // keep nobody's messages alive
	give(c.jobs, j)
	if done < len(b.dst) {
		return done, ctx.Err()
	}
	return done, nil
}

// offer hands the job to a helper, if one is idle.
func (c *hashCore) offer(j *hashJob) bool {
	j.helpers.Add(1)
	select {
	case c.offers <- j:
		return true
	default:
		j.helpers.Done()
		return false
	}
}

// help is what a helper runs.
func (c *hashCore) help(e *hashEngine) {
	for {
		select {
		case j := <-c.offers:
			for from, to := j.claim(); from < to; from, to = j.claim() {
				e.run(&j.hashBatch, from, to)
			}
			e.forget(c.wipe)
			j.helpers.Done() // the job may be another call's from here on
		case <-c.stop:
			return
		}
	}
}

// claim takes the next chunk, which is empty if there is none or the context is
// done.
func (j *hashJob) claim() (from, to int) {
	for {
		n := j.next.Load()
		if int(n) == len(j.dst) || j.ctx.Err() != nil {
			return 0, 0
		}
		to := j.hashBatch.chunk(int(n))
		if j.next.CompareAndSwap(n, int64(to)) {
			return int(n), to
		}
	}
}

func (c *hashCore) put(e *hashEngine) {
	e.forget(c.wipe)
	give(c.engines, e)
}

// take returns what is kept for reuse, or else a new one.
func take[T any](kept chan *T, fresh func() *T) *T {
	select {
	case x := <-kept:
		return x
	default:
		return fresh()
	}
}

// give keeps something for reuse, if there is room.
func give[T any](kept chan *T, x *T) {
	select {
	case kept <- x:
	default:
	}
}
