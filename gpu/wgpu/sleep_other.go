//go:build !linux

package wgpu

import "time"

func sleep(d time.Duration) { time.Sleep(d) }
