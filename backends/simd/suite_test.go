package simd

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/backends/backendtest"
)

// atWidth opens the backend at a width, or skips the test where the machine lacks it.
func atWidth(w Width, workers int) backendtest.Open {
	return func(t testing.TB) backends.Backend {
		t.Helper()
		lacks(t, w)
		b, err := New(Options{Width: w, Options: backends.Options{Workers: workers, Wipe: true}})
		require.NoError(t, err)
		return b
	}
}

// TestSuite runs the suite at every width: in full at the widest, on as many threads
// as by default, and for the others with fewer and smaller batches. Short tests, which
// the race detector makes slow, have the widest and the scalar width on three threads:
// it does not see into assembly, and how rows are shared does not depend on the width.
func TestSuite(t *testing.T) {
	for _, l := range levels {
		for _, workers := range []int{0, 1, 3} {
			widest := l.width == Widths()[0]
			if testing.Short() && (workers != 3 || !widest && l.width != Scalar) {
				continue
			}
			t.Run(fmt.Sprintf("width=%s/workers=%d", l.width, workers), func(t *testing.T) {
				open := atWidth(l.width, workers)
				switch {
				case widest && (workers == 0 || testing.Short()):
					backendtest.Run(t, open)
				case workers != 0:
					backendtest.RunShort(t, open)
				}
			})
		}
	}
}
