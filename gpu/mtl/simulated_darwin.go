//go:build !metalsim && cgo

package mtl

import "syscall"

// simulated says that the device is the simulator, which computes on the CPU.
const simulated = false

// system names the system with its version.
func system() string {
	version, err := syscall.Sysctl("kern.osproductversion")
	if err != nil {
		return "macOS"
	}
	return "macOS " + version
}
