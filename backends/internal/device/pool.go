package device

import (
	"context"
	"sync"
)

// maxSlots bounds the chunks of one plan that are in flight at a time, over all
// of its concurrent calls, and so its memory: 8 slots of three 2 MiB buffers.
const maxSlots = 8

// pool lends out a plan's slots.
type pool struct {
	tokens chan struct{} // one for each slot that may still be lent
	mu     sync.Mutex
	idle   []*slot
}

func newPool() *pool {
	p := &pool{tokens: make(chan struct{}, maxSlots)}
	for range maxSlots {
		p.tokens <- struct{}{}
	}
	return p
}

// get lends a slot, if possible one that holds that many rows. When all are
// lent it waits, or returns nil where wait is false. A caller that has a slot
// must not wait for another, or callers could wait for each other.
func (p *pool) get(ctx context.Context, rows int, wait bool) (*slot, error) {
	select {
	case <-p.tokens:
		return p.pick(rows), nil
	default:
	}
	if !wait {
		return nil, nil
	}
	select {
	case <-p.tokens:
		return p.pick(rows), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// pick takes the smallest idle slot of at least rows, else the largest, which
// is then grown, else a new one.
func (p *pool) pick(rows int) *slot {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.idle) == 0 {
		return new(slot)
	}
	best := 0
	for i, s := range p.idle {
		if better(s, p.idle[best], rows) {
			best = i
		}
	}
	s := p.idle[best]
	last := len(p.idle) - 1
	p.idle[best] = p.idle[last]
	p.idle[last] = nil
	p.idle = p.idle[:last]
	return s
}

// better reports whether s suits a chunk of that many rows better than t does.
func better(s, t *slot, rows int) bool {
	fits := s.rows >= rows
	switch {
	case fits != (t.rows >= rows):
		return fits
	case fits:
		return s.rows < t.rows
	}
	return s.rows > t.rows
}

// put takes back a slot. Work that was submitted with it may still run: what is
// written to its buffers takes effect after that.
func (p *pool) put(s *slot) {
	p.mu.Lock()
	p.idle = append(p.idle, s)
	p.mu.Unlock()
	p.tokens <- struct{}{}
}

// release frees the slots, none of which is lent.
func (p *pool) release(wipe bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, s := range p.idle {
		s.release(wipe)
	}
	p.idle = nil
}
