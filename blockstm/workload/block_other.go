//go:build !linux

package workload

import "time"

// block waits for d. It keeps no thread here: package syscall has no call for that
// on every system. MeasureLatency tells how long it takes.
func block(d time.Duration) { time.Sleep(d) }
