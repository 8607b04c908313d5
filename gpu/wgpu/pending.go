package wgpu

import (
	"context"

	"github.com/crosspoint-kernels/crosspoint/gpu"
)

// pending is a submitted batch as its caller sees it. It outlives the batch,
// which is recycled when it is done.
type pending struct {
	d        *device
	seq      uint64 // of the batch
	chunk    *chunk // receives the reads; nil without any
	views    []view
	room     [2]view // for the usual number of reads
	mem      []byte  // the chunk's, after a Wait
	waited   bool
	released bool
}

// view is where a read lies in the chunk.
type view struct{ off, size int }

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
		if r.Size > maxRead-total {
			return nil, fail(op, gpu.ErrLimit, "reads of more than %d bytes", maxRead)
		}
		p.views = append(p.views, view{total, r.Size})
		total += r.Size
	}
	if total == 0 {
		return p, nil
	}
	var err error
	if p.chunk, err = d.download.take(d, total); err != nil {
		return nil, allocation(op, err)
	}
	p.chunk.used = total
	return p, nil
}

// maxRead bounds what one submission reads: the largest size of a chunk.
const maxRead = 1 << 30

// Wait returns when the batch is done, or with the context's error before.
func (p *pending) Wait(ctx context.Context) error {
	pace := pace{clock: p.d.clock, marked: p.d.mark.buf != nil}
	for {
		done, err := p.poll(&pace)
		if done || err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if pace.doubt() {
			go p.d.probe()
		}
		pace.pause()
	}
}

// poll says whether the batch is done, and maps what it read when it is. It
// asks the driver where the mark promises that it is worth it or it is time to.
func (p *pending) poll(pace *pace) (bool, error) {
	const op = "wait"
	d := p.d
	if !d.mu.TryLock() {
		return false, nil // a long write, say, must not keep us from the context
	}
	defer d.mu.Unlock()
	if p.released {
		return false, fail(op, gpu.ErrReleased, "the submission")
	}
	if p.waited {
		return true, nil
	}
	if err := d.usable(op); err != nil {
		return false, err
	}
	if p.seq > d.done && (d.mark.reached(p.seq) || pace.ask()) {
		d.reap()
	}
	if p.seq > d.done {
		return false, nil
	}
	if p.chunk != nil {
		if err := p.chunk.toHost(d); err != nil {
			return false, d.lose(op, err)
		}
		p.mem = p.chunk.mem
	}
	p.waited = true
	return true, nil
}

// View returns the bytes of a read, and nil where there are none to return.
func (p *pending) View(i int) []byte {
	p.d.mu.Lock()
	defer p.d.mu.Unlock()
	if !p.waited || p.released || p.d.closed || i < 0 || i >= len(p.views) {
		return nil
	}
	v := p.views[i]
	if v.size == 0 {
		return []byte{}
	}
	return p.mem[v.off : v.off+v.size : v.off+v.size]
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
	p.mem = nil
	if p.chunk == nil || p.d.closed {
		return
	}
	d, c := p.d, p.chunk
	p.chunk = nil
	d.after(p.seq, func() { d.download.put(d, c) })
}
