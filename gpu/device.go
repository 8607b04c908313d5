package gpu

import "context"

// Device is one opened GPU, or a CPU that poses as one. It is safe for
// concurrent use.
//
// An argument that cannot be meant, such as a range outside of its buffer or an
// object of another device, is an error that wraps ErrArgument. Once a device is
// lost, every call returns an error that wraps ErrLost.
type Device interface {
	Info() Info
	Limits() Limits
	// NewBuffer returns size bytes of zeroed device memory; size is a positive
	// multiple of 4. The error wraps ErrLimit or ErrMemory.
	NewBuffer(label string, size int) (Buffer, error)
	// NewKernel compiles one entry point. The error wraps ErrCompile.
	NewKernel(src Source) (Kernel, error)
	// Bind ties a kernel to the buffers of its bindings, in their order. A
	// buffer may appear twice only where both are ReadOnly.
	Bind(k Kernel, buffers ...Buffer) (Binding, error)
	// Submit queues work and returns without waiting for it, unless more is in
	// flight than the API or the driver takes: it may then wait for earlier work.
	// The error wraps ErrLimit, ErrMemory or ErrLost; nothing of the work has run
	// then.
	Submit(w Work) (Pending, error)
	// Close waits for what was submitted and releases everything. What is called
	// afterwards returns an error that wraps ErrReleased. The error wraps ErrLost
	// where it could not wait, or not wipe what it was opened to wipe.
	Close() error
}

// Buffer is device memory.
type Buffer interface {
	Size() int
	// Write copies p, a multiple of 4 bytes, to offset off, a multiple of 4.
	// It takes effect after what was submitted before it and does not wait for
	// that; p is the caller's again when Write returns. After an error the range
	// holds anything.
	Write(off int, p []byte) error
	// Clear zeroes the buffer, after what was submitted before.
	Clear() error
	// Release frees the memory, once no submission uses it any more. A device that
	// was opened to wipe zeroes it first; where it cannot, the device is lost.
	Release()
}

// Kernel is a compiled entry point.
type Kernel interface{ Release() }

// Binding is a kernel with its buffers.
type Binding interface{ Release() }

// Access says what a kernel does with a binding.
type Access int

// The ways in which a kernel uses a buffer.
const (
	ReadOnly Access = iota
	ReadWrite
)

// ParamWords is the number of 32-bit parameters that every dispatch passes.
const ParamWords = 8

// Source is one entry point of a device program. Binding i of group 0 is the
// storage buffer with Access[i]; the parameters are a uniform of ParamWords u32
// at binding len(Access). In WGSL that is a struct, of two vec4<u32> say: an
// array of u32 is not allowed in a uniform.
type Source struct {
	Name      string // for messages
	Text      string // WGSL or MSL
	Binary    []byte // a compiled library, where the device takes one
	Entry     string
	Access    []Access
	GroupSize [3]uint32 // as the program declares it

	// Constants are passed to every dispatch behind the parameters, at binding
	// len(Access)+1: at most MaxConstants bytes, a multiple of 8. A device that has
	// no such binding, as WebGPU's, refuses them with ErrArgument.
	Constants []byte
	// GroupMemory is the bytes of group memory whose size the host sets, a
	// multiple of 16: in MSL the argument at threadgroup index 0. 0 is none. A
	// device whose programs declare all of it themselves, as WGSL does, refuses it
	// with ErrArgument.
	GroupMemory int
}

// MaxConstants bounds the bytes of a source's Constants.
const MaxConstants = 4096

// Dispatch runs a kernel over a grid of groups. Dispatches of one submission
// run in order, and each sees what the ones before it wrote.
type Dispatch struct {
	Binding Binding
	Params  [ParamWords]uint32
	Groups  [3]uint32 // each at least 1 and at most Limits.MaxGroups
}

// Range is a part of a buffer, in bytes, both multiples of 8.
type Range struct {
	Buffer    Buffer
	Off, Size int
	// Still promises that nothing is submitted or written that changes the range
	// before the Pending is released. A device whose memory the host shares may
	// then show the buffer itself where it would copy it.
	Still bool
}

// Work is one submission: the dispatches in order, then the reads.
type Work struct {
	Dispatches []Dispatch // at most MaxDispatches
	Reads      []Range
}

// MaxDispatches bounds the dispatches of one submission.
const MaxDispatches = 32

// Pending is work that was submitted. It must be released, waited for or not.
type Pending interface {
	// Wait returns when the work is done. After the context's error the work
	// still runs, and Wait may be called again. Any other error means that the
	// device is lost: what is submitted later fails too.
	Wait(ctx context.Context) error
	// View returns the bytes of Reads[i] after a Wait without an error, else
	// nil. They are valid until Release or the device's Close.
	View(i int) []byte
	// Release gives back the memory of the views.
	Release()
}

// Info describes a device.
type Info struct {
	Name     string // as the driver calls it
	API      string // "Vulkan", "Metal", "DX12", ...
	Driver   string // name and version, as far as they are known
	Software bool   // it runs on the CPU
}

// Limits bounds what a device takes. Sizes are in bytes.
type Limits struct {
	MaxBufferSize  int    // of one buffer, and of one binding
	MaxGroups      uint32 // per dimension of a dispatch
	MaxGroupSize   uint32 // invocations of one group
	MaxGroupMemory int    // workgroup (threadgroup) memory
	MaxBindings    int    // storage buffers of one kernel
}
