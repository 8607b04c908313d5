package wgpu

import (
	"math/bits"
	"unsafe"

	"github.com/gogpu/gputypes"
	"github.com/gogpu/wgpu/hal"
)

const (
	minChunk = 1 << 16 // so that small transfers share one
	maxChunk = 1 << 24 // a larger write is split, so that pools hold few sizes
)

// chunk is host-visible memory through which data crosses. It stays mapped for
// as long as it lives, and is written and read as memory: on Vulkan the queue's
// own WriteBuffer waits first for all that was submitted, so that the host could
// never pack while the device computes.
type chunk struct {
	buf      hal.Buffer
	mem      []byte
	coherent bool // the driver needs no word of what was written
	used     int
}

// staging pools chunks of one direction by their size, a power of two. Chunks
// are kept until the device closes: a pool is as large as what was once in
// flight together.
type staging struct {
	label string
	usage gputypes.BufferUsage
	free  [32][]*chunk // by log2 of the size
	all   []*chunk
}

// sizeClass is the log2 of the chunk size that holds n bytes.
func sizeClass(n int) int {
	return bits.Len(uint(max(n, minChunk) - 1))
}

// take returns a chunk of at least n <= maxBytes bytes.
func (s *staging) take(d *device, n int) (*chunk, error) {
	class := sizeClass(n)
	if k := len(s.free[class]); k > 0 {
		c := s.free[class][k-1]
		s.free[class] = s.free[class][:k-1]
		c.used = 0
		return c, nil
	}
	size := 1 << class
	buf, m, err := d.createMapped(&hal.BufferDescriptor{
		Label:            s.label,
		Size:             uint64(size),
		Usage:            s.usage,
		MappedAtCreation: s.usage&gputypes.BufferUsageMapWrite != 0,
	})
	if err != nil {
		return nil, err
	}
	c := &chunk{buf: buf, mem: unsafe.Slice((*byte)(m.Ptr), size), coherent: m.IsCoherent}
	s.all = append(s.all, c)
	return c, nil
}

// createMapped makes a buffer of host-visible memory and maps all of it.
func (d *device) createMapped(desc *hal.BufferDescriptor) (buf hal.Buffer, m hal.BufferMapping, err error) {
	err = onSteadyStack(func() (err error) {
		buf, err = d.dev.CreateBuffer(desc)
		return err
	})
	if err != nil {
		return nil, m, err
	}
	if m, err = d.dev.MapBuffer(buf, 0, desc.Size); err != nil {
		d.dev.DestroyBuffer(buf)
		return nil, m, err
	}
	return buf, m, nil
}

// put takes a chunk back that no submission uses any more.
func (s *staging) put(d *device, c *chunk) {
	c.wipe(d)
	class := sizeClass(len(c.mem))
	s.free[class] = append(s.free[class], c)
}

func (s *staging) destroy(d *device) {
	for _, c := range s.all {
		c.wipe(d)
		d.dev.DestroyBuffer(c.buf)
	}
	s.all, s.free = nil, [32][]*chunk{}
}

// toDevice makes what the host wrote visible to the device. Only Vulkan has
// memory that needs it, and there this is what unmapping does.
func (c *chunk) toDevice(d *device) error {
	if c.coherent {
		return nil
	}
	return d.dev.UnmapBuffer(c.buf)
}

// toHost makes what the device wrote visible to the host, which for such memory
// is what mapping does.
func (c *chunk) toHost(d *device) error {
	if c.coherent {
		return nil
	}
	_, err := d.dev.MapBuffer(c.buf, 0, uint64(len(c.mem)))
	return err
}

// wipe zeroes what the chunk was used for, where that was asked for. A device
// whose memory keeps it all the same is lost.
func (c *chunk) wipe(d *device) {
	if !d.wipe {
		return
	}
	clear(c.mem[:c.used])
	if err := c.toDevice(d); err != nil && d.lost == nil {
		_ = d.lose("wipe", err)
	}
}
