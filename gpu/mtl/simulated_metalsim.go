//go:build metalsim && cgo

package mtl

// simulated says that the device is the simulator, which computes on the CPU.
const simulated = true

func system() string { return "simulator" }
