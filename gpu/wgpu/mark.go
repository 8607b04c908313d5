package wgpu

import (
	"encoding/binary"
	"sync/atomic"
	"unsafe"

	"github.com/gogpu/gputypes"
	"github.com/gogpu/wgpu/hal"
)

// mark is a word of host memory into which the queue copies the number of each
// batch, low 32 bits, as the batch's last command. Reading it says cheaply that
// a batch is as good as done; only the driver's own answer counts as done.
//
// It is there for Vulkan, where each question to the driver allocates: a Wait may
// look as often as it likes. Without one, as on the other APIs, it asks the driver
// instead, as often, and so is no later.
type mark struct {
	buf  hal.Buffer
	word *uint32
}

// newMark makes the mark of a device. There is none where the host might not see
// it: in memory that is not coherent. To be written by the host as well is what
// makes hal prefer memory that is.
func newMark(d *device) (mark, error) {
	buf, m, err := d.createMapped(&hal.BufferDescriptor{
		Label: "mark", Size: 8,
		Usage: gputypes.BufferUsageMapRead | gputypes.BufferUsageMapWrite | gputypes.BufferUsageCopyDst,
	})
	if err != nil {
		return mark{}, err
	}
	if !m.IsCoherent {
		d.dev.DestroyBuffer(buf)
		return mark{}, nil
	}
	*(*uint64)(m.Ptr) = 0
	return mark{buf: buf, word: (*uint32)(unsafe.Pointer(m.Ptr))}, nil
}

// reached reports whether the queue has come to the end of batch seq.
func (m mark) reached(seq uint64) bool {
	return m.word != nil && int32(atomic.LoadUint32(m.word)-uint32(seq)) >= 0
}

// leaveMark records that the queue has come to the end of b.
func (d *device) leaveMark(b *batch) error {
	if d.mark.buf == nil {
		return nil
	}
	binary.LittleEndian.PutUint32(d.scratch[:], uint32(b.seq))
	c, from, err := d.stage(b, d.scratch[:4])
	if err != nil {
		return err
	}
	d.regions = append(d.regions[:0], region(from, 0, 4))
	b.enc.CopyBufferToBuffer(c.buf, d.mark.buf, d.regions)
	return nil
}
