package auto

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/backends/backendtest"
	_ "github.com/crosspoint-kernels/crosspoint/backends/wgsl"
)

// everything is what TestSuite opens: a software device too, where there is one, since
// the suite must pass with any.
var everything = backends.Options{AllowSoftware: true, Wipe: true, Workers: 3}

// TestSuite runs the suite on what is registered here. Measurements for the operations
// of its many rings are made shorter than they are for callers, which moves what is
// chosen, and no byte. With -short, as under the race detector, a software device is
// left to its own tests.
func TestSuite(t *testing.T) {
	o := everything
	o.AllowSoftware = !testing.Short()
	backendtest.RunShort(t, func(t testing.TB) backends.Backend {
		b, err := New(Options{Options: o, calibration: time.Millisecond})
		require.NoError(t, err)
		return b
	})
}

// TestRegistered makes the first calls as callers do.
func TestRegistered(t *testing.T) {
	b, err := backends.Open(Name, everything)
	require.NoError(t, err)
	defer b.Close()
	p := planOf(t, b.(*Backend))
	s, want := residues(100), residues(100)
	require.NoError(t, p.ring.Forward(want, want))
	require.NoError(t, p.Forward(t.Context(), s, s))
	require.Equal(t, want, s)
	require.NotEqual(t, Unmeasured, explained(t, p, "forward", 100).Reason)
}

// explained is what Explain says.
func explained(t *testing.T, p backends.Plan, op string, rows int) Choice {
	t.Helper()
	c, err := Explain(p, op, rows)
	require.NoError(t, err)
	return c
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
		"split":  {flat(2e5, 2e5), half}, // rounds of 250 rows
	} {
		if name == "device" && testing.Short() {
			continue // one part at a time, as the other case has them too
		}
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
