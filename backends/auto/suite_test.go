package auto

import (
	"testing"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/backends/backendtest"
	_ "github.com/crosspoint-kernels/crosspoint/backends/wgsl"
)

// TestSuite runs the suite on what is registered here, a software device included
// where there is one: it must pass with any. Package backendtest runs it in full.
func TestSuite(t *testing.T) {
	backendtest.RunShort(t, backendtest.Registered(Name, true, backends.Options{AllowSoftware: true, Wipe: true, Workers: 3}))
}

// flat are curves that send everything to the device, or split it where both cost
// the same.
func flat(cpuNs, deviceNs float64) func(backend, op string) []TablePoint {
	return func(backend, op string) []TablePoint {
		ns := cpuNs
		if backend == "device" {
			ns = deviceNs
		}
		return []TablePoint{{1, ns}, {1 << 20, ns * (1 << 20)}}
	}
}

// TestSuiteForced runs the suite with every call on a device, and with every large
// one split, where each part of a device fails after some of its rows and is resumed.
func TestSuiteForced(t *testing.T) {
	half := func(n int) (int, error) { return (n + 1) / 2, backends.ErrMemory }
	for name, c := range map[string]struct {
		planted func(backend, op string) []TablePoint
		fail    func(n int) (int, error)
	}{
		"device": {flat(1e6, 1e3), half},
		"split":  {flat(1e6, 1e6), half},
	} {
		t.Run(name, func(t *testing.T) {
			devices := []*fake{}
			backendtest.RunShort(t, func(t testing.TB) backends.Backend {
				device := newFake("device", 0, nil)
				device.fail = c.fail
				devices = append(devices, device)
				return openTB(t, Options{planted: c.planted, frozen: true}, newFake("cpu", 1, nil), device)
			})
			if len(devices[0].seen()) < 100 {
				t.Error("the device was hardly called")
			}
		})
	}
}
