package wgpu

import (
	"unsafe"

	"github.com/gogpu/gputypes"
	"github.com/gogpu/wgpu/hal"
	"github.com/gogpu/wgpu/hal/noop"
)

// script is a driver for tests: its memory is real, its kernels do nothing, and
// what it is told to fail fails.
type script struct {
	hal.Device
	hal.Queue

	made      map[string]int // objects by kind, less those destroyed
	fail      map[string]error
	api       string // as newDevice is told
	hold      bool   // PollCompleted stays where it is
	polls     int
	completed uint64 // where that is
	destroyed func(hal.Buffer)
	barriers  []hal.BufferBarrier

	incoherent   bool
	maps, unmaps int
}

func newScript() *script {
	return &script{
		Device: &noop.Device{}, Queue: &noop.Queue{},
		api: vulkan, made: map[string]int{}, fail: map[string]error{},
	}
}

// open makes a device over the script.
func (s *script) open(o Options) (*device, error) {
	l := gputypes.DefaultLimits()
	return newDevice(adapter{
		ExposedAdapter: hal.ExposedAdapter{Adapter: scriptAdapter{s}, Capabilities: hal.Capabilities{Limits: l}},
		info:           info(gputypes.AdapterInfo{Name: "script"}, s.api),
	}, o)
}

type scriptAdapter struct{ s *script }

func (a scriptAdapter) Open(gputypes.Features, gputypes.Limits) (hal.OpenDevice, error) {
	return hal.OpenDevice{Device: a.s.device(), Queue: a.s.queue()}, a.s.fail["open"]
}

func (a scriptAdapter) TextureFormatCapabilities(gputypes.TextureFormat) (c hal.TextureFormatCapabilities) {
	return c
}
func (a scriptAdapter) SurfaceCapabilities(hal.Surface) *hal.SurfaceCapabilities { return nil }
func (a scriptAdapter) Destroy()                                                 {}

// The two faces have methods of one name, so each gets a type of its own.
type scriptDevice struct {
	hal.Device
	s *script
}

type scriptQueue struct {
	hal.Queue
	s *script
}

func (s *script) device() hal.Device { return scriptDevice{s.Device, s} }
func (s *script) queue() hal.Queue   { return scriptQueue{s.Queue, s} }

// count keeps the number of live objects of a kind.
func count[T any](s *script, kind string, make func() (T, error)) (T, error) {
	if err := s.fail[kind]; err != nil {
		var none T
		return none, err
	}
	x, err := make()
	if err == nil {
		s.made[kind]++
	}
	return x, err
}

func (d scriptDevice) CreateBuffer(desc *hal.BufferDescriptor) (hal.Buffer, error) {
	return count(d.s, "buffer", func() (hal.Buffer, error) {
		b, err := d.Device.CreateBuffer(desc)
		if err == nil {
			p, _ := d.bytes(b, desc.Size)
			for i := range p {
				p[i] = 0xee // a driver's memory is not clear
			}
		}
		return b, err
	})
}

func (d scriptDevice) bytes(b hal.Buffer, n uint64) ([]byte, error) {
	m, err := d.Device.MapBuffer(b, 0, n)
	if err != nil {
		return nil, err
	}
	return unsafe.Slice((*byte)(m.Ptr), n), nil
}

func (d scriptDevice) DestroyBuffer(b hal.Buffer) {
	d.s.made["buffer"]--
	if d.s.destroyed != nil {
		d.s.destroyed(b)
	}
}

func (d scriptDevice) MapBuffer(b hal.Buffer, off, n uint64) (hal.BufferMapping, error) {
	if err := d.s.fail["map"]; err != nil {
		return hal.BufferMapping{}, err
	}
	d.s.maps++
	m, err := d.Device.MapBuffer(b, off, n)
	m.IsCoherent = !d.s.incoherent
	return m, err
}

func (d scriptDevice) UnmapBuffer(hal.Buffer) error {
	d.s.unmaps++
	return d.s.fail["unmap"]
}

