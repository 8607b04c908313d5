//go:build !linux

package wgpu

import "time"

// yield does nothing where a device that computes on the processor is not
// expected.
func yield() {}

func sleep(d time.Duration) { time.Sleep(d) }
