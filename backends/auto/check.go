package auto

import (
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// checkedAlone is how many coefficients one goroutine checks in about the time that
// it takes to start others.
const checkedAlone = 1 << 17

// checkRange is that of the ring, on as many goroutines as there are cores, since one
// would take longer than all of them take for the call that follows.
func checkRange(r *ntt.Ring, arg string, s []uint64) error {
	rows := len(s) / r.N()
	workers := min(runtime.GOMAXPROCS(0), rows, 1+len(s)/checkedAlone)
	if workers < 2 {
		return r.CheckRange(arg, s)
	}
	var bad atomic.Bool
	var wg sync.WaitGroup
	for i := range workers {
		from, to := rows*i/workers*r.N(), rows*(i+1)/workers*r.N()
		wg.Go(func() {
			if r.CheckRange(arg, s[from:to]) != nil {
				bad.Store(true)
			}
		})
	}
	wg.Wait()
	if !bad.Load() {
		return nil
	}
	return r.CheckRange(arg, s) // again, for the place of the first one
}
