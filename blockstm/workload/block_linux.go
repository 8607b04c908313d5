package workload

import (
	"syscall"
	"time"
)

// block keeps the calling thread for d, as a read from a disk would. The kernel
// adds its timer slack, 50 µs unless it was told otherwise. time.Sleep would not do:
// it keeps no thread, and the runtime rounds it to about a millisecond where it
// has nothing else to do.
func block(d time.Duration) {
	rest := syscall.NsecToTimespec(int64(d))
	for syscall.Nanosleep(&rest, &rest) == syscall.EINTR {
	}
}
