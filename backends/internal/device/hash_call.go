package device

import (
	"context"

	"github.com/crosspoint-kernels/crosspoint/gpu"
)

// source is the messages of one call, of any lengths or of one width.
type source struct {
	data  []byte
	off   []uint32 // nil where every message has width bytes
	width int
}

// span returns messages [from, to).
func (s *source) span(from, to int) []byte {
	if s.off != nil {
		return s.data[s.off[from]:s.off[to]]
	}
	return s.data[from*s.width : to*s.width]
}

// length returns the bytes of message i.
func (s *source) length(i int) int {
	if s.off != nil {
		return int(s.off[i+1] - s.off[i])
	}
	return s.width
}

// hashCall is one call of Sum256 or SumFixed: chunks of messages go out here and
// their digests come back through the receiver.
type hashCall struct {
	receiver
	hasher *hasher
	slot   *hashSlot
	source source
	count  int // messages
	next   int // the first one that was not submitted
}

// run returns when every digest is final or one has failed.
func (c *hashCall) run() error {
	for c.next < c.count {
		if c.full() {
			if err := c.finish(); err != nil {
				return err
			}
			continue
		}
		if err := c.start(); err != nil {
			return c.drain(err)
		}
	}
	return c.drain(nil)
}

// start submits the next chunk.
func (c *hashCall) start() error {
	if err := c.ctx.Err(); err != nil {
		return err
	}
	n := c.chunk()
	pending, err := c.launch(n)
	if err != nil {
		return err
	}
	c.push(flight{pending: pending, rows: n})
	c.watch.computed()
	c.next += n
	return nil
}

// chunk returns how many messages go out next: as many as fit a submission, or
// one that is too long for one.
func (c *hashCall) chunk() int {
	e, left := c.hasher.engine, c.count-c.next
	n := min(left, e.chunk/nodeBytes)
	if c.source.off == nil {
		if e.long(c.source.width) {
			return 1
		}
		return min(n, e.chunk/max(1, c.source.width))
	}
	off := c.source.off[c.next:]
	for i := range n {
		if int(off[i+1]-off[0]) > e.chunk || e.long(int(off[i+1]-off[i])) {
			return max(1, i)
		}
	}
	return n
}

// launch submits the next n messages and the read-back of their digests.
func (c *hashCall) launch(n int) (gpu.Pending, error) {
	dev, e, s := c.hasher.backend.dev, c.hasher.engine, c.slot
	p := c.source.span(c.next, c.next+n)
	if e.long(c.source.length(c.next)) { // and n is 1
		return c.stream(p)
	}
	if err := s.upload(e, p); err != nil {
		return nil, err
	}
	h := hashing{messages: n, base: e.head, width: c.source.width}
	if c.source.off != nil {
		h.ragged = true
		if err := s.place(e, c.source.off[c.next:c.next+n+1]); err != nil {
			return nil, err
		}
	}
	c.watch.uploaded()
	d, err := e.dispatch(s.hash, h)
	if err != nil {
		return nil, err
	}
	s.add(d)
	return s.submit(dev, s.digests, 0, n)
}

// stream submits a long message piece by piece.
func (c *hashCall) stream(message []byte) (gpu.Pending, error) {
	dev, s := c.hasher.backend.dev, c.slot
	q := queue{watch: c.watch}
	defer q.drop()
	if err := s.stretch(c.ctx, dev, c.hasher.engine, &q, s.stream, 0, noPrefix, message); err != nil {
		return nil, err
	}
	if err := c.ctx.Err(); err != nil {
		return nil, err
	}
	return s.submit(dev, s.digests, 0, 1)
}

// stretch uploads a message in pieces of as many blocks as one dispatch takes,
// and submits all but the last of them, which it leaves to the next submission.
// The digest out of the first buffer of b becomes the message's.
func (s *hashSlot) stretch(ctx context.Context, dev gpu.Device, e *hashEngine, q *queue, b gpu.Binding, out int, p prefix, message []byte) error {
	n := e.blocks*rate - p.bytes()
	for first := true; ; first = false {
		last := len(message) < n // a full piece needs another for the padding
		if last {
			n = len(message)
		}
		if err := s.upload(e, message[:n]); err != nil {
			return err
		}
		q.watch.uploaded()
		s.add(e.dispatchPiece(b, piece{bytes: n, first: first, last: last, base: e.head, out: out, prefix: p}))
		if last {
			return nil
		}
		if err := q.submit(ctx, s, dev); err != nil {
			return err
		}
		message, n = message[n:], e.blocks*rate
	}
}

// queue is what a call has submitted without a read. It bounds what piles up in
// the driver.
type queue struct {
	watch   *stopwatch
	pending [inFlight - 1]gpu.Pending
	n       int
}

// submit submits what was added to the slot. It waits for the oldest submission
// where there are as many as there may be, and looks at the context.
func (q *queue) submit(ctx context.Context, s *hashSlot, dev gpu.Device) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if q.n == len(q.pending) {
		if err := q.pending[0].Wait(ctx); err != nil {
			return err
		}
		q.pending[0].Release()
		copy(q.pending[:], q.pending[1:])
		q.n--
	}
	p, err := s.submit(dev, nil, 0, 0)
	if err != nil {
		return err
	}
	q.pending[q.n] = p
	q.n++
	q.watch.submitted()
	q.watch.computed()
	return nil
}

// drop forgets what was submitted. It runs on; where it fails, so does what was
// submitted later.
func (q *queue) drop() {
	for i := range q.n {
		q.pending[i].Release()
	}
	q.n = 0
}
