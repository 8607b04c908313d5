package gputest

import (
	"fmt"
	"sync"

	"github.com/crosspoint-kernels/crosspoint/gpu"
)

// Fake is a gpu.Device in memory whose kernels are Go functions. Nothing that is
// submitted runs before a Wait asks for it, or Close: code that looks at a
// result too early finds nothing. It is safe for concurrent use.
//
// The zero value is not usable; NewFake makes one.
type Fake struct {
	mu      sync.Mutex
	kernels map[string]Func
	info    gpu.Info
	limits  gpu.Limits
	closed  bool
	queue   []func() // what was submitted and has not run, in order
	first   uint64   // the number of queue[0]
	calls   map[Op]int
	faults  map[Op]map[int]error
	counts  Counts
	flaw    flaw
}

// Op is a call of a device that can be made to fail.
type Op string

// The calls that Fail takes.
const (
	OpNewBuffer Op = "NewBuffer"
	OpNewKernel Op = "NewKernel"
	OpBind      Op = "Bind"
	OpWrite     Op = "Write"
	OpClear     Op = "Clear"
	OpSubmit    Op = "Submit"
	OpWait      Op = "Wait"
)

// Counts is what a Fake has seen. Live objects are those not yet released.
type Counts struct {
	LiveBuffers, LiveKernels, LiveBindings, LivePendings int
	NewBuffers, NewKernels, NewBindings, Submissions     int // since NewFake
	Dispatches                                           int
	LiveBytes                                            int // of the live buffers
	WrittenBytes, ReadBytes                              int
}

// DefaultLimits are those of WebGPU's smallest device.
func DefaultLimits() gpu.Limits {
	return gpu.Limits{
		MaxBufferSize:  1 << 27,
		MaxGroups:      65535,
		MaxGroupSize:   256,
		MaxGroupMemory: 16384,
		MaxBindings:    8,
	}
}

// NewFake makes a device that knows the kernels given, each under its source's
// "Name/Entry", and the programs of the suite.
func NewFake(limits gpu.Limits, kernels map[string]Func) *Fake {
	f := &Fake{
		kernels: reference(),
		info:    gpu.Info{Name: "fake", API: "Go", Driver: "gputest", Software: true},
		limits:  limits,
		first:   1,
		calls:   map[Op]int{},
		faults:  map[Op]map[int]error{},
	}
	for name, fn := range kernels {
		f.kernels[name] = fn
	}
	return f
}

// Fail makes the k-th call of op from now on return err, where the next is the
// first. The call has no other effect.
func (f *Fake) Fail(op Op, k int, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.faults[op] == nil {
		f.faults[op] = map[int]error{}
	}
	f.faults[op][f.calls[op]+k] = err
}

// Calls returns how often op was called, failures included.
func (f *Fake) Calls(op Op) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.calls[op]
}

// Counts returns what was seen so far.
func (f *Fake) Counts() Counts {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.counts
}

// called counts a call and returns the error that it is to fail with.
func (f *Fake) called(op Op) error {
	f.calls[op]++
	k := f.calls[op]
	err := f.faults[op][k]
	delete(f.faults[op], k)
	return err
}

// Info describes the fake.
func (f *Fake) Info() gpu.Info { return f.info }

// Limits returns those given to NewFake.
func (f *Fake) Limits() gpu.Limits { return f.limits }

// enqueue puts work at the end of the queue and returns its number.
func (f *Fake) enqueue(work func()) uint64 {
	f.queue = append(f.queue, work)
	return f.first + uint64(len(f.queue)) - 1
}

// run does what was queued up to a number.
func (f *Fake) run(upTo uint64) {
	for len(f.queue) > 0 && f.first <= upTo {
		work := f.queue[0]
		f.queue = f.queue[1:]
		f.first++
		work()
	}
}

// Close runs what was submitted. Objects that are still live stay counted.
func (f *Fake) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.run(f.first + uint64(len(f.queue)))
	f.closed = true
	return nil
}

func (f *Fake) usable(op Op) error {
	if f.closed {
		return fail(op, gpu.ErrReleased, "the device is closed")
	}
	return nil
}

func fail(op Op, err error, format string, args ...any) error {
	return &gpu.Error{Op: string(op), Err: err, Detail: fmt.Sprintf(format, args...)}
}
