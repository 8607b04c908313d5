//go:build (darwin || metalsim) && cgo

package mtl

// #include "bridge.h"
import "C"

import (
	"unsafe"

	"github.com/crosspoint-kernels/crosspoint/gpu"
)

// batch is one command buffer: writes and clears in the order of their calls,
// then the dispatches of one submission, then its reads. Batches are numbered
// from 1 in the order in which they are committed.
type batch struct {
	seq    uint64
	writes []C.mtl_copy
	chunks []*chunk // that the writes come from, in use until the batch is done
	staged int      // bytes of them
	ended  bool     // the device has done it, or given up
	err    error    // why it gave up
}

// maxStaged is how much writes may stage before they are committed by themselves,
// so that many writes without a submission don't pile up.
const maxStaged = 1 << 28

// recording returns the batch that takes the next write.
func (d *device) recording() *batch {
	if d.open != nil {
		return d.open
	}
	if k := len(d.idle); k > 0 {
		d.open, d.idle = d.idle[k-1], d.idle[:k-1]
	} else {
		d.open = new(batch)
	}
	d.seq++
	d.open.seq = d.seq
	return d.open
}

// stage records a write of p to a buffer that is in use, through as many chunks
// as it needs.
func (d *device) stage(buf *buffer, off int, p []byte) error {
	const op = "write"
	for len(p) > 0 {
		b := d.recording()
		n := min(len(p), maxChunk)
		c, from := d.place(b, p[:n])
		if c == nil {
			return fail(op, gpu.ErrMemory, "%s: Metal has no %d bytes to stage", buf.label, n)
		}
		b.writes = append(b.writes, C.mtl_copy{
			from: c.buf, from_offset: C.uint64_t(from),
			to: buf.buf, to_offset: C.uint64_t(off), bytes: C.uint64_t(n),
		})
		buf.used = b.seq
		off, p = off+n, p[n:]
		if b.staged >= maxStaged {
			if err := d.commit(b, nil, nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// place copies p, of at most maxChunk bytes, into the batch's staging memory and
// says where it lies.
func (d *device) place(b *batch, p []byte) (*chunk, int) {
	var c *chunk
	if k := len(b.chunks); k > 0 && len(b.chunks[k-1].mem)-b.chunks[k-1].used >= len(p) {
		c = b.chunks[k-1]
	} else {
		if c = d.staging.take(d, len(p)); c == nil {
			return nil, 0
		}
		b.chunks = append(b.chunks, c)
	}
	from := c.used
	copy(c.mem[from:], p)
	c.used = min(from+(len(p)+15)&^15, len(c.mem))
	b.staged += len(p)
	return c, from
}

// commit hands the open batch to the device. After an error it stays open, and
// of the dispatches and reads nothing has run.
func (d *device) commit(b *batch, dispatches []C.mtl_dispatch, reads []C.mtl_copy) error {
	ok := C.mtl_submit(d.queue, C.uint64_t(d.id), C.uint64_t(b.seq),
		unsafe.SliceData(b.writes), C.size_t(len(b.writes)),
		unsafe.SliceData(dispatches), C.size_t(len(dispatches)),
		unsafe.SliceData(reads), C.size_t(len(reads)))
	if !ok {
		return fail("submit", gpu.ErrMemory, "Metal makes no command buffer")
	}
	d.open = nil
	d.inflight = append(d.inflight, b)
	return nil
}

// reap takes back what finished batches used, and notices if one has failed.
func (d *device) reap() {
	if len(d.inflight) == 0 || d.lost != nil {
		return
	}
	d.note()
	k := 0
	for k < len(d.inflight) && d.inflight[k].ended {
		b := d.inflight[k]
		if b.err != nil {
			d.lost = b.err
			break
		}
		d.recycle(b)
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

// note marks the batches whose completion was heard of.
func (d *device) note() {
	d.news = d.completions.take(d.news[:0])
	for _, c := range d.news {
		for _, b := range d.inflight {
			if b.seq == c.seq {
				b.ended, b.err = true, c.err
			}
		}
	}
	clear(d.news)
}

// finish waits, under the lock, for everything that was committed.
func (d *device) finish() {
	for {
		heard := d.completions.count.Load()
		d.note()
		busy := false
		for _, b := range d.inflight {
			busy = busy || !b.ended
		}
		if !busy {
			return
		}
		<-d.completions.after(heard)
	}
}

// recycle makes a finished batch ready for the next recording.
func (d *device) recycle(b *batch) {
	d.done = b.seq
	for _, c := range b.chunks {
		d.staging.put(d, c)
	}
	clear(b.chunks)
	*b = batch{writes: b.writes[:0], chunks: b.chunks[:0]}
	d.idle = append(d.idle, b)
}
