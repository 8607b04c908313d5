//go:build metalsim && cgo

package metalsim_test

import (
	"context"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/gpu"
	"github.com/crosspoint-kernels/crosspoint/gpu/mtl"
	"github.com/crosspoint-kernels/crosspoint/internal/metalsim"
)

const wild = `#include <metal_stdlib>
kernel void wild(device uint *data [[buffer(0)]], constant uint *params [[buffer(1)]]) { data[params[0]] = 1; }`

// A fault of a kernel is an error and a fault of Go's is a panic, in one process:
// both are signals, and each goes to its own handler.
func TestSignals(t *testing.T) {
	metalsim.Reset()
	d, err := mtl.Open(mtl.Options{})
	require.NoError(t, err)
	defer d.Close()
	require.Contains(t, d.Info().Name, "simulator")
	k, err := d.NewKernel(gpu.Source{
		Name: "wild", Text: wild, Entry: "wild", Access: []gpu.Access{gpu.ReadWrite}, GroupSize: [3]uint32{1, 1, 1},
	})
	require.NoError(t, err)
	b, err := d.NewBuffer("", 64)
	require.NoError(t, err)
	bind, err := d.Bind(k, b)
	require.NoError(t, err)
	run := func(word uint32) error {
		p, err := d.Submit(gpu.Work{Dispatches: []gpu.Dispatch{{
			Binding: bind, Params: [gpu.ParamWords]uint32{word}, Groups: [3]uint32{1, 1, 1},
		}}})
		if err != nil {
			return err
		}
		defer p.Release()
		return p.Wait(context.Background())
	}
	require.NoError(t, run(15))
	var nothing *struct{ field int }
	nilPanics := func() { require.Panics(t, func() { nothing.field++ }) }
	nilPanics()
	require.ErrorContains(t, run(16), "write of byte 64 of buffer 0 (data), which has 64")
	nilPanics()
	require.Positive(t, metalsim.Committed())
	require.Positive(t, metalsim.Dispatched())
	require.Equal(t, -1, metalsim.Made("MTLTexture"))
}

// sanitize runs a kernel of testdata/reverse.metal under a sanitizer.
func sanitize(args ...string) (string, error) {
	out, err := exec.Command("./sanitize.sh", args...).CombinedOutput()
	return string(out), err
}

// Each sanitizer passes a right kernel and finds what it is for in a wrong one.
func TestSanitizers(t *testing.T) {
	kernels := []string{"testdata/reverse.metal", "testdata/reverse.cc", "--"}
	for _, c := range []struct {
		name, kind string
		flags      []string
		run        []string // kernel, shift, words
		want       string
	}{
		{"right under thread", "thread", nil, []string{"reverse", "3", "192"}, ""},
		{"barrier removed", "thread", []string{"-DWITHOUT_BARRIER"}, []string{"reverse_static", "3", "192"}, "data race"},
		{"shift too far", "undefined", nil, []string{"reverse", "40", "192"}, "shift exponent 40 is too large"},
		{"one word short", "address", nil, []string{"reverse", "3", "191"}, "heap-buffer-overflow"},
	} {
		t.Run(c.name, func(t *testing.T) {
			args := append(append([]string{c.kind}, c.flags...), kernels...)
			out, err := sanitize(append(args, c.run...)...)
			if c.want == "" {
				require.NoError(t, err, out)
				return
			}
			require.Error(t, err, out)
			require.Contains(t, out, c.want)
		})
	}
}
