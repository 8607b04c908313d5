package wgpu

import (
	"sync"

	"github.com/gogpu/gputypes"
	"github.com/gogpu/wgpu/hal"

	"github.com/crosspoint-kernels/crosspoint/gpu"
)

// device is a gpu.Device. Its lock is held for every call of hal, which leaves
// part of the locking to its caller and differs by API in which part.
type device struct {
	info     gpu.Info
	limits   gpu.Limits
	maxSize  [3]uint32 // invocations of a group, per dimension
	wipe     bool
	clock    clock
	instance hal.Instance
	dev      hal.Device
	queue    hal.Queue

	mu       sync.Mutex
	closed   bool
	lost     error    // what every call returns from then on
	open     *batch   // takes commands; nil while there are none
	inflight []*batch // submitted, in order
	idle     []*batch
	seq      uint64 // of the newest batch
	done     uint64 // the batches up to this one are
	retired  []retired
	live     map[object]struct{}

	upload, download staging
	zeros            *buffer // zeroSize bytes of zeros, to clear from
	params           *buffer // a slot for each dispatch of a submission
	mark             mark
	scratch          [gpu.MaxDispatches * slotSize]byte
	regions          []hal.BufferCopy // arguments of hal, reused
	barriers         []hal.BufferBarrier
}

// object is what a caller holds and releases.
type object interface {
	destroy()         // tells the driver
	lastUse() uint64  // the newest batch that needs it
	setReleased(bool) // under the device's lock
}

// retired waits for the last batch that uses something.
type retired struct {
	seq uint64
	do  func()
}

func newDevice(a adapter, o Options) (*device, error) {
	opened, err := a.Adapter.Open(0, a.Capabilities.Limits)
	if err != nil {
		return nil, fail("open "+a.info.Name, gpu.ErrNoDevice, "%v", err)
	}
	l := a.Capabilities.Limits
	d := &device{
		info:     a.info,
		limits:   limits(l, a.info.API),
		maxSize:  [3]uint32{l.MaxComputeWorkgroupSizeX, l.MaxComputeWorkgroupSizeY, l.MaxComputeWorkgroupSizeZ},
		wipe:     o.Wipe,
		clock:    systemClock{},
		instance: a.instance,
		dev:      opened.Device,
		queue:    opened.Queue,
		live:     map[object]struct{}{},
		upload: staging{
			label: "upload", usage: gputypes.BufferUsageMapWrite | gputypes.BufferUsageCopySrc,
		},
		download: staging{
			label: "download", usage: gputypes.BufferUsageMapRead | gputypes.BufferUsageCopyDst,
		},
	}
	if err := d.furnish(); err != nil {
		d.instance = nil // the caller's still
		d.Close()
		return nil, err
	}
	return d, nil
}

// furnish makes the buffers that the device itself needs.
func (d *device) furnish() error {
	var err error
	d.zeros, err = d.makeBuffer("zeros", zeroSize, gputypes.BufferUsageCopySrc|gputypes.BufferUsageCopyDst)
	if err != nil {
		return err
	}
	d.params, err = d.makeBuffer("params", len(d.scratch), gputypes.BufferUsageUniform|gputypes.BufferUsageCopyDst)
	if err != nil {
		return err
	}
	if d.info.API == vulkan {
		if d.mark, err = newMark(d); err != nil {
			return allocation("open", err)
		}
	}
	if err := d.write(d.zeros, 0, make([]byte, zeroSize)); err != nil {
		return err
	}
	return d.flush("open") // the batches after it need no barrier to read them
}

// Info describes the adapter.
func (d *device) Info() gpu.Info { return d.info }

// Limits returns those of the adapter, bounded by what this package handles.
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
	d.wipeObject(o)
	d.after(o.lastUse(), o.destroy)
	// A batch that nobody submits would keep the memory for ever.
	if d.open != nil && o.lastUse() == d.open.seq && d.lost == nil {
		_ = d.flush("release") // remembered as d.lost
	}
}

// wipeObject zeroes a buffer that is to be destroyed, where that was asked for.
// There is no error for it to return, so a device that cannot is lost: it says so
// from then on, and Close once more.
func (d *device) wipeObject(o object) {
	if b, ok := o.(*buffer); ok && d.wipe && d.lost == nil {
		if err := d.clear(b); err != nil {
			_ = d.lose("wipe "+b.label, err)
		}
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

// Close waits for the queue and destroys what is left, released or not. The error
// wraps gpu.ErrLost where it could not wait, or not wipe what it was to wipe.
func (d *device) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil
	}
	d.closed = true
	if d.wipe {
		d.wipeLive()
	}
	err := d.dev.WaitIdle()
	if d.lost == nil && err == nil {
		d.reap()
	}
	d.done = d.seq
	if d.open != nil {
		d.open.enc.DiscardEncoding()
		d.inflight = append(d.inflight, d.open)
		d.open = nil
	}
	for _, b := range append(d.inflight, d.idle...) {
		b.enc.Destroy()
	}
	d.inflight, d.idle = nil, nil
	d.retire()
	for o := range d.live {
		o.setReleased(true)
		o.destroy()
	}
	clear(d.live)
	d.upload.destroy(d)
	d.download.destroy(d)
	for _, b := range []*buffer{d.zeros, d.params} {
		if b != nil {
			b.destroy()
		}
	}
	if d.mark.buf != nil {
		d.dev.DestroyBuffer(d.mark.buf)
	}
	d.dev.Destroy()
	if d.instance != nil {
		d.instance.Destroy()
	}
	if err == nil && d.wipe {
		err = d.lost
	}
	if err != nil {
		return fail("close", gpu.ErrLost, "%v", err)
	}
	return nil
}

// wipeLive zeroes the buffers that nobody released.
func (d *device) wipeLive() {
	for o := range d.live {
		d.wipeObject(o)
	}
	if d.lost == nil {
		_ = d.flush("wipe") // remembered as d.lost
	}
}
