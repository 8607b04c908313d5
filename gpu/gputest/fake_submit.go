package gputest

import (
	"context"
	"math"

	"github.com/crosspoint-kernels/crosspoint/gpu"
)

type fakePending struct {
	f        *Fake
	seq      uint64
	views    [][]byte // filled when the work runs
	waited   bool
	released bool
}

// Submit queues work.
func (f *Fake) Submit(w gpu.Work) (gpu.Pending, error) {
	const op = OpSubmit
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.called(op); err != nil {
		return nil, err
	}
	if err := f.usable(op); err != nil {
		return nil, err
	}
	if len(w.Dispatches) > gpu.MaxDispatches {
		return nil, fail(op, gpu.ErrLimit, "%d dispatches", len(w.Dispatches))
	}
	steps, err := f.steps(op, w.Dispatches)
	if err != nil {
		return nil, err
	}
	reads, total, err := f.reads(op, w.Reads)
	if err != nil {
		return nil, err
	}
	p := &fakePending{f: f}
	p.seq = f.enqueue(func() {
		for _, step := range steps {
			step()
		}
		for _, read := range reads {
			p.views = append(p.views, read())
		}
	})
	f.counts.Submissions++
	f.counts.LivePendings++
	f.counts.Dispatches += len(w.Dispatches)
	f.counts.ReadBytes += total
	return p, nil
}

// steps checks the dispatches and returns what each does.
func (f *Fake) steps(op Op, dispatches []gpu.Dispatch) ([]func(), error) {
	limits := f.limits
	if f.flaw == takesAnyGroups {
		limits.MaxGroups = math.MaxUint32
	}
	var steps []func()
	for i, d := range dispatches {
		b, ok := d.Binding.(*fakeBinding)
		if !ok || b == nil || b.f != f {
			return nil, fail(op, gpu.ErrArgument, "dispatch %d: the binding is not of this device", i)
		}
		if err := b.usable(op); err != nil {
			return nil, err
		}
		if err := gpu.CheckGroups(string(op), b.kernel.name, d.Groups, limits); err != nil {
			return nil, err
		}
		if f.flaw == mixesParams {
			d.Params = dispatches[len(dispatches)-1].Params
		}
		steps = append(steps, func() {
			var mem [][]byte
			for _, buf := range b.buffers {
				mem = append(mem, buf.mem)
			}
			b.kernel.fn(mem, d.Params, d.Groups)
		})
	}
	if f.flaw == reversesDispatches {
		for i, j := 0, len(steps)-1; i < j; i, j = i+1, j-1 {
			steps[i], steps[j] = steps[j], steps[i]
		}
	}
	return steps, nil
}

// reads checks the ranges and returns what copies each, and their bytes.
func (f *Fake) reads(op Op, ranges []gpu.Range) (reads []func() []byte, total int, err error) {
	for i, r := range ranges {
		b, ok := r.Buffer.(*fakeBuffer)
		if !ok || b == nil || b.f != f {
			return nil, 0, fail(op, gpu.ErrArgument, "read %d: the buffer is not of this device", i)
		}
		if err := b.usable(op); err != nil {
			return nil, 0, err
		}
		if err := gpu.CheckRead(string(op), i, r, len(b.mem)); err != nil {
			return nil, 0, err
		}
		reads = append(reads, func() []byte {
			view := b.mem[r.Off : r.Off+r.Size : r.Off+r.Size]
			if f.flaw == readsLive {
				return view
			}
			return append([]byte{}, view...)
		})
		total += r.Size
	}
	return reads, total, nil
}

// Wait runs the work and all before it.
func (p *fakePending) Wait(ctx context.Context) error {
	p.f.mu.Lock()
	defer p.f.mu.Unlock()
	if err := p.f.called(OpWait); err != nil {
		return err
	}
	if p.released {
		return fail(OpWait, gpu.ErrReleased, "the submission")
	}
	if p.waited {
		return nil
	}
	if err := ctx.Err(); err != nil && p.f.flaw != ignoresContext {
		return err
	}
	if err := p.f.usable(OpWait); err != nil {
		return err
	}
	p.f.run(p.seq)
	p.waited = true
	return nil
}

func (p *fakePending) View(i int) []byte {
	p.f.mu.Lock()
	defer p.f.mu.Unlock()
	if !p.waited || p.released || p.f.closed || i < 0 || i >= len(p.views) {
		return nil
	}
	return p.views[i]
}

func (p *fakePending) Release() {
	p.f.mu.Lock()
	defer p.f.mu.Unlock()
	if !p.released {
		p.released = true
		p.f.counts.LivePendings--
	}
}
