//go:build (darwin || metalsim) && cgo

package mtl

import (
	"context"

	"github.com/crosspoint-kernels/crosspoint/gpu"
)

// pending is a submission as its caller sees it. It outlives the batch, which is
// recycled when it is done.
type pending struct {
	d        *device
	seq      uint64 // the batch that it waits for
	chunk    *chunk // receives the reads that are not still; nil without any
	views    []view
	room     [2]view // for the usual number of reads
	waited   bool
	released bool
}

// view is a read: where its bytes lie in the buffer, and those of the copy in the
// chunk.
type view struct {
	buf       *buffer
	off, size int
	at        int
	still     bool
}

// maxRead bounds what one submission copies: the largest size of a chunk.
const maxRead = 1 << 30

// newPending checks the reads and takes the memory for them.
func (d *device) newPending(op string, reads []gpu.Range) (*pending, error) {
	p := &pending{d: d}
	p.views = p.room[:0]
	total := 0
	for i, r := range reads {
		buf, ok := r.Buffer.(*buffer)
		if !ok || buf == nil || buf.d != d {
			return nil, fail(op, gpu.ErrArgument, "read %d: the buffer is not of this device", i)
		}
		if err := buf.usable(op); err != nil {
			return nil, err
		}
		if err := gpu.CheckRead(op, i, r, buf.size); err != nil {
			return nil, err
		}
		v := view{buf: buf, off: r.Off, size: r.Size, at: total, still: r.Still}
		if !r.Still {
			if r.Size > maxRead-total {
				return nil, fail(op, gpu.ErrLimit, "reads of more than %d bytes", maxRead)
			}
			total += r.Size
		}
		p.views = append(p.views, v)
	}
	if total > 0 {
		if p.chunk = d.staging.take(d, total); p.chunk == nil {
			return nil, fail(op, gpu.ErrMemory, "Metal has no %d bytes for the reads", total)
		}
		p.chunk.used = total
	}
	for i := range p.views {
		if p.views[i].still {
			p.views[i].buf.views++
		}
	}
	return p, nil
}

// newest is the last batch that any of the buffers read is used by.
func (p *pending) newest() uint64 {
	seq := uint64(0)
	for _, v := range p.views {
		seq = max(seq, v.buf.used)
	}
	return seq
}

// Wait returns when the batch is done, or with the context's error before.
func (p *pending) Wait(ctx context.Context) error {
	var pace pace
	for {
		heard := p.d.completions.count.Load()
		looked, done, err := p.look()
		if done || err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		pace.pause(ctx, &p.d.completions, heard, looked)
	}
}

// look says whether the batch is done. It does not wait for the lock, which a
// long write, say, would keep from us beyond the end of the context.
func (p *pending) look() (looked, done bool, err error) {
	const op = "wait"
	d := p.d
	if !d.mu.TryLock() {
		return false, false, nil
	}
	defer d.mu.Unlock()
	if p.released {
		return true, false, fail(op, gpu.ErrReleased, "the submission")
	}
	if p.waited {
		return true, true, nil
	}
	if p.seq > d.done {
		d.reap()
	}
	if err := d.usable(op); err != nil {
		return true, false, err
	}
	p.waited = p.seq <= d.done
	return true, p.waited, nil
}

// View returns the bytes of a read, and nil where there are none to return.
func (p *pending) View(i int) []byte {
	p.d.mu.Lock()
	defer p.d.mu.Unlock()
	if !p.waited || p.released || p.d.closed || i < 0 || i >= len(p.views) {
		return nil
	}
	switch v := p.views[i]; {
	case v.size == 0:
		return []byte{}
	case v.still:
		return v.buf.mem[v.off : v.off+v.size : v.off+v.size]
	default:
		return p.chunk.mem[v.at : v.at+v.size : v.at+v.size]
	}
}

// Release gives the memory of the reads back.
func (p *pending) Release() {
	p.d.mu.Lock()
	defer p.d.mu.Unlock()
	p.drop()
}

// drop is Release under the device's lock.
func (p *pending) drop() {
	if p.released {
		return
	}
	p.released = true
	d := p.d
	if d.closed {
		return
	}
	for _, v := range p.views {
		if !v.still {
			continue
		}
		v.buf.views--
		if _, waits := d.viewed[v.buf]; waits && v.buf.views == 0 {
			v.buf.destroy()
		}
	}
	if c := p.chunk; c != nil {
		p.chunk = nil
		d.after(p.seq, func() { d.staging.put(d, c) })
	}
}
