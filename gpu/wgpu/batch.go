package wgpu

import (
	"errors"

	"github.com/gogpu/gputypes"
	"github.com/gogpu/wgpu/hal"

	"github.com/crosspoint-kernels/crosspoint/gpu"
)

// batch is one command buffer: writes and clears in the order of their calls,
// then the dispatches of one submission, then its reads. Batches are numbered
// from 1 in the order in which the queue does them.
type batch struct {
	seq    uint64
	index  uint64 // the queue's own number for it
	enc    hal.CommandEncoder
	cmds   [1]hal.CommandBuffer
	chunks []*chunk  // upload memory, in use until the batch is done
	staged int       // bytes of them
	dirty  []*buffer // written by a copy since the last barrier
}

// maxStaged is how much writes may stage before they are submitted by
// themselves, so that many writes without a submission don't pile up.
const maxStaged = 1 << 28

// recording returns the batch that takes the next command.
func (d *device) recording() (*batch, error) {
	if d.open != nil {
		return d.open, nil
	}
	d.reap()
	var b *batch
	if k := len(d.idle); k > 0 {
		b, d.idle = d.idle[k-1], d.idle[:k-1]
	} else {
		enc, err := d.dev.CreateCommandEncoder(&hal.CommandEncoderDescriptor{})
		if err != nil {
			return nil, err
		}
		// Without this the Vulkan encoder gives its command pool away.
		if p, ok := enc.(interface{ SetPoolManaged(bool) }); ok {
			p.SetPoolManaged(true)
		}
		b = &batch{enc: enc}
	}
	if err := b.enc.BeginEncoding(""); err != nil {
		d.idle = append(d.idle, b)
		return nil, err
	}
	d.seq++
	b.seq = d.seq
	d.open = b
	return b, nil
}

// flush ends the open batch, if there is one, and submits it. An error leaves
// the device lost: what the batch held is gone.
func (d *device) flush(op string) error {
	b := d.open
	if b == nil {
		return nil
	}
	d.open = nil
	d.inflight = append(d.inflight, b) // even when it fails, Close destroys it
	clear(b.dirty)
	b.dirty = b.dirty[:0] // the next batch begins behind a barrier
	if err := d.leaveMark(b); err != nil {
		return d.lose(op, err)
	}
	cmd, err := b.enc.EndEncoding()
	if err != nil {
		return d.lose(op, err)
	}
	b.cmds[0] = cmd
	if b.index, err = d.queue.Submit(b.cmds[:]); err != nil {
		return d.lose(op, err)
	}
	return nil
}

// lose marks the device as lost and returns the error of op.
func (d *device) lose(op string, err error) error {
	d.lost = fail(op, gpu.ErrLost, "%v", err)
	return d.lost
}

// reap takes back what finished batches used.
func (d *device) reap() {
	if len(d.inflight) == 0 || d.lost != nil {
		return
	}
	index := d.queue.PollCompleted()
	k := 0
	for k < len(d.inflight) && d.inflight[k].index <= index {
		d.recycle(d.inflight[k])
		k++
	}
	if k == 0 {
		return
	}
	rest := copy(d.inflight, d.inflight[k:])
	clear(d.inflight[rest:])
	d.inflight = d.inflight[:rest]
	d.retire()
}

// probe finds out whether a device that has been silent for long is still
// there: a question for its progress goes unanswered for ever where it is not.
// Others wait for the lock meanwhile, as they would for the queue.
func (d *device) probe() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed || d.lost != nil || len(d.inflight) == 0 {
		return
	}
	if err := d.dev.WaitIdle(); err != nil {
		_ = d.lose("wait", err) // for the next to find
		return
	}
	d.reap()
	if len(d.inflight) > 0 {
		_ = d.lose("wait", errors.New("the queue is idle and its work is not done"))
	}
}

// recycle makes a finished batch ready for the next recording.
func (d *device) recycle(b *batch) {
	d.done = b.seq
	b.enc.ResetAll(b.cmds[:])
	b.cmds[0] = nil
	for _, c := range b.chunks {
		d.upload.put(d, c)
	}
	clear(b.chunks)
	b.chunks = b.chunks[:0]
	b.staged = 0
	d.idle = append(d.idle, b)
}

// stage copies p into the batch's upload memory and says where it lies. It is
// at most maxChunk bytes.
func (d *device) stage(b *batch, p []byte) (*chunk, int, error) {
	var c *chunk
	if k := len(b.chunks); k > 0 && len(b.chunks[k-1].mem)-b.chunks[k-1].used >= len(p) {
		c = b.chunks[k-1]
	} else {
		var err error
		if c, err = d.upload.take(d, len(p)); err != nil {
			return nil, 0, err
		}
		b.chunks = append(b.chunks, c)
	}
	off := c.used
	copy(c.mem[off:], p)
	if err := c.toDevice(d); err != nil {
		return nil, 0, err
	}
	c.used += (len(p) + 15) &^ 15
	c.used = min(c.used, len(c.mem))
	b.staged += len(p)
	return c, off, nil
}

// copyIn records copies of d.regions to buf, after the writes to it that the
// batch holds.
func (d *device) copyIn(b *batch, src hal.Buffer, buf *buffer) {
	if buf.dirty == b.seq {
		d.barriers = append(d.barriers[:0], transition(buf, gputypes.BufferUsageCopyDst, gputypes.BufferUsageCopyDst))
		b.enc.TransitionBuffers(d.barriers)
	} else {
		buf.dirty = b.seq
		b.dirty = append(b.dirty, buf)
	}
	buf.used = b.seq
	b.enc.CopyBufferToBuffer(src, buf.buf, d.regions)
}

// settle records the barriers that let what follows see the batch's copies.
func (d *device) settle(b *batch, next gputypes.BufferUsage) {
	if len(b.dirty) == 0 {
		return
	}
	d.barriers = d.barriers[:0]
	for _, buf := range b.dirty {
		use := next
		if buf == d.params {
			use = gputypes.BufferUsageUniform
		}
		d.barriers = append(d.barriers, transition(buf, gputypes.BufferUsageCopyDst, use))
		buf.dirty = 0
	}
	b.enc.TransitionBuffers(d.barriers)
	clear(b.dirty)
	b.dirty = b.dirty[:0]
}

func transition(buf *buffer, from, to gputypes.BufferUsage) hal.BufferBarrier {
	return hal.BufferBarrier{Buffer: buf.buf, Usage: hal.BufferUsageTransition{OldUsage: from, NewUsage: to}}
}
