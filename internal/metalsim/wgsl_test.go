//go:build metalsim && cgo

package metalsim_test

import (
	"context"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/gogpu/naga"
	"github.com/gogpu/naga/ir"
	"github.com/gogpu/naga/msl"
	"github.com/gogpu/wgpu/hal/metal/mslmap"
	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/gpu"
	"github.com/crosspoint-kernels/crosspoint/gpu/mtl"
	"github.com/crosspoint-kernels/crosspoint/kernels/wgsl"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// translate gives the MSL that the wgsl backend runs on a Mac, as gogpu/wgpu makes
// it there: the sizes of the buffers come behind the parameters. It returns the
// name of the kernel and by which bindings the sizes go.
func translate(t *testing.T, k wgsl.Kernel) (text, entry string, sized []ir.ResourceBinding) {
	t.Helper()
	ast, err := naga.Parse(k.Text)
	require.NoError(t, err)
	module, err := naga.LowerWithSource(ast, k.Text)
	require.NoError(t, err)
	sized, err = mslmap.RuntimeArrayBindings(module)
	require.NoError(t, err)
	options, err := mslmap.Options(module, len(k.Access)+1)
	require.NoError(t, err)
	text, info, err := msl.Compile(module, options)
	require.NoError(t, err)
	return text, info.EntryPointNames[k.Entry], sized
}

// checkMSL lets the simulator's scanner and clang read a text, which is most of
// compiling it.
func checkMSL(t *testing.T, name, text string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), name+".metal")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	scanned, err := exec.Command("build/metalscan", file).Output()
	require.NoError(t, err)
	cc := filepath.Join(filepath.Dir(file), name+".cc")
	require.NoError(t, os.WriteFile(cc, scanned, 0o600))
	out, err := exec.Command("clang++", "-std=c++14", "-fsyntax-only", "-Wall", "-Werror", "-Wno-unknown-attributes",
		"-Wno-unused-const-variable", "-isystem", "include/msl", "-include", "include/msl/metalsim_abi.h", cc).CombinedOutput()
	require.NoError(t, err, "%s: %s", name, out)
}

func programs(t *testing.T, f func(t *testing.T, r *ntt.Ring, p *wgsl.Program)) {
	for _, name := range ntt.Names() {
		t.Run(name, func(t *testing.T) {
			r, err := ntt.Parse(name)
			require.NoError(t, err)
			p, err := wgsl.New(r.N(), r.Q(), r.Roots(), r.InverseRoots(), r.InverseN())
			require.NoError(t, err)
			f(t, r, p)
		})
	}
}

func TestWGSLCompiles(t *testing.T) {
	programs(t, func(t *testing.T, _ *ntt.Ring, p *wgsl.Program) {
		for _, k := range []wgsl.Kernel{p.Mul, p.MulAdd, p.MulMont, p.MulAddMont, p.MForm, p.IMForm, p.MatMulAddMont} {
			text, _, _ := translate(t, k)
			checkMSL(t, k.Name, text)
		}
	})
	h := wgsl.Keccak()
	for _, k := range []wgsl.Kernel{h.Hash, h.Stream} {
		text, _, _ := translate(t, k)
		checkMSL(t, k.Name, text)
	}
}

// TestWGSLTransforms runs the transforms, which have barriers.
func TestWGSLTransforms(t *testing.T) {
	d, err := mtl.Open(mtl.Options{})
	require.NoError(t, err)
	defer d.Close()
	programs(t, func(t *testing.T, r *ntt.Ring, p *wgsl.Program) {
		const rows = 5
		rng := rand.New(rand.NewPCG(1, r.Q()))
		a := make([]uint64, rows*r.N())
		for i := range a {
			a[i] = rng.Uint64N(r.Q())
		}
		want := make([]uint64, len(a))
		require.NoError(t, r.Forward(want, a))
		require.Equal(t, want, onSimulator(t, d, p.Forward, p.WordBytes, rows, a), "forward")
		require.Equal(t, a, onSimulator(t, d, p.Inverse, p.WordBytes, rows, want), "inverse")
	})
}

// onSimulator transforms rows of coefficients.
func onSimulator(t *testing.T, d gpu.Device, k wgsl.Kernel, wordBytes, rows int, a []uint64) []uint64 {
	t.Helper()
	text, entry, sized := translate(t, k)
	sizes := []int{len(a) * wordBytes, len(k.Table)}
	constants := make([]byte, 0, 16)
	for _, b := range sized {
		constants = binary.LittleEndian.AppendUint32(constants, uint32(sizes[b.Binding]))
	}
	access := make([]gpu.Access, len(k.Access))
	for i, writes := range k.Access {
		if writes {
			access[i] = gpu.ReadWrite
		}
	}
	kernel, err := d.NewKernel(gpu.Source{
		Name: k.Name, Text: text, Entry: entry, Access: access, GroupSize: [3]uint32{k.GroupSize, 1, 1}, Constants: constants,
	})
	require.NoError(t, err)
	defer kernel.Release()
	data, table := filled(t, d, pack(a, wordBytes)), filled(t, d, k.Table)
	defer data.Release()
	defer table.Release()
	b, err := d.Bind(kernel, data, table)
	require.NoError(t, err)
	defer b.Release()
	groups := uint32((rows + k.PerGroup - 1) / k.PerGroup)
	pending, err := d.Submit(gpu.Work{
		Dispatches: []gpu.Dispatch{{Binding: b, Params: [gpu.ParamWords]uint32{uint32(rows)}, Groups: [3]uint32{groups, 1, 1}}},
		Reads:      []gpu.Range{{Buffer: data, Size: data.Size()}},
	})
	require.NoError(t, err)
	defer pending.Release()
	require.NoError(t, pending.Wait(context.Background()))
	return unpack(pending.View(0), wordBytes)
}

func filled(t *testing.T, d gpu.Device, p []byte) gpu.Buffer {
	t.Helper()
	b, err := d.NewBuffer("", len(p))
	require.NoError(t, err)
	require.NoError(t, b.Write(0, p))
	return b
}

func pack(a []uint64, wordBytes int) []byte {
	p := make([]byte, 0, len(a)*wordBytes)
	for _, x := range a {
		p = append(p, binary.LittleEndian.AppendUint64(nil, x)[:wordBytes]...)
	}
	return p
}

func unpack(p []byte, wordBytes int) []uint64 {
	a := make([]uint64, len(p)/wordBytes)
	for i := range a {
		var word [8]byte
		copy(word[:], p[i*wordBytes:(i+1)*wordBytes])
		a[i] = binary.LittleEndian.Uint64(word[:])
	}
	return a
}
