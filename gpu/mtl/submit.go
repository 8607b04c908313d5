//go:build (darwin || metalsim) && cgo

package mtl

// #include "bridge.h"
import "C"

import "github.com/crosspoint-kernels/crosspoint/gpu"

// The bridge knows as many parameters as package gpu.
var _ [gpu.ParamWords]C.uint32_t = C.mtl_dispatch{}.params

// Submit queues work behind what was submitted and written before.
func (d *device) Submit(w gpu.Work) (gpu.Pending, error) {
	const op = "submit"
	d.mu.Lock()
	defer d.mu.Unlock()
	d.makeRoom()
	if err := d.usable(op); err != nil {
		return nil, err
	}
	if err := d.checkDispatches(op, w.Dispatches); err != nil {
		return nil, err
	}
	p, err := d.newPending(op, w.Reads)
	if err != nil {
		return nil, err
	}
	if err := d.record(w, p); err != nil {
		p.drop()
		return nil, err
	}
	return p, nil
}

// makeRoom waits until the queue takes a command buffer without blocking. The
// lock is given away meanwhile.
func (d *device) makeRoom() {
	for !d.closed && d.lost == nil && len(d.inflight) >= maxInFlight {
		heard := d.completions.count.Load()
		if d.reap(); len(d.inflight) < maxInFlight {
			return
		}
		d.mu.Unlock()
		<-d.completions.after(heard)
		d.mu.Lock()
	}
}

func (d *device) checkDispatches(op string, dispatches []gpu.Dispatch) error {
	if len(dispatches) > gpu.MaxDispatches {
		return fail(op, gpu.ErrLimit, "%d dispatches; a submission takes %d", len(dispatches), gpu.MaxDispatches)
	}
	for i := range dispatches {
		dispatch := &dispatches[i]
		b, ok := dispatch.Binding.(*binding)
		if !ok || b == nil || b.d != d {
			return fail(op, gpu.ErrArgument, "dispatch %d: the binding is not of this device", i)
		}
		if err := b.usable(op); err != nil {
			return err
		}
		if err := gpu.CheckGroups(op, b.kernel.name, dispatch.Groups, d.limits); err != nil {
			return err
		}
	}
	return nil
}

// record commits the work with the writes that were staged before it. Without
// anything for the device to do it is done when what its reads look at is.
func (d *device) record(w gpu.Work, p *pending) error {
	if len(w.Dispatches) == 0 && p.chunk == nil && d.open == nil {
		p.seq = d.seq
		if len(w.Reads) > 0 {
			p.seq = p.newest()
		}
		return nil
	}
	b := d.recording()
	for i := range w.Dispatches {
		dispatch := &w.Dispatches[i]
		bind := dispatch.Binding.(*binding)
		bind.used, bind.kernel.used = b.seq, b.seq
		for _, buf := range bind.buffers {
			buf.used = b.seq
		}
		c := &d.dispatches[i]
		c.binding = bind.c
		for j, word := range dispatch.Params {
			c.params[j] = C.uint32_t(word)
		}
		for j, n := range dispatch.Groups {
			c.groups[j] = C.uint32_t(n)
		}
	}
	d.reads = d.reads[:0]
	for i := range p.views {
		v := &p.views[i]
		v.buf.used = b.seq
		if v.still || v.size == 0 {
			continue
		}
		d.reads = append(d.reads, C.mtl_copy{
			from: v.buf.buf, from_offset: C.uint64_t(v.off),
			to: p.chunk.buf, to_offset: C.uint64_t(v.at), bytes: C.uint64_t(v.size),
		})
	}
	p.seq = b.seq
	return d.commit(b, d.dispatches[:len(w.Dispatches)], d.reads)
}
