package keccak

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// maxWorkers bounds what NewParallel can be asked for.
const maxWorkers = 1024

// NewParallel returns a Hasher that spreads a batch over at most workers
// goroutines, the caller's among them, and otherwise does as Scalar does. The
// goroutines are started here and shared by all calls until Close, which waits
// for them. Fewer than one worker means runtime.GOMAXPROCS(0), and more than
// 1024 mean 1024. Batches of less than 512 blocks are hashed by the caller
// alone. A call allocates nothing but what calls that overlap need the first
// time.
func NewParallel(workers int) Hasher {
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	workers = min(workers, maxWorkers)
	p := &parallel{
		helpers: workers - 1,
		offers:  make(chan *job),
		free:    make(chan *job, workers),
		stop:    make(chan struct{}),
	}
	for range p.helpers {
		p.running.Go(p.help)
	}
	return p
}

type parallel struct {
	helpers int
	offers  chan *job     // unbuffered: an offer is taken by a helper with nothing to do, or not at all
	free    chan *job     // for reuse
	stop    chan struct{} // closed by Close
	closed  atomic.Bool
	running sync.WaitGroup
}

// job is one call. Chunks are claimed in ascending order by whoever is free, so
// that after a cancellation the finished digests are a prefix.
type job struct {
	batch
	ctx     context.Context
	next    atomic.Int64   // the first message not claimed
	helpers sync.WaitGroup // helpers at work on it
}

func (p *parallel) Sum256(ctx context.Context, dst [][32]byte, m Messages) error {
	if p.closed.Load() {
		return &Error{Op: opSum256, Err: ErrClosed}
	}
	b, err := newBatch(dst, m)
	if err != nil {
		return err
	}
	return p.do(ctx, opSum256, b)
}

func (p *parallel) SumFixed(ctx context.Context, dst [][32]byte, data []byte, width int) error {
	if p.closed.Load() {
		return &Error{Op: opSumFixed, Err: ErrClosed}
	}
	b, err := newFixed(dst, data, width)
	if err != nil {
		return err
	}
	return p.do(ctx, opSumFixed, b)
}

// Close stops the helpers. A call that is under way is finished by its caller.
func (p *parallel) Close() error {
	if !p.closed.Swap(true) {
		close(p.stop)
	}
	p.running.Wait()
	return nil
}

func (p *parallel) do(ctx context.Context, op string, b batch) error {
	if p.helpers == 0 || b.small() {
		return b.serial(ctx, op)
	}
	j := p.get()
	j.batch, j.ctx = b, ctx
	j.next.Store(0)
	for invited := 0; ; {
		from, to := j.claim()
		if from == to {
			break
		}
		// Again before each chunk: a helper may have been busy a chunk ago.
		for invited < p.helpers && to < len(b.dst) && p.offer(j) {
			invited++
		}
		j.run(from, to)
	}
	j.helpers.Wait()
	done := int(j.next.Load())
	p.put(j)
	if done < len(b.dst) {
		return &Error{Op: op, Done: done, Err: ctx.Err()}
	}
	return nil
}

// offer hands the job to a helper, if one is idle.
func (p *parallel) offer(j *job) bool {
	j.helpers.Add(1)
	select {
	case p.offers <- j:
		return true
	default:
		j.helpers.Done()
		return false
	}
}

// help is what a helper runs.
func (p *parallel) help() {
	for {
		select {
		case j := <-p.offers:
			for from, to := j.claim(); from < to; from, to = j.claim() {
				j.run(from, to)
			}
			j.helpers.Done() // the job may be another call's from here on
		case <-p.stop:
			return
		}
	}
}

// claim takes the next chunk, which is empty if there is none or the context is
// done.
func (j *job) claim() (from, to int) {
	for {
		n := j.next.Load()
		if int(n) == len(j.dst) || j.ctx.Err() != nil {
			return 0, 0
		}
		to := j.chunk(int(n))
		if j.next.CompareAndSwap(n, int64(to)) {
			return int(n), to
		}
	}
}

func (p *parallel) get() *job {
	select {
	case j := <-p.free:
		return j
	default:
		return new(job)
	}
}

// put keeps the job for reuse, without the caller's slices.
func (p *parallel) put(j *job) {
	j.batch, j.ctx = batch{}, nil
	select {
	case p.free <- j:
	default:
	}
}
