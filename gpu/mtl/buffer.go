//go:build (darwin || metalsim) && cgo

package mtl

// #include "bridge.h"
import "C"

import (
	"unsafe"

	"github.com/crosspoint-kernels/crosspoint/gpu"
)

// buffer is memory that host and device share.
type buffer struct {
	d        *device
	label    string
	buf      unsafe.Pointer
	size     int
	mem      []byte // nil once it was destroyed
	used     uint64 // the newest batch that needs it
	views    int    // still reads that were not released
	released bool
}

func (b *buffer) lastUse() uint64    { return b.used }
func (b *buffer) setReleased(r bool) { b.released = r }

// destroy frees the memory, or leaves that to the last who looks at it.
func (b *buffer) destroy() {
	if b.views > 0 && !b.d.closed {
		b.d.viewed[b] = struct{}{}
		return
	}
	delete(b.d.viewed, b)
	b.d.giveBack(b.buf, b.mem, len(b.mem))
	b.mem = nil
}

// giveBack releases memory of which the first bytes were used.
func (d *device) giveBack(buf unsafe.Pointer, mem []byte, used int) {
	if d.wipe {
		clear(mem[:used])
	}
	if d.freeing != nil {
		d.freeing(mem)
	}
	C.mtl_release(buf)
}

// NewBuffer returns size bytes of zeros.
func (d *device) NewBuffer(label string, size int) (gpu.Buffer, error) {
	const op = "new buffer"
	if err := gpu.CheckSize(op, label, size, d.limits); err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.usable(op); err != nil {
		return nil, err
	}
	d.reap() // what was released may be free by now
	buf, mem := d.shared(size)
	if buf == nil {
		return nil, fail(op, gpu.ErrMemory, "%s: Metal has no %d bytes", label, size)
	}
	b := &buffer{d: d, label: label, buf: buf, size: size, mem: mem}
	d.live[b] = struct{}{}
	return b, nil
}

// shared makes a buffer of Metal's, of zeros, and returns its memory.
func (d *device) shared(size int) (unsafe.Pointer, []byte) {
	var contents unsafe.Pointer
	buf := C.mtl_buffer(d.dev, C.size_t(size), &contents)
	if buf == nil {
		return nil, nil
	}
	return buf, unsafe.Slice((*byte)(contents), size)
}

// Size returns the number of bytes.
func (b *buffer) Size() int { return b.size }

// Write copies p to the buffer, in the order of the queue.
func (b *buffer) Write(off int, p []byte) error {
	const op = "write"
	if err := gpu.CheckWrite(op, b.label, off, len(p), b.size); err != nil {
		return err
	}
	b.d.mu.Lock()
	defer b.d.mu.Unlock()
	idle, err := b.idle(op)
	switch {
	case err != nil:
		return err
	case idle:
		copy(b.mem[off:], p)
		return nil
	}
	return b.d.stage(b, off, p)
}

// Clear zeroes the buffer, in the order of the queue.
func (b *buffer) Clear() error {
	const op = "clear"
	b.d.mu.Lock()
	defer b.d.mu.Unlock()
	idle, err := b.idle(op)
	switch {
	case err != nil:
		return err
	case idle:
		clear(b.mem)
		return nil
	}
	x := b.d.recording()
	x.writes = append(x.writes, C.mtl_copy{to: b.buf, bytes: C.uint64_t(b.size)})
	b.used = x.seq
	return nil
}

// idle reports whether neither the device nor a write that was staged has to do
// with the buffer any more, so that the host may write it.
func (b *buffer) idle(op string) (bool, error) {
	if b.used > b.d.done {
		b.d.reap()
	}
	if err := b.usable(op); err != nil {
		return false, err
	}
	return b.used <= b.d.done, nil
}

// Release frees the memory when the last batch that uses it is done.
func (b *buffer) Release() { b.d.release(b) }

func (b *buffer) usable(op string) error {
	if err := b.d.usable(op); err != nil {
		return err
	}
	if b.released {
		return fail(op, gpu.ErrReleased, "buffer %s", b.label)
	}
	return nil
}
