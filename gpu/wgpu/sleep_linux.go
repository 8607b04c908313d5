package wgpu

import (
	"syscall"
	"time"
)

// yield lets the processor's other threads run. A driver that computes on the
// processor needs them: with the Go scheduler's yield alone, which does not
// reach the kernel, a submission took 1.6 to 2.3 times as long in the mean
// (BenchmarkSubmit/bytes=2048 with and without this call, in turns, lavapipe on
// 2 busy vCPUs of an AMD EPYC).
func yield() {
	_, _, _ = syscall.Syscall(syscall.SYS_SCHED_YIELD, 0, 0, 0)
}

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
