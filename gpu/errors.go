package gpu

import (
	"errors"
	"fmt"
)

// What the errors of a device wrap.
var (
	ErrNoDevice = errors.New("no suitable device")
	ErrLimit    = errors.New("beyond a limit of the device")
	ErrMemory   = errors.New("out of device memory")
	ErrCompile  = errors.New("kernel does not compile")
	ErrLost     = errors.New("device lost")
	ErrReleased = errors.New("used after release")
	ErrArgument = errors.New("invalid argument")
)

// Error says what failed on a device, with the driver's own words in Detail.
type Error struct {
	Op     string
	Detail string
	Err    error
}

func (e *Error) Error() string {
	if e.Detail == "" {
		return fmt.Sprintf("gpu: %s: %v", e.Op, e.Err)
	}
	return fmt.Sprintf("gpu: %s: %v: %s", e.Op, e.Err, e.Detail)
}

func (e *Error) Unwrap() error { return e.Err }
