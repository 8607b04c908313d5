//go:build (darwin || metalsim) && cgo

package mtl

// #include <stdlib.h>
// #include "bridge.h"
import "C"

import (
	"slices"
	"unsafe"

	"github.com/crosspoint-kernels/crosspoint/gpu"
)

// kernel is a compiled entry point.
type kernel struct {
	d        *device
	name     string
	access   []gpu.Access
	c        *C.mtl_kernel // what the bridge reads, in C's memory
	used     uint64
	released bool
}

func (k *kernel) lastUse() uint64    { return k.used }
func (k *kernel) setReleased(r bool) { k.released = r }

func (k *kernel) destroy() {
	C.mtl_release(k.c.pipeline)
	C.free(k.c.constants)
	C.free(unsafe.Pointer(k.c))
}

// Release frees the kernel when the last batch that runs it is done.
func (k *kernel) Release() { k.d.release(k) }

// NewKernel compiles MSL, or looks an entry up in a library.
func (d *device) NewKernel(src gpu.Source) (gpu.Kernel, error) {
	op := "compile " + src.Name
	if err := gpu.CheckSource(op, src, d.limits); err != nil {
		return nil, err
	}
	for i, n := range src.GroupSize {
		if n > d.sizes[i] {
			return nil, fail(op, gpu.ErrLimit, "group size %v; the device takes %v", src.GroupSize, d.sizes)
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.usable(op); err != nil {
		return nil, err
	}
	library, err := d.library(op, src)
	if err != nil {
		return nil, err
	}
	pipeline, err := d.pipeline(op, library, src)
	if err != nil {
		return nil, err
	}
	k := &kernel{d: d, name: src.Name, access: slices.Clone(src.Access)}
	k.c = (*C.mtl_kernel)(C.malloc(C.sizeof_mtl_kernel))
	*k.c = C.mtl_kernel{
		pipeline: pipeline, buffers: C.uint32_t(len(src.Access)), group_memory: C.uint32_t(src.GroupMemory),
	}
	if n := len(src.Constants); n > 0 {
		k.c.constants, k.c.constant_bytes = C.CBytes(src.Constants), C.uint32_t(n)
	}
	for i, n := range src.GroupSize {
		k.c.group_threads[i] = C.uint32_t(n)
	}
	d.live[k] = struct{}{}
	return k, nil
}

// pipeline compiles the entry and checks that the device can run groups of the
// size that the source says: the limit depends on the registers that it takes.
func (d *device) pipeline(op string, library unsafe.Pointer, src gpu.Source) (unsafe.Pointer, error) {
	entry := C.CString(src.Entry)
	defer C.free(unsafe.Pointer(entry))
	var threads, memory C.size_t
	var why *C.char
	p := C.mtl_pipeline(d.dev, library, entry, &threads, &memory, &why)
	if p == nil {
		return nil, fail(op, gpu.ErrCompile, "entry %q: %s", src.Entry, goString(why))
	}
	size := src.GroupSize[0] * src.GroupSize[1] * src.GroupSize[2] // no more than MaxGroupSize
	if C.size_t(size) > threads {
		C.mtl_release(p)
		return nil, fail(op, gpu.ErrLimit, "entry %q: groups of %v; this program's have at most %d threads here",
			src.Entry, src.GroupSize, threads)
	}
	if int(memory)+src.GroupMemory > d.limits.MaxGroupMemory {
		C.mtl_release(p)
		return nil, fail(op, gpu.ErrLimit, "entry %q: %d and %d bytes of group memory; the device has %d",
			src.Entry, memory, src.GroupMemory, d.limits.MaxGroupMemory)
	}
	return p, nil
}
