package wgpu

import (
	"github.com/gogpu/gputypes"
	"github.com/gogpu/wgpu/hal"

	"github.com/crosspoint-kernels/crosspoint/gpu"
)

// zeroSize is how much one copy clears.
const zeroSize = 1 << 20

// buffer is device memory of its own.
type buffer struct {
	d        *device
	label    string
	buf      hal.Buffer
	size     int
	used     uint64 // the newest batch that needs it
	dirty    uint64 // the batch whose copies to it await a barrier
	released bool
}

func (b *buffer) destroy()           { b.d.dev.DestroyBuffer(b.buf) }
func (b *buffer) lastUse() uint64    { return b.used }
func (b *buffer) setReleased(r bool) { b.released = r }

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
	b, err := d.makeBuffer(label, size,
		gputypes.BufferUsageStorage|gputypes.BufferUsageCopySrc|gputypes.BufferUsageCopyDst)
	if err != nil {
		return nil, err
	}
	d.live[b] = struct{}{}
	if err := d.clear(b); err != nil {
		delete(d.live, b)
		b.destroy()
		return nil, err
	}
	return b, nil
}

func (d *device) makeBuffer(label string, size int, usage gputypes.BufferUsage) (*buffer, error) {
	buf, err := d.dev.CreateBuffer(&hal.BufferDescriptor{Label: label, Size: uint64(size), Usage: usage})
	if err != nil {
		return nil, allocation("new buffer "+label, err)
	}
	return &buffer{d: d, label: label, buf: buf, size: size}, nil
}

// Size returns the number of bytes.
func (b *buffer) Size() int { return b.size }

// Write copies p to the buffer, in the order of the queue. After an error the
// part that it was to write holds anything.
func (b *buffer) Write(off int, p []byte) error {
	const op = "write"
	if err := gpu.CheckWrite(op, b.label, off, len(p), b.size); err != nil {
		return err
	}
	b.d.mu.Lock()
	defer b.d.mu.Unlock()
	if err := b.usable(op); err != nil {
		return err
	}
	return b.d.write(b, off, p)
}

// Clear zeroes the buffer, in the order of the queue.
func (b *buffer) Clear() error {
	b.d.mu.Lock()
	defer b.d.mu.Unlock()
	if err := b.usable("clear"); err != nil {
		return err
	}
	return b.d.clear(b)
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

// write records a write, through as many chunks as it needs.
func (d *device) write(buf *buffer, off int, p []byte) error {
	for len(p) > 0 {
		n := min(len(p), maxChunk)
		b, err := d.recording()
		if err != nil {
			return allocation("write", err)
		}
		c, from, err := d.stage(b, p[:n])
		if err != nil {
			return allocation("write", err)
		}
		d.regions = append(d.regions[:0], region(from, off, n))
		d.copyIn(b, c.buf, buf)
		off, p = off+n, p[n:]
		if b.staged >= maxStaged {
			if err := d.flush("write"); err != nil {
				return err
			}
		}
	}
	return nil
}

// clear records zeros over buf. It copies them: hal's own clearing
// does nothing on DX12.
func (d *device) clear(buf *buffer) error {
	b, err := d.recording()
	if err != nil {
		return allocation("clear", err)
	}
	d.regions = d.regions[:0]
	for off := 0; off < buf.size; off += zeroSize {
		d.regions = append(d.regions, region(0, off, min(zeroSize, buf.size-off)))
	}
	d.copyIn(b, d.zeros.buf, buf)
	return nil
}

func region(from, to, n int) hal.BufferCopy {
	return hal.BufferCopy{SrcOffset: uint64(from), DstOffset: uint64(to), Size: uint64(n)}
}
