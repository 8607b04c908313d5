package auto

import (
	"testing"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/backends/backendtest"
	_ "github.com/crosspoint-kernels/crosspoint/backends/cpu"
	_ "github.com/crosspoint-kernels/crosspoint/backends/wgsl"
)

// TestSuite runs the suite on what is registered here, a software device included
// where there is one: it must pass with any.
func TestSuite(t *testing.T) {
	backendtest.Run(t, backendtest.Registered(Name, true, backends.Options{AllowSoftware: true, Wipe: true, Workers: 3}))
}
