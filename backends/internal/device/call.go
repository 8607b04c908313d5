package device

import (
	"github.com/crosspoint-kernels/crosspoint/gpu"
)

// call is one call of a plan: the chunks of rows go out here and come back
// through the receiver.
type call struct {
	receiver
	plan *plan
	op   op
	in   [3][]uint64 // by binding
	rows int
	next int // the first row that was not submitted
}

// run returns when every row is final or one has failed.
func (c *call) run() error {
	for c.next < c.rows {
		started, err := c.start()
		if err != nil {
			return c.drain(err)
		}
		if started {
			continue
		}
		if err := c.finish(); err != nil {
			return err
		}
	}
	return c.drain(nil)
}

// start submits the next chunk. It reports false if one in flight must be
// finished first.
func (c *call) start() (bool, error) {
	if c.full() {
		return false, nil
	}
	if err := c.ctx.Err(); err != nil {
		return false, err
	}
	n := min(c.rows-c.next, c.plan.engine.chunkRows)
	s, err := c.pool.get(c.ctx, n, c.n == 0)
	if s == nil {
		return false, err
	}
	pending, err := c.launch(s, n)
	if err != nil {
		c.pool.put(s)
		return false, err
	}
	c.push(flight{pending: pending, slot: s, rows: n})
	c.watch.computed()
	c.next += n
	return true, nil
}

// checkOrder is that of package ntt: a, b, dst.
var checkOrder = [3]int{1, 2, 0}

// launch packs n rows into the slot and submits its kernel and its read-back.
func (c *call) launch(s *slot, n int) (gpu.Pending, error) {
	b, e := c.plan.backend, c.plan.engine
	if err := s.prepare(b.dev, e, c.op, n, b.cfg.Options.Wipe); err != nil {
		return nil, err
	}
	for _, i := range checkOrder {
		if c.in[i] == nil {
			continue
		}
		p, err := e.pack(argument(c.op, i), c.chunk(c.in[i], n), &s.scratch)
		if err != nil {
			return nil, c.firstOutOfRange(err)
		}
		if err := s.data[i].Write(0, p); err != nil {
			return nil, err
		}
	}
	c.watch.uploaded()
	d, err := e.dispatch(c.op, s.bindings[c.op], 0, n, b.limits.MaxGroups)
	if err != nil {
		return nil, err
	}
	s.dispatches[0] = d
	// The slot is nobody else's until the view was read.
	s.reads[0] = gpu.Range{Buffer: s.data[0], Size: n * e.rowBytes, Still: true}
	return b.dev.Submit(gpu.Work{Dispatches: s.dispatches[:], Reads: s.reads[:]})
}

// firstOutOfRange returns the error of package ntt for the rows that are left: it
// names the first coefficient of a, else of b, else of dst, wherever the chunks
// end. err is that of the next chunk.
func (c *call) firstOutOfRange(err error) error {
	r := c.plan.engine.ring
	for _, i := range checkOrder {
		if c.in[i] == nil {
			continue
		}
		if err := r.CheckRange(argument(c.op, i), c.in[i][c.next*r.N():]); err != nil {
			return shiftRow(err, c.next)
		}
	}
	return shiftRow(err, c.next) // the caller has changed it since
}

// chunk returns the next n rows of s.
func (c *call) chunk(s []uint64, n int) []uint64 {
	degree := c.plan.engine.ring.N()
	return s[c.next*degree : (c.next+n)*degree]
}

// argument names the slice that is uploaded to binding i of o, as callers know it.
func argument(o op, i int) string {
	if operations[o].operands == 1 {
		return "src"
	}
	return [3]string{"dst", "a", "b"}[i]
}
