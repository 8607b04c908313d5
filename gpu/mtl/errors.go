//go:build (darwin || metalsim) && cgo

package mtl

import (
	"errors"
	"fmt"

	"github.com/crosspoint-kernels/crosspoint/gpu"
)

// fail makes the error of op. Metal's own words go into detail.
func fail(op string, err error, format string, args ...any) error {
	return &gpu.Error{Op: op, Err: err, Detail: fmt.Sprintf(format, args...)}
}

// outOfMemory is MTLCommandBufferErrorOutOfMemory.
const outOfMemory = 8

// errLostMemory is of a command buffer for which Metal found no memory. What it
// was to compute is missing from its buffers, and so the device is lost too.
var errLostMemory = errors.Join(gpu.ErrLost, gpu.ErrMemory)

// failed is the error of a command buffer that ended with an MTLCommandBufferError:
// the device was removed or taken away, a kernel ran too long or out of its
// buffers. Nothing that was submitted after it can be trusted.
func failed(code int64, text string) error {
	if code == outOfMemory {
		return fail("run", errLostMemory, "%s", text)
	}
	return fail("run", gpu.ErrLost, "Metal error %d: %s", code, text)
}
