package wgpu

import (
	"fmt"

	"github.com/gogpu/gputypes"
	"github.com/gogpu/wgpu/hal"

	"github.com/crosspoint-kernels/crosspoint/gpu"
)

// kernel is a compiled entry point with the layout of its bindings.
type kernel struct {
	d        *device
	name     string
	access   []gpu.Access
	module   hal.ShaderModule
	layout   hal.BindGroupLayout
	plumbing hal.PipelineLayout
	pipeline hal.ComputePipeline
	used     uint64
	released bool
}

func (k *kernel) lastUse() uint64    { return k.used }
func (k *kernel) setReleased(r bool) { k.released = r }

func (k *kernel) destroy() {
	if k.pipeline != nil {
		k.d.dev.DestroyComputePipeline(k.pipeline)
	}
	if k.plumbing != nil {
		k.d.dev.DestroyPipelineLayout(k.plumbing)
	}
	if k.layout != nil {
		k.d.dev.DestroyBindGroupLayout(k.layout)
	}
	if k.module != nil {
		k.d.dev.DestroyShaderModule(k.module)
	}
}

// Release frees the kernel when the last batch that runs it is done.
func (k *kernel) Release() { k.d.release(k) }

// NewKernel compiles WGSL.
func (d *device) NewKernel(src gpu.Source) (gpu.Kernel, error) {
	op := "compile " + src.Name
	if err := d.checkSource(op, src); err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.usable(op); err != nil {
		return nil, err
	}
	k := &kernel{d: d, name: src.Name, access: append([]gpu.Access(nil), src.Access...)}
	if err := k.compile(src); err != nil {
		k.destroy()
		return nil, fail(op, gpu.ErrCompile, "%v", err)
	}
	d.live[k] = struct{}{}
	return k, nil
}

// checkSource checks what the driver would take without a word.
func (d *device) checkSource(op string, src gpu.Source) error {
	if src.Text == "" {
		return fail(op, gpu.ErrCompile, "there is no WGSL text")
	}
	if err := gpu.CheckBare(op, src); err != nil {
		return err
	}
	if err := gpu.CheckSource(op, src, d.limits); err != nil {
		return err
	}
	for i, n := range src.GroupSize {
		if n > d.maxSize[i] {
			return fail(op, gpu.ErrLimit, "group size %v; the device takes %v", src.GroupSize, d.maxSize)
		}
	}
	if err := checkEntry(src.Text, src.Entry, src.GroupSize); err != nil {
		return fail(op, gpu.ErrCompile, "%v", err)
	}
	return nil
}

// compile makes the driver's objects. The compiler is a young one, so that a
// panic in it counts as its refusal.
func (k *kernel) compile(src gpu.Source) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the compiler panicked: %v", r)
		}
	}()
	dev := k.d.dev
	k.module, err = dev.CreateShaderModule(&hal.ShaderModuleDescriptor{
		Label: src.Name, Source: hal.ShaderSource{WGSL: src.Text},
	})
	if err != nil {
		return err
	}
	k.layout, err = dev.CreateBindGroupLayout(&hal.BindGroupLayoutDescriptor{
		Label: src.Name, Entries: layout(src.Access),
	})
	if err != nil {
		return err
	}
	k.plumbing, err = dev.CreatePipelineLayout(&hal.PipelineLayoutDescriptor{
		Label: src.Name, BindGroupLayouts: []hal.BindGroupLayout{k.layout},
	})
	if err != nil {
		return err
	}
	return onSteadyStack(func() (err error) {
		k.pipeline, err = dev.CreateComputePipeline(&hal.ComputePipelineDescriptor{
			Label: src.Name, Layout: k.plumbing,
			Compute: hal.ComputeState{Module: k.module, EntryPoint: src.Entry},
		})
		return err
	})
}

// layout lists the bindings of group 0: the storage buffers, then the
// parameters.
func layout(access []gpu.Access) []gputypes.BindGroupLayoutEntry {
	entry := func(i int, t gputypes.BufferBindingType) gputypes.BindGroupLayoutEntry {
		return gputypes.BindGroupLayoutEntry{
			Binding:    uint32(i),
			Visibility: gputypes.ShaderStageCompute,
			Buffer:     &gputypes.BufferBindingLayout{Type: t},
		}
	}
	var entries []gputypes.BindGroupLayoutEntry
	for i, a := range access {
		t := gputypes.BufferBindingTypeReadOnlyStorage
		if a == gpu.ReadWrite {
			t = gputypes.BufferBindingTypeStorage
		}
		entries = append(entries, entry(i, t))
	}
	return append(entries, entry(len(access), gputypes.BufferBindingTypeUniform))
}
