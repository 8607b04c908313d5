package pipeline

import (
	"sync"
	"sync/atomic"
)

// parallel calls f(lo, hi) for ranges that cut [0, n) into pieces of at most
// grain, on up to workers goroutines, the caller's among them, and returns when
// all are done. Pieces are handed out as workers come free.
func parallel(workers, n, grain int, f func(lo, hi int)) {
	workers = min(workers, (n+grain-1)/grain)
	if workers <= 1 {
		for lo := 0; lo < n; lo += grain {
			f(lo, min(n, lo+grain))
		}
		return
	}
	var next atomic.Int64
	work := func() {
		for {
			lo := int(next.Add(int64(grain))) - grain
			if lo >= n {
				return
			}
			f(lo, min(n, lo+grain))
		}
	}
	var wg sync.WaitGroup
	for range workers - 1 {
		wg.Go(work)
	}
	work()
	wg.Wait()
}

// grow returns a slice of length n, s itself if it is large enough. What is in it
// is not cleared, nor kept where it moves.
func grow[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/8)
	}
	return s[:n]
}
