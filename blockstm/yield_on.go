//go:build blockstm_stress

package blockstm

import (
	"math/rand/v2"
	"runtime"
)

func yield() {
	switch r := rand.Uint32(); {
	case r%4 == 0:
		runtime.Gosched()
	case r%64 == 1:
		for range 8 {
			runtime.Gosched()
		}
	}
}
