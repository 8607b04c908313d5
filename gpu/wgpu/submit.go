package wgpu

import (
	"encoding/binary"

	"github.com/gogpu/gputypes"
	"github.com/gogpu/wgpu/hal"

	"github.com/crosspoint-kernels/crosspoint/gpu"
)

// Submit queues work behind what was submitted and written before.
func (d *device) Submit(w gpu.Work) (gpu.Pending, error) {
	const op = "submit"
	d.mu.Lock()
	defer d.mu.Unlock()
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
	// From here on nothing is left to fail but the driver.
	if err := d.record(w, p); err != nil {
		p.drop()
		return nil, err
	}
	return p, nil
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
		if _, err := b.group(i); err != nil {
			return allocation(op, err)
		}
	}
	return nil
}

// record puts work at the end of the open batch and submits that.
func (d *device) record(w gpu.Work, p *pending) error {
	b, err := d.recording()
	if err != nil {
		return allocation("submit", err)
	}
	if len(w.Dispatches) > 0 {
		if err := d.stageParams(b, w.Dispatches); err != nil {
			return allocation("submit", err)
		}
		d.settle(b, gputypes.BufferUsageStorage)
		d.dispatch(b, w.Dispatches)
	} else if len(w.Reads) > 0 {
		d.settle(b, gputypes.BufferUsageCopySrc)
	}
	for i, r := range w.Reads {
		buf := r.Buffer.(*buffer)
		buf.used = b.seq
		if r.Size > 0 {
			d.regions = append(d.regions[:0], region(r.Off, p.views[i].off, r.Size))
			b.enc.CopyBufferToBuffer(buf.buf, p.chunk.buf, d.regions)
		}
	}
	if p.chunk != nil && d.mark.buf != nil {
		// Else the mark could come before the end of a long read.
		d.barriers = append(d.barriers[:0], hal.BufferBarrier{Buffer: p.chunk.buf, Usage: hal.BufferUsageTransition{
			OldUsage: gputypes.BufferUsageCopyDst, NewUsage: gputypes.BufferUsageCopyDst,
		}})
		b.enc.TransitionBuffers(d.barriers)
	}
	p.seq = b.seq
	return d.flush("submit")
}

// stageParams copies the parameters of each dispatch to its slot.
func (d *device) stageParams(b *batch, dispatches []gpu.Dispatch) error {
	for i := range dispatches {
		slot := d.scratch[i*slotSize:]
		for j, word := range dispatches[i].Params {
			binary.LittleEndian.PutUint32(slot[4*j:], word)
		}
	}
	n := (len(dispatches)-1)*slotSize + paramBytes
	c, from, err := d.stage(b, d.scratch[:n])
	if err != nil {
		return err
	}
	d.regions = append(d.regions[:0], region(from, 0, n))
	d.copyIn(b, c.buf, d.params)
	return nil
}

// dispatch records the dispatches. hal puts a barrier after each.
func (d *device) dispatch(b *batch, dispatches []gpu.Dispatch) {
	pass := b.enc.BeginComputePass(&hal.ComputePassDescriptor{})
	var last *kernel
	for i := range dispatches {
		bind := dispatches[i].Binding.(*binding)
		if bind.kernel != last {
			last = bind.kernel
			pass.SetPipeline(last.pipeline)
		}
		pass.SetBindGroup(0, bind.groups[i], nil)
		g := dispatches[i].Groups
		pass.Dispatch(g[0], g[1], g[2])
		bind.used, last.used = b.seq, b.seq
		for _, buf := range bind.buffers {
			buf.used = b.seq
		}
	}
	pass.End()
}
