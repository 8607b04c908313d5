package wgpu

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/crosspoint-kernels/crosspoint/gpu"
)

// Options says which device Open takes and how it treats memory.
type Options struct {
	// Device is a part of the device's name, in any case; empty takes the best.
	Device string
	// AllowSoftware lets Open take a device that runs on the CPU. A GPU is
	// still preferred.
	AllowSoftware bool
	// Wipe overwrites memory with zeros before it is given back to the driver
	// or to the pools, on the device and in the staging memory. A device that
	// cannot is lost, and its Close says so.
	Wipe bool
}

// Open opens the device that o asks for, or the best that there is. Without one
// the error wraps gpu.ErrNoDevice and says what to install.
func Open(o Options) (gpu.Device, error) {
	found, instances, missing := adapters()
	a, ok := choose(found, o)
	for _, i := range instances {
		if !ok || i != a.instance {
			i.Destroy()
		}
	}
	if !ok {
		return nil, fail("open", gpu.ErrNoDevice, "%s", absence(found, missing, o))
	}
	d, err := newDevice(a, o)
	if err != nil {
		a.instance.Destroy()
		return nil, err
	}
	return d, nil
}

// absence says why no device was chosen and what to do about it.
func absence(found []adapter, missing []string, o Options) string {
	var b strings.Builder
	for i, a := range found {
		if i > 0 {
			b.WriteString(", ")
		} else if o.Device != "" {
			fmt.Fprintf(&b, "none that is allowed has %q in its name; there is ", o.Device)
		} else {
			b.WriteString("there is only ")
		}
		b.WriteString(a.info.Name)
		if a.info.Software {
			b.WriteString(" (software)")
		}
	}
	if len(found) > 0 {
		if o.Device == "" {
			b.WriteString("; the option AllowSoftware takes it")
		}
		return b.String()
	}
	b.WriteString(strings.Join(missing, "; "))
	switch runtime.GOOS {
	case "linux":
		b.WriteString("; install a Vulkan loader and driver (Debian: libvulkan1, and the GPU's own driver or mesa-vulkan-drivers, which also has one for the CPU)")
	case "windows":
		b.WriteString("; install the GPU vendor's driver, which brings Vulkan")
	}
	return b.String()
}
