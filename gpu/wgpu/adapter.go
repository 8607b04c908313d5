package wgpu

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gogpu/gputypes"
	"github.com/gogpu/wgpu/hal"
	_ "github.com/gogpu/wgpu/hal/allbackends" // registers the drivers with hal

	"github.com/crosspoint-kernels/crosspoint/gpu"
)

const vulkan = "Vulkan"

// apis are the ways to a GPU that are tried, the preferred first where two of
// them lead to the same GPU. A Mac's own API comes before Vulkan, which is a
// translation there.
var apis = []struct {
	backend gputypes.Backend
	name    string
}{
	{gputypes.BackendMetal, "Metal"},
	{gputypes.BackendVulkan, vulkan},
	{gputypes.BackendDX12, "DX12"},
}

// adapter is a GPU that can be opened, with the instance that it came from.
type adapter struct {
	hal.ExposedAdapter
	info     gpu.Info
	instance hal.Instance
}

// adapters lists what there is, the best first: discrete before integrated
// before software. The instances are the caller's to destroy. The strings say
// which APIs could not be reached, and why.
func adapters() (found []adapter, instances []hal.Instance, missing []string) {
	for _, api := range apis {
		backend, ok := hal.GetBackend(api.backend)
		if !ok {
			continue // not on this operating system
		}
		instance, err := backend.CreateInstance(&hal.InstanceDescriptor{})
		if err != nil {
			missing = append(missing, err.Error())
			continue
		}
		exposed := instance.EnumerateAdapters(nil)
		if len(exposed) == 0 {
			instance.Destroy()
			missing = append(missing, api.name+": no driver offers a device")
			continue
		}
		instances = append(instances, instance)
		for _, e := range exposed {
			found = append(found, adapter{ExposedAdapter: e, info: info(e.Info, api.name), instance: instance})
		}
	}
	slices.SortStableFunc(found, func(a, b adapter) int { return cmp.Compare(rank(a), rank(b)) })
	return found, instances, missing
}

func info(a gputypes.AdapterInfo, api string) gpu.Info {
	return gpu.Info{
		Name:     a.Name,
		API:      api,
		Driver:   version(a.DriverInfo, api),
		Software: a.DeviceType == gputypes.DeviceTypeCPU,
	}
}

// version is what gogpu says of a driver beyond the API's own name: the version
// of the API for Vulkan, the feature level for DX12, nothing for Metal.
func version(driver, api string) string {
	v := strings.TrimSpace(strings.TrimPrefix(driver, api))
	if v == "API" {
		return ""
	}
	return v
}

func rank(a adapter) int {
	switch a.Info.DeviceType {
	case gputypes.DeviceTypeDiscreteGPU:
		return 0
	case gputypes.DeviceTypeIntegratedGPU:
		return 1
	case gputypes.DeviceTypeCPU:
		return 3
	}
	return 2 // virtual, or not said
}

// choose picks the adapter to open: the first whose name holds what o asks for
// and that o allows.
func choose(found []adapter, o Options) (adapter, bool) {
	want := strings.ToLower(o.Device)
	for _, a := range found {
		if a.info.Software && !o.AllowSoftware {
			continue
		}
		if strings.Contains(strings.ToLower(a.info.Name), want) {
			return a, true
		}
	}
	return adapter{}, false
}
