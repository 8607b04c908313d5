//go:build (darwin || metalsim) && cgo

package mtl

import (
	"math/bits"
	"unsafe"
)

const (
	minChunk = 1 << 16 // so that small transfers share one
	maxChunk = 1 << 24 // a larger write is split, so that the pool holds few sizes
)

// chunk is a buffer through which data crosses that has to wait for its turn, or
// of which a copy is kept.
type chunk struct {
	buf  unsafe.Pointer
	mem  []byte
	used int
}

// staging pools chunks by their size, a power of two. They are kept until the
// device closes: the pool is as large as what was once in flight together.
type staging struct {
	free [32][]*chunk // by log2 of the size
	all  []*chunk
}

// sizeClass is the log2 of the chunk size that holds n bytes.
func sizeClass(n int) int {
	return bits.Len(uint(max(n, minChunk) - 1))
}

// take returns a chunk of at least n <= maxRead bytes, or nil where there is no
// memory for it.
func (s *staging) take(d *device, n int) *chunk {
	class := sizeClass(n)
	if k := len(s.free[class]); k > 0 {
		c := s.free[class][k-1]
		s.free[class] = s.free[class][:k-1]
		c.used = 0
		return c
	}
	buf, mem := d.shared(1 << class)
	if buf == nil {
		return nil
	}
	c := &chunk{buf: buf, mem: mem}
	s.all = append(s.all, c)
	return c
}

// put takes a chunk back that no batch uses any more.
func (s *staging) put(d *device, c *chunk) {
	if d.wipe {
		clear(c.mem[:c.used])
	}
	class := sizeClass(len(c.mem))
	s.free[class] = append(s.free[class], c)
}

func (s *staging) destroy(d *device) {
	for _, c := range s.all {
		d.giveBack(c.buf, c.mem, c.used)
	}
	*s = staging{}
}
