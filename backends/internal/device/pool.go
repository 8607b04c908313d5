package device

import (
	"context"
	"sync"
)

// maxSlots bounds the slots of one plan or hasher that are in use at a time, over
// all of its concurrent calls, and so its memory: 8 slots of three 2 MiB buffers.
const maxSlots = 8

// pooled is a slot: device memory that grows when more of it is asked for.
type pooled interface {
	comparable
	capacity() int // in the unit in which it is asked for
	release(wipe bool)
}

// pool lends out the slots of a plan or of a hasher.
type pool[S pooled] struct {
	fresh  func() S
	tokens chan struct{} // one for each slot that may still be lent
	mu     sync.Mutex
	idle   []S
}

func newPool[S pooled](fresh func() S) *pool[S] {
	p := &pool[S]{fresh: fresh, tokens: make(chan struct{}, maxSlots)}
	for range maxSlots {
		p.tokens <- struct{}{}
	}
	return p
}

// get lends a slot, if possible one of that capacity. When all are lent it
// waits, or returns the zero S where wait is false. A caller that has a slot
// must not wait for another, or callers could wait for each other.
func (p *pool[S]) get(ctx context.Context, need int, wait bool) (S, error) {
	var none S
	select {
	case <-p.tokens:
		return p.pick(need), nil
	default:
	}
	if !wait {
		return none, nil
	}
	select {
	case <-p.tokens:
		return p.pick(need), nil
	case <-ctx.Done():
		return none, ctx.Err()
	}
}

// pick takes the smallest idle slot of the capacity needed, else the largest,
// which is then grown, else a new one.
func (p *pool[S]) pick(need int) S {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.idle) == 0 {
		return p.fresh()
	}
	best := 0
	for i, s := range p.idle {
		if better(s.capacity(), p.idle[best].capacity(), need) {
			best = i
		}
	}
	s := p.idle[best]
	last := len(p.idle) - 1
	p.idle[best] = p.idle[last]
	clear(p.idle[last:])
	p.idle = p.idle[:last]
	return s
}

// better reports whether a slot of capacity s suits better than one of t.
func better(s, t, need int) bool {
	fits := s >= need
	switch {
	case fits != (t >= need):
		return fits
	case fits:
		return s < t
	}
	return s > t
}

// put takes back a slot. Work that was submitted with it may still run: what is
// written to its buffers takes effect after that.
func (p *pool[S]) put(s S) {
	p.mu.Lock()
	p.idle = append(p.idle, s)
	p.mu.Unlock()
	p.tokens <- struct{}{}
}

// release frees the slots, none of which is lent.
func (p *pool[S]) release(wipe bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, s := range p.idle {
		s.release(wipe)
	}
	p.idle = nil
}
