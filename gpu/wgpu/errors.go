package wgpu

import (
	"errors"
	"fmt"

	"github.com/gogpu/wgpu/hal"

	"github.com/crosspoint-kernels/crosspoint/gpu"
)

// fail makes the error of op. The driver's own words go into detail.
func fail(op string, err error, format string, args ...any) error {
	return &gpu.Error{Op: op, Err: err, Detail: fmt.Sprintf(format, args...)}
}

// allocation is the error for memory that the driver refused. A device that is
// lost refuses everything, so that comes first.
func allocation(op string, err error) error {
	if errors.Is(err, hal.ErrDeviceLost) {
		return fail(op, gpu.ErrLost, "%v", err)
	}
	return fail(op, gpu.ErrMemory, "%v", err)
}
