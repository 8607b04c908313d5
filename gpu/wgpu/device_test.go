package wgpu

import (
	"flag"
	"slices"
	"strings"
	"testing"

	"github.com/crosspoint-kernels/crosspoint/gpu"
	"github.com/crosspoint-kernels/crosspoint/gpu/gputest"
)

var required = flag.String("require", "", "comma-separated backends that must not be skipped")

// open opens whatever device there is, or skips the test and says why.
func open(tb testing.TB, o Options) gpu.Device {
	tb.Helper()
	o.AllowSoftware = true
	d, err := Open(o)
	if err == nil {
		return d
	}
	if slices.Contains(strings.Split(*required, ","), "wgsl") {
		tb.Fatal(err)
	}
	tb.Skip(err)
	return nil
}

func TestConforms(t *testing.T) {
	open(t, Options{}).Close()
	gputest.TestDevice(t, func() (gpu.Device, error) { return Open(Options{AllowSoftware: true}) })
}

func TestConformsWiping(t *testing.T) {
	open(t, Options{}).Close()
	gputest.TestDevice(t, func() (gpu.Device, error) { return Open(Options{AllowSoftware: true, Wipe: true}) })
}
