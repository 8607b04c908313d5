//go:build metalsim && cgo

package metalsim

/*
#cgo LDFLAGS: -lmetalsim -lgnustep-base -lobjc
#include <stdlib.h>
#include <metalsim.h>
*/
import "C"

import "unsafe"

// Code is an MTLCommandBufferError.
type Code int

// The codes that a test may ask for.
const (
	Internal        Code = 1
	Timeout         Code = 2
	PageFault       Code = 3
	AccessRevoked   Code = 4
	NotPermitted    Code = 7
	OutOfMemory     Code = 8
	InvalidResource Code = 9
	DeviceRemoved   Code = 11
	StackOverflow   Code = 12
)

// Live returns how many objects of a class there are, such as "MTLBuffer", once
// the GPU has nothing left that it can do; -1 if no class has this name. It must
// not be called by a completion handler of another thread that the GPU waits for.
func Live(class string) int {
	c := C.CString(class)
	defer C.free(unsafe.Pointer(c))
	return int(C.metalsim_live(c))
}

// Made returns how many objects of a class were made since the last Reset; -1 if
// no class has this name.
func Made(class string) int {
	c := C.CString(class)
	defer C.free(unsafe.Pointer(c))
	return int(C.metalsim_made(c))
}

// Committed returns how many command buffers were committed since the last Reset.
func Committed() int { return int(C.metalsim_committed()) }

// Dispatched returns how many dispatches ran since the last Reset.
func Dispatched() int { return int(C.metalsim_dispatched()) }

// Compiled returns how many sources were compiled since the last Reset, counting
// those that the simulator had in its cache.
func Compiled() int { return int(C.metalsim_compiled()) }

// Reset zeroes the counts, but for what is live, and cancels faults that did not
// strike yet. Pause, HideDevice and the limits stay.
func Reset() { C.metalsim_reset() }

// FailCommandBuffer makes one command buffer fail without running: the one that
// is executed after skip others. After DeviceRemoved and AccessRevoked all later
// ones fail too, until Reset.
func FailCommandBuffer(skip int, code Code) { C.metalsim_fail_command_buffer(C.int(skip), C.int(code)) }

// FailBuffer makes one request for a buffer return nil: the one after skip others.
func FailBuffer(skip int) { C.metalsim_fail_buffer(C.int(skip)) }

// FailQueue does the same for a command queue.
func FailQueue(skip int) { C.metalsim_fail_queue(C.int(skip)) }

// FailEncoder does the same for a command buffer or an encoder, counted together.
func FailEncoder(skip int) { C.metalsim_fail_encoder(C.int(skip)) }

// HideDevice makes the system have no device, or have it again.
func HideDevice(hide bool) { C.metalsim_hide_device(truth(hide)) }

// Pause holds back the execution of command buffers, or lets it go on.
func Pause(pause bool) { C.metalsim_pause(truth(pause)) }

// LimitThreads lowers the threads of a group that later pipelines take; 0 sets it
// back.
func LimitThreads(threads int) { C.metalsim_limit_threads(C.int(threads)) }

// LimitBuffer sets the bytes of the largest buffer; 0 sets it back.
func LimitBuffer(bytes int) { C.metalsim_limit_buffer(C.int64_t(bytes)) }

func truth(b bool) C.int {
	if b {
		return 1
	}
	return 0
}
