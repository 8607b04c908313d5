package backendtest_test

import (
	"flag"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/crosspoint-kernels/crosspoint/backends"
	_ "github.com/crosspoint-kernels/crosspoint/backends/all"
	"github.com/crosspoint-kernels/crosspoint/backends/backendtest"
)

var required = flag.String("require", "", "names of backends, parted by commas, that must be available")

// drivers are the real ones: TestRegistered registers others.
var drivers = backends.Drivers()

// TestBackends runs the suite on every registered backend; a software device
// will do.
func TestBackends(t *testing.T) {
	for _, d := range drivers {
		t.Run(d.Name, func(t *testing.T) {
			backendtest.Run(t, backendtest.Registered(d.Name, isRequired(d.Name), backends.Options{AllowSoftware: true, Wipe: true}))
		})
	}
}

// TestAllCores runs it on the CPU with a goroutine for each core, and more. The
// rows of a short run are many chunks of theirs.
func TestAllCores(t *testing.T) {
	backendtest.RunShort(t, backendtest.Registered("cpu", true, backends.Options{Workers: max(3, runtime.NumCPU())}))
}

func isRequired(name string) bool { return slices.Contains(strings.Split(*required, ","), name) }

// TestRequired fails where a required name is no backend's.
func TestRequired(t *testing.T) {
	for _, name := range strings.Split(*required, ",") {
		known := slices.ContainsFunc(drivers, func(d backends.Driver) bool { return d.Name == name })
		if name != "" && !known {
			t.Errorf("no backend %q is registered", name)
		}
	}
}
