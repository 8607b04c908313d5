//go:build (darwin || metalsim) && cgo

package mtl

// #include "bridge.h"
import "C"

import (
	"path/filepath"
	"sync"
	"unsafe"

	"github.com/crosspoint-kernels/crosspoint/gpu"
)

const (
	// maxBytes keeps every size and offset within an int32.
	maxBytes = 1<<31 - 4

	// maxGroups is far below Metal's own limit: kernels are run with grids of this
	// width on every API.
	maxGroups = 65535

	// maxInFlight bounds the command buffers that were committed and are not done.
	// The queue is made for as many, since Metal would block the thread of one more.
	maxInFlight = 64
)

// device is a gpu.Device. Its lock is held while Metal is called, but not while
// anybody waits for it.
type device struct {
	id     uint64 // of the registry
	info   gpu.Info
	limits gpu.Limits
	sizes  [3]uint32 // threads of a group, per dimension
	wipe   bool

	freeing func([]byte) // shown memory before it goes back to Metal, by a test

	dev, queue unsafe.Pointer
	fixed      unsafe.Pointer // the library that all kernels come from, or nil

	completions completions

	mu       sync.Mutex
	closed   bool
	lost     error    // what every call returns from then on
	open     *batch   // takes writes; nil while there are none
	inflight []*batch // committed, in order
	idle     []*batch
	seq      uint64 // of the newest batch
	done     uint64 // the batches up to this one are
	retired  []retired
	live     map[object]struct{}
	viewed   map[*buffer]struct{}      // released while somebody looks at them
	texts    map[string]unsafe.Pointer // libraries by what they were made of
	staging  staging

	// Arguments of the bridge, reused. They are objects of their own, because what C
	// is shown must not hold pointers of Go's.
	dispatches []C.mtl_dispatch
	reads      []C.mtl_copy
	news       []completion
}

// object is what a caller holds and releases.
type object interface {
	destroy()
	lastUse() uint64  // the newest batch that needs it
	setReleased(bool) // under the device's lock
}

// retired waits for the last batch that uses something.
type retired struct {
	seq uint64
	do  func()
}

// newDevice makes a device of Metal's, which it owns from then on.
func newDevice(dev unsafe.Pointer, name string, o Options) (*device, error) {
	l := C.mtl_device_limits(dev)
	d := &device{
		info: gpu.Info{Name: name, API: "Metal", Driver: driver(o), Software: simulated},
		limits: gpu.Limits{
			MaxBufferSize:  int(min(uint64(l.buffer_length), maxBytes)) &^ 3,
			MaxGroups:      maxGroups,
			MaxGroupSize:   uint32(l.group_threads[0]),
			MaxGroupMemory: int(l.group_memory) &^ 15,
			MaxBindings:    C.MTL_MAX_BUFFERS,
		},
		dev:    dev,
		wipe:   o.Wipe,
		live:   map[object]struct{}{},
		viewed: map[*buffer]struct{}{},
		texts:  map[string]unsafe.Pointer{},

		dispatches: make([]C.mtl_dispatch, gpu.MaxDispatches),
	}
	for i, n := range l.group_threads {
		d.sizes[i] = uint32(n)
	}
	register(d)
	if d.queue = C.mtl_queue(dev, maxInFlight); d.queue == nil {
		_ = d.Close() // the first error is the one that matters
		return nil, fail("open "+name, gpu.ErrMemory, "Metal makes no command queue")
	}
	var err error
	if d.fixed, err = d.fixedLibrary(o); err != nil {
		_ = d.Close()
		return nil, err
	}
	return d, nil
}

// driver names the system, whose version is that of Metal, and the origin of the
// kernels.
func driver(o Options) string {
	switch {
	case o.Library != "":
		return system() + ", kernels of " + filepath.Base(o.Library)
	case len(o.Binary) > 0:
		return system() + ", kernels of the embedded metallib"
	}
	return system() + ", kernels compiled from source"
}

// Info describes the device.
func (d *device) Info() gpu.Info { return d.info }

// Limits returns those of the device, bounded by what this package handles.
func (d *device) Limits() gpu.Limits { return d.limits }

// usable returns the error for a device that is closed or lost.
func (d *device) usable(op string) error {
	if d.closed {
		return fail(op, gpu.ErrReleased, "the device is closed")
	}
	return d.lost
}

// release lets go of o, now or once the batches that use it are done.
func (d *device) release(o object) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, ok := d.live[o]; !ok {
		return // released before, or by Close
	}
	delete(d.live, o)
	o.setReleased(true)
	d.after(o.lastUse(), o.destroy)
	// A batch that nobody submits would keep the memory for ever.
	if d.open != nil && o.lastUse() == d.open.seq && d.lost == nil {
		_ = d.commit(d.open, nil, nil) // kept as d.lost, or in d.open for another time
	}
}

// after runs do when batch seq is done, at once where it is. Of a lost device
// nothing more is known, so it waits for Close.
func (d *device) after(seq uint64, do func()) {
	if seq <= d.done && d.lost == nil {
		do()
		return
	}
	d.retired = append(d.retired, retired{seq, do})
}

// retire runs what waited for batches that are done now.
func (d *device) retire() {
	keep := d.retired[:0]
	for _, r := range d.retired {
		if r.seq <= d.done {
			r.do()
		} else {
			keep = append(keep, r)
		}
	}
	clear(d.retired[len(keep):])
	d.retired = keep
}

// Close waits for what was submitted and releases everything, also of a device
// that is lost: Metal ends every command buffer that was committed, if with an
// error. Memory that is to be wiped is, since the host shares all of it.
func (d *device) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil
	}
	d.closed = true
	d.finish()
	unregister(d)
	d.done = d.seq
	d.retire()
	for o := range d.live {
		o.setReleased(true)
		o.destroy()
	}
	clear(d.live)
	for b := range d.viewed {
		b.destroy()
	}
	d.staging.destroy(d)
	for _, library := range d.texts {
		C.mtl_release(library)
	}
	for _, x := range []unsafe.Pointer{d.fixed, d.queue, d.dev} {
		if x != nil {
			C.mtl_release(x)
		}
	}
	d.texts, d.fixed, d.queue, d.dev = nil, nil, nil, nil
	d.open, d.idle = nil, nil
	return nil
}
