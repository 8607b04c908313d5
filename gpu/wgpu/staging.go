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

// chunk is host-visible memory through which data crosses.
type chunk struct {
	buf  hal.Buffer
	size int
	used int
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
	buf, err := d.dev.CreateBuffer(&hal.BufferDescriptor{
		Label:            s.label,
		Size:             uint64(size),
		Usage:            s.usage,
		MappedAtCreation: s.usage&gputypes.BufferUsageMapWrite != 0,
	})
	if err != nil {
		return nil, err
	}
	c := &chunk{buf: buf, size: size}
	s.all = append(s.all, c)
	return c, nil
}

// put takes a chunk back that no submission uses any more.
func (s *staging) put(d *device, c *chunk) {
	if d.wipe {
		s.wipe(d, c)
	}
	class := sizeClass(c.size)
	s.free[class] = append(s.free[class], c)
}

// wipe zeroes what a chunk was used for.
func (s *staging) wipe(d *device, c *chunk) {
	if mem, err := d.mapped(c, c.used); err == nil {
		clear(mem)
	}
	c.used = 0
}

func (s *staging) destroy(d *device) {
	for _, c := range s.all {
		if d.wipe {
			s.wipe(d, c)
		}
		d.dev.DestroyBuffer(c.buf)
	}
	s.all, s.free = nil, [32][]*chunk{}
}

// mapped returns the first n bytes of a chunk. All chunks stay mapped for as
// long as they live; asking again makes what the device wrote visible.
func (d *device) mapped(c *chunk, n int) ([]byte, error) {
	if n == 0 {
		return nil, nil
	}
	m, err := d.dev.MapBuffer(c.buf, 0, uint64(n))
	if err != nil {
		return nil, err
	}
	return unsafe.Slice((*byte)(m.Ptr), n), nil
}