func (d scriptDevice) CreateBindGroup(desc *hal.BindGroupDescriptor) (hal.BindGroup, error) {
	return count(d.s, "group", func() (hal.BindGroup, error) { return d.Device.CreateBindGroup(desc) })
}
func (d scriptDevice) DestroyBindGroup(hal.BindGroup) { d.s.made["group"]-- }

func (d scriptDevice) CreateShaderModule(desc *hal.ShaderModuleDescriptor) (hal.ShaderModule, error) {
	return count(d.s, "module", func() (hal.ShaderModule, error) { return d.Device.CreateShaderModule(desc) })
}
func (d scriptDevice) DestroyShaderModule(hal.ShaderModule) { d.s.made["module"]-- }

func (d scriptDevice) CreateBindGroupLayout(desc *hal.BindGroupLayoutDescriptor) (hal.BindGroupLayout, error) {
	return count(d.s, "layout", func() (hal.BindGroupLayout, error) { return d.Device.CreateBindGroupLayout(desc) })
}
func (d scriptDevice) DestroyBindGroupLayout(hal.BindGroupLayout) { d.s.made["layout"]-- }

func (d scriptDevice) CreatePipelineLayout(desc *hal.PipelineLayoutDescriptor) (hal.PipelineLayout, error) {
	return count(d.s, "plumbing", func() (hal.PipelineLayout, error) { return d.Device.CreatePipelineLayout(desc) })
}
func (d scriptDevice) DestroyPipelineLayout(hal.PipelineLayout) { d.s.made["plumbing"]-- }

func (d scriptDevice) CreateComputePipeline(desc *hal.ComputePipelineDescriptor) (hal.ComputePipeline, error) {
	if err := d.s.fail["panic"]; err != nil {
		panic(err)
	}
	return count(d.s, "pipeline", func() (hal.ComputePipeline, error) { return d.Device.CreateComputePipeline(desc) })
}
func (d scriptDevice) DestroyComputePipeline(hal.ComputePipeline) { d.s.made["pipeline"]-- }

func (d scriptDevice) CreateCommandEncoder(desc *hal.CommandEncoderDescriptor) (hal.CommandEncoder, error) {
	return count(d.s, "encoder", func() (hal.CommandEncoder, error) {
		enc, err := d.Device.CreateCommandEncoder(desc)
		return &scriptEncoder{enc, d}, err
	})
}

func (d scriptDevice) WaitIdle() error { return d.s.fail["idle"] }

func (q scriptQueue) Submit(cmds []hal.CommandBuffer) (uint64, error) {
	if err := q.s.fail["submit"]; err != nil {
		return 0, err
	}
	return q.Queue.Submit(cmds)
}

func (q scriptQueue) PollCompleted() uint64 {
	q.s.polls++
	if !q.s.hold {
		q.s.completed = q.Queue.PollCompleted()
	}
	return q.s.completed
}

// scriptEncoder does the copies when they are recorded.
type scriptEncoder struct {
	hal.CommandEncoder
	d scriptDevice
}

func (e *scriptEncoder) BeginEncoding(string) error { return e.d.s.fail["begin"] }
func (e *scriptEncoder) Destroy()                   { e.d.s.made["encoder"]-- }

func (e *scriptEncoder) EndEncoding() (hal.CommandBuffer, error) {
	if err := e.d.s.fail["end"]; err != nil {
		return nil, err
	}
	return e.CommandEncoder.EndEncoding()
}

func (e *scriptEncoder) TransitionBuffers(b []hal.BufferBarrier) {
	e.d.s.barriers = append(e.d.s.barriers, b...)
}

func (e *scriptEncoder) CopyBufferToBuffer(src, dst hal.Buffer, regions []hal.BufferCopy) {
	for _, r := range regions {
		from, err := e.d.bytes(src, r.SrcOffset+r.Size)
		to, err2 := e.d.bytes(dst, r.DstOffset+r.Size)
		if err != nil || err2 != nil {
			panic("a copy beyond a buffer")
		}
		copy(to[r.DstOffset:], from[r.SrcOffset:])
	}
}
