package device

import (
	"fmt"

	"github.com/crosspoint-kernels/crosspoint/gpu"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// engine is a ring's program on a device: compiled kernels and uploaded tables.
// Plans of the same ring share one.
type engine struct {
	layout
	kernels [opCount]compiled
	refs    int // plans that use it, and the backend for the ring of its self-test
}

type compiled struct {
	gpu.Kernel
	perGroup int
	table    gpu.Buffer // of a transform
}

// newEngine compiles the program of r. After an error nothing is left behind.
func newEngine(dev gpu.Device, r *ntt.Ring, p *Program, chunkRows int) (*engine, error) {
	if err := p.check(r); err != nil {
		return nil, err
	}
	lay, err := newLayout(r, p.WordBytes, chunkRows, dev.Limits())
	if err != nil {
		return nil, err
	}
	e := &engine{layout: lay}
	for o, k := range p.kernels() {
		if err := e.compile(dev, op(o), k); err != nil {
			e.release()
			return nil, fmt.Errorf("%v kernel: %w", op(o), err)
		}
	}
	return e, nil
}

func (e *engine) compile(dev gpu.Device, o op, k *Kernel) (err error) {
	c := &e.kernels[o]
	c.perGroup = k.PerGroup
	if c.Kernel, err = dev.NewKernel(k.Source); err != nil {
		return err
	}
	if !operations[o].byRow {
		return nil
	}
	if c.table, err = dev.NewBuffer(o.String()+" table", len(k.Table)); err != nil {
		return err
	}
	return c.table.Write(0, k.Table)
}

// bind ties the kernel of o to its data buffers.
func (e *engine) bind(dev gpu.Device, o op, data ...gpu.Buffer) (gpu.Binding, error) {
	k := e.kernels[o]
	if k.table != nil {
		data = append(data, k.table)
	}
	return dev.Bind(k.Kernel, data...)
}

// dispatch is the launch of o over n rows from row first on.
func (e *engine) dispatch(o op, b gpu.Binding, first, n int, limit uint32) (gpu.Dispatch, error) {
	if !operations[o].byRow {
		first, n = first*e.ring.N(), n*e.ring.N()
	}
	groups, err := grid(n, e.kernels[o].perGroup, limit)
	d := gpu.Dispatch{Binding: b, Groups: groups}
	d.Params[0], d.Params[1] = uint32(n), uint32(first)
	return d, err
}

func (e *engine) release() {
	for _, k := range e.kernels {
		if k.table != nil {
			k.table.Release()
		}
		if k.Kernel != nil {
			k.Kernel.Release()
		}
	}
}
