package stateroot

import (
	"sync"
	"sync/atomic"
)

// parallel calls f(worker, lo, hi) for ranges that cut [0, n) into pieces of at
// most grain, on up to workers goroutines, and returns when all are done. worker
// is in [0, workers), and no two calls have the same one at a time. Pieces are
// handed out as workers come free, so that uneven ones do not hold up the rest.
func parallel(workers, n, grain int, f func(worker, lo, hi int)) {
	workers = min(workers, (n+grain-1)/grain)
	if workers <= 1 {
		if n > 0 {
			f(0, 0, n)
		}
		return
	}
	var next atomic.Int64
	work := func(worker int) {
		for {
			lo := int(next.Add(int64(grain))) - grain
			if lo >= n {
				return
			}
			f(worker, lo, min(n, lo+grain))
		}
	}
	var wg sync.WaitGroup
	for worker := 1; worker < workers; worker++ {
		wg.Go(func() { work(worker) })
	}
	work(0)
	wg.Wait()
}

// grow returns a slice of length n, s itself if it is large enough. What is in it
// is not cleared.
func grow[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/8)
	}
	return s[:n]
}
