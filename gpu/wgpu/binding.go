package wgpu

import (
	"github.com/gogpu/gputypes"
	"github.com/gogpu/wgpu/hal"

	"github.com/crosspoint-kernels/crosspoint/gpu"
)

const (
	paramBytes = 4 * gpu.ParamWords
	slotSize   = 256 // WebGPU's alignment of a uniform's offset, on every device enough
)

// binding is a kernel with its buffers. It has a bind group for each slot of
// the parameters that it was ever dispatched with, made at the first time.
type binding struct {
	d        *device
	kernel   *kernel
	buffers  []*buffer
	groups   [gpu.MaxDispatches]hal.BindGroup
	used     uint64
	released bool
}

func (b *binding) lastUse() uint64    { return b.used }
func (b *binding) setReleased(r bool) { b.released = r }

func (b *binding) destroy() {
	for _, g := range b.groups {
		if g != nil {
			b.d.dev.DestroyBindGroup(g)
		}
	}
}

// Release frees the binding when the last batch that uses it is done.
func (b *binding) Release() { b.d.release(b) }

// Bind ties a kernel to buffers.
func (d *device) Bind(k gpu.Kernel, buffers ...gpu.Buffer) (gpu.Binding, error) {
	const op = "bind"
	kern, ok := k.(*kernel)
	if !ok || kern == nil || kern.d != d {
		return nil, fail(op, gpu.ErrArgument, "the kernel is not of this device")
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.usable(op); err != nil {
		return nil, err
	}
	b := &binding{d: d, kernel: kern}
	for i, x := range buffers {
		buf, ok := x.(*buffer)
		if !ok || buf == nil || buf.d != d {
			return nil, fail(op, gpu.ErrArgument, "%s: buffer %d is not of this device", kern.name, i)
		}
		b.buffers = append(b.buffers, buf)
	}
	if err := gpu.CheckBuffers(op, kern.name, kern.access, buffers); err != nil {
		return nil, err
	}
	if err := b.usable(op); err != nil {
		return nil, err
	}
	if _, err := b.group(0); err != nil { // so that most failures come here
		return nil, allocation(op, err)
	}
	d.live[b] = struct{}{}
	return b, nil
}

// usable returns the error for a binding of which a part was released.
func (b *binding) usable(op string) error {
	if b.released {
		return fail(op, gpu.ErrReleased, "a binding of %s", b.kernel.name)
	}
	if b.kernel.released {
		return fail(op, gpu.ErrReleased, "kernel %s", b.kernel.name)
	}
	for _, buf := range b.buffers {
		if buf.released {
			return fail(op, gpu.ErrReleased, "buffer %s", buf.label)
		}
	}
	return nil
}

// group returns the bind group that reads its parameters from a slot.
func (b *binding) group(slot int) (hal.BindGroup, error) {
	if b.groups[slot] != nil {
		return b.groups[slot], nil
	}
	var entries []gputypes.BindGroupEntry
	add := func(buf *buffer, off, size int) {
		entries = append(entries, gputypes.BindGroupEntry{
			Binding: uint32(len(entries)),
			Resource: gputypes.BufferBinding{
				Buffer: buf.buf.NativeHandle(), Offset: uint64(off), Size: uint64(size),
			},
		})
	}
	for _, buf := range b.buffers {
		add(buf, 0, buf.size)
	}
	add(b.d.params, slot*slotSize, paramBytes)
	g, err := b.d.dev.CreateBindGroup(&hal.BindGroupDescriptor{
		Label: b.kernel.name, Layout: b.kernel.layout, Entries: entries,
	})
	if err != nil {
		return nil, err
	}
	b.groups[slot] = g
	return g, nil
}
