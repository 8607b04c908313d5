//go:build (darwin || metalsim) && cgo

package metal

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/gpu"
	"github.com/crosspoint-kernels/crosspoint/gpu/mtl"
)

var required = flag.String("require", "", "comma-separated backends that must not be skipped")

// shared is the device that all tests of the package use, opened by the first.
var shared struct {
	dev gpu.Device
	err error
}

func TestMain(m *testing.M) {
	flag.Parse()
	code := m.Run()
	if shared.dev != nil {
		shared.dev.Close()
	}
	os.Exit(code)
}

// open returns the shared device, or skips the test and says why.
func open(tb testing.TB) gpu.Device {
	tb.Helper()
	if shared.dev == nil && shared.err == nil {
		shared.dev, shared.err = mtl.Open(mtl.Options{})
	}
	if shared.err == nil {
		return shared.dev
	}
	if slices.Contains(strings.Split(*required, ","), "metal") {
		tb.Fatal(shared.err)
	}
	tb.Skip(shared.err)
	return nil
}

// fresh returns a device of the test's own, which a fault in a mutant may lose.
func fresh(t *testing.T) gpu.Device {
	t.Helper()
	dev, err := mtl.Open(mtl.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { dev.Close() })
	return dev
}

// A runner holds one compiled kernel.
type runner struct {
	dev    gpu.Device
	kernel Kernel
	prog   gpu.Kernel

	recorder interface { // notes what was run, or nil
		record(k Kernel, grid [3]uint32, params [gpu.ParamWords]uint32, operands [][]byte, out []byte)
	}
}

func newRunner(tb testing.TB, dev gpu.Device, k Kernel) *runner {
	tb.Helper()
	src := gpu.Source{
		Name: k.Name, Text: k.Text, Entry: k.Entry, GroupSize: [3]uint32{k.GroupSize, 1, 1},
		Constants: k.Constants, GroupMemory: k.GroupMemory,
	}
	for _, w := range k.Access {
		a := gpu.ReadOnly
		if w {
			a = gpu.ReadWrite
		}
		src.Access = append(src.Access, a)
	}
	prog, err := dev.NewKernel(src)
	require.NoError(tb, err)
	tb.Cleanup(prog.Release)
	return &runner{dev: dev, kernel: k, prog: prog}
}

// run runs the kernel over count rows, coefficients or messages on copies of the
// operands, in a grid of two dimensions unless flat is set, and returns what
// buffer 0 then holds. A transform's table is appended to its one operand.
func (r *runner) run(count int, params [gpu.ParamWords]uint32, flat bool, operands ...[]byte) ([]byte, error) {
	if r.kernel.Table != nil {
		operands = append(operands, r.kernel.Table)
	}
	var buffers []gpu.Buffer
	for _, p := range operands {
		b, err := r.dev.NewBuffer(r.kernel.Name, len(p))
		if err != nil {
			return nil, err
		}
		defer b.Release()
		if err := b.Write(0, p); err != nil {
			return nil, err
		}
		buffers = append(buffers, b)
	}
	bound, err := r.dev.Bind(r.prog, buffers...)
	if err != nil {
		return nil, err
	}
	defer bound.Release()
	groups := uint32((count + r.kernel.PerGroup - 1) / r.kernel.PerGroup)
	grid := [3]uint32{groups, 1, 1}
	if !flat && groups > 1 {
		grid = [3]uint32{(groups + 1) / 2, 2, 1} // an odd number leaves a group over
	}
	pending, err := r.dev.Submit(gpu.Work{
		Dispatches: []gpu.Dispatch{{Binding: bound, Params: params, Groups: grid}},
		Reads:      []gpu.Range{{Buffer: buffers[0], Size: len(operands[0])}},
	})
	if err != nil {
		return nil, err
	}
	defer pending.Release()
	if err := pending.Wait(context.Background()); err != nil {
		return nil, err
	}
	out := slices.Clone(pending.View(0))
	if r.recorder != nil {
		r.recorder.record(r.kernel, grid, params, operands, out)
	}
	return out, nil
}

// mutate plants new for old in a kernel's text, of which it keeps the files with
// these names and the kernel's entry.
func mutate(tb testing.TB, k Kernel, names, old, new string) Kernel {
	tb.Helper()
	text := join(append([]string{"field.h"}, strings.Fields(names)...)...)
	require.Contains(tb, text, old)
	k.Text = only(strings.ReplaceAll(text, old, new), k.Entry)
	return k
}

// differ says where two results differ, or returns nil.
func differ(n int, got, want []uint64) error {
	wrong, at := 0, 0
	for i := range want {
		if got[i] != want[i] {
			if wrong == 0 {
				at = i
			}
			wrong++
		}
	}
	if wrong == 0 {
		return nil
	}
	return fmt.Errorf("%d of %d words differ, first at row %d, index %d: got %d, want %d", wrong, len(want), at/n, at%n, got[at], want[at])
}
