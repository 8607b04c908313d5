//go:build (darwin || metalsim) && cgo

package mtl

// #cgo darwin LDFLAGS: -framework Metal -framework Foundation -framework CoreGraphics
// #cgo linux LDFLAGS: -lmetalsim -lgnustep-base -lobjc
// #include <stdlib.h>
// #include "bridge.h"
import "C"

import (
	"strings"
	"unsafe"

	"github.com/crosspoint-kernels/crosspoint/gpu"
)

// Options says which device Open takes, where its kernels come from, and how it
// treats memory.
type Options struct {
	// Device is a part of the device's name, in any case; empty takes the one
	// that the system prefers.
	Device string
	// Library is the path of a metallib. Kernels are looked up in it by their
	// entry, and the text of a source is not read.
	Library string
	// Binary is a metallib, used in the same way where Library is empty. Without
	// either, Metal compiles each distinct text once.
	Binary []byte
	// Wipe overwrites memory with zeros before it is given back to Metal or to
	// the pools.
	Wipe bool
}

// maxDevices bounds how many devices are looked at.
const maxDevices = 16

// Open opens the device that o asks for, or the system's choice. Without one the
// error wraps gpu.ErrNoDevice and says what there is; it wraps gpu.ErrArgument
// for a library that Metal does not load.
func Open(o Options) (gpu.Device, error) {
	const op = "open"
	var found [maxDevices]unsafe.Pointer
	n := int(C.mtl_devices(&found[0], maxDevices))
	defer func() {
		for _, dev := range found[:n] {
			if dev != nil {
				C.mtl_release(dev)
			}
		}
	}()
	var names []string
	for i, dev := range found[:n] {
		name := goString(C.mtl_name(dev))
		if !strings.Contains(strings.ToLower(name), strings.ToLower(o.Device)) {
			names = append(names, name)
			continue
		}
		found[i] = nil // newDevice's
		d, err := newDevice(dev, name, o)
		if err != nil {
			return nil, err
		}
		return d, nil
	}
	if len(names) == 0 {
		return nil, fail(op, gpu.ErrNoDevice, "Metal has no device here")
	}
	return nil, fail(op, gpu.ErrNoDevice, "none has %q in its name; there is %s", o.Device, strings.Join(names, ", "))
}

// goString takes over a string of the bridge's.
func goString(s *C.char) string {
	if s == nil {
		return ""
	}
	defer C.free(unsafe.Pointer(s))
	return C.GoString(s)
}
