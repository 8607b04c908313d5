package wgpu

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"testing"

	"github.com/gogpu/gputypes"
	"github.com/gogpu/wgpu/hal"
	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/gpu"
)

// inChild marks the process that child starts.
var inChild = flag.Bool("child", false, "run a test that needs a process of its own in this one")

func TestChoose(t *testing.T) {
	// In the order that adapters puts them in.
	var found []adapter
	for _, a := range []struct {
		name string
		kind gputypes.DeviceType
	}{
		{"Great GPU 9000", gputypes.DeviceTypeDiscreteGPU},
		{"Small GPU", gputypes.DeviceTypeIntegratedGPU},
		{"llvmpipe (LLVM)", gputypes.DeviceTypeCPU},
	} {
		i := gputypes.AdapterInfo{Name: a.name, DeviceType: a.kind}
		found = append(found, adapter{ExposedAdapter: hal.ExposedAdapter{Info: i}, info: info(i, "Vulkan")})
	}
	for _, c := range []struct {
		from int
		o    Options
		want string
	}{
		{0, Options{}, "Great GPU 9000"},
		{0, Options{Device: "gpu"}, "Great GPU 9000"},
		{0, Options{Device: "SMALL"}, "Small GPU"},
		{0, Options{Device: "llvm"}, ""},
		{0, Options{Device: "LLVM", AllowSoftware: true}, "llvmpipe (LLVM)"},
		{0, Options{AllowSoftware: true}, "Great GPU 9000"},
		{1, Options{}, "Small GPU"},
		{2, Options{}, ""},
		{2, Options{AllowSoftware: true}, "llvmpipe (LLVM)"},
		{0, Options{Device: "absent", AllowSoftware: true}, ""},
		{3, Options{AllowSoftware: true}, ""},
	} {
		a, ok := choose(found[c.from:], c.o)
		require.Equal(t, c.want, a.info.Name, "%+v", c)
		require.Equal(t, c.want != "", ok)
	}
	for i, a := range found {
		require.Equal(t, a.Info.DeviceType == gputypes.DeviceTypeCPU, a.info.Software)
		require.True(t, i == 0 || rank(found[i-1]) < rank(a))
	}
	require.Equal(t, `none that is allowed has "tpu" in its name; there is Small GPU, llvmpipe (LLVM) (software)`,
		absence(found[1:], nil, Options{Device: "tpu"}))
	require.Equal(t, "there is only llvmpipe (LLVM) (software); the option AllowSoftware takes it", absence(found[2:], nil, Options{}))
	require.Contains(t, absence(nil, []string{"no loader"}, Options{}), "no loader")
}

func TestOpenByName(t *testing.T) {
	d := open(t, Options{})
	name := d.Info().Name
	require.NoError(t, d.Close())
	require.NoError(t, d.Close(), "the second time")

	d = open(t, Options{Device: name[:4]})
	require.Contains(t, d.Info().Name, name[:4])
	require.NoError(t, d.Close())

	_, err := Open(Options{Device: "there is no such device", AllowSoftware: true})
	require.ErrorIs(t, err, gpu.ErrNoDevice)
	var e *gpu.Error
	require.True(t, errors.As(err, &e))
	require.Contains(t, e.Detail, name, "what there is")
}

// TestWithoutDriver and the next run Open in a process of their own, because the
// Vulkan loader reads the environment of the process once.
func TestWithoutDriver(t *testing.T) {
	if !*inChild {
		out := child(t, "TestWithoutDriver", "VK_ICD_FILENAMES=/nonexistent", "VK_DRIVER_FILES=/nonexistent")
		require.Contains(t, out, "PASS")
		return
	}
	d, err := Open(Options{AllowSoftware: true})
	if err == nil {
		require.NoError(t, d.Close())
		t.Skipf("a device without a Vulkan driver: %v", d.Info())
	}
	require.ErrorIs(t, err, gpu.ErrNoDevice)
	require.ErrorContains(t, err, "install")
}

// TestQuiet is of this package alone: Mesa's device selection layer, which
// writes a line about XDG_RUNTIME_DIR, is switched off.
func TestQuiet(t *testing.T) {
	if !*inChild {
		open(t, Options{}).Close()
		require.Equal(t, "PASS\n", child(t, "TestQuiet", "NODEVICE_SELECT=1"))
		return
	}
	d, err := Open(Options{AllowSoftware: true})
	require.NoError(t, err)
	require.NoError(t, d.Close())
}

// child runs one test of this binary with more environment and returns what it
// printed.
func child(t *testing.T, name string, env ...string) string {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^"+name+"$", "-child")
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return string(out)
}
