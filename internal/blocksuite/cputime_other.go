//go:build !unix

package blocksuite

import "time"

// cpuTime is not known here.
func cpuTime() time.Duration { return 0 }
