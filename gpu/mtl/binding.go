//go:build (darwin || metalsim) && cgo

package mtl

// #include <stdlib.h>
// #include "bridge.h"
import "C"

import (
	"unsafe"

	"github.com/crosspoint-kernels/crosspoint/gpu"
)

// binding is a kernel with its buffers.
type binding struct {
	d        *device
	kernel   *kernel
	buffers  []*buffer
	c        *C.mtl_binding // what the bridge reads, in C's memory
	used     uint64
	released bool
}

func (b *binding) lastUse() uint64    { return b.used }
func (b *binding) setReleased(r bool) { b.released = r }
func (b *binding) destroy()           { C.free(unsafe.Pointer(b.c)) }

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
	b.c = (*C.mtl_binding)(C.malloc(C.sizeof_mtl_binding))
	*b.c = C.mtl_binding{kernel: kern.c}
	for i, buf := range b.buffers {
		b.c.buffers[i] = buf.buf
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
