package wgpu

import (
	"syscall"
	"time"
)

// sleep blocks for d. Below a millisecond it asks the kernel itself: the Go
// runtime's timers wait for the network poller, which counts in milliseconds
// on Linux.
func sleep(d time.Duration) {
	if d >= time.Millisecond {
		time.Sleep(d)
		return
	}
	t := syscall.NsecToTimespec(int64(d))
	_ = syscall.Nanosleep(&t, nil) // a signal may end it early, which is as good
}
