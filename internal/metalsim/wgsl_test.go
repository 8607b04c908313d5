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
	"github.com/crosspoint-kernels/crosspoint/keccak"
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
	out, err := exec.Command("clang++", "-std=c++14", "-fsyntax-only", "-Wno-unknown-attributes",
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
	k := wgsl.Keccak().Stream
	text, _, _ := translate(t, k)
	checkMSL(t, k.Name, text)
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
		run := func(k wgsl.Kernel, a []uint64) []uint64 {
			got := onSimulator(t, d, k, rows, [gpu.ParamWords]uint32{rows}, pack(a, p.WordBytes), k.Table)
			return unpack(got, p.WordBytes)
		}
		require.Equal(t, want, run(p.Forward, a), "forward")
		require.Equal(t, a, run(p.Inverse, want), "inverse")
	})
}

// TestWGSLKeccak hashes messages of every length around one and two blocks, with a
// byte in front and without.
func TestWGSLKeccak(t *testing.T) {
	d, err := mtl.Open(mtl.Options{})
	require.NoError(t, err)
	defer d.Close()
	k := wgsl.Keccak().Hash
	rng := rand.New(rand.NewPCG(1, 2))
	for _, width := range []int{1, 31, 32, 64, 134, 135, 136, 137, 271, 272, 300} {
		for _, prefix := range []uint32{0, 256, 257, 256 + 255} {
			const count, base = 3, 5 // with room for the byte in front
			data := make([]byte, (base+count*width+7)/8*8)
			for i := range data {
				data[i] = byte(rng.Uint32())
			}
			params := [gpu.ParamWords]uint32{count, base, uint32(width), 0, prefix}
			got := onSimulator(t, d, k, count, params, make([]byte, 32*count), data, make([]byte, 8))
			for i := range count {
				message := data[base+i*width : base+(i+1)*width]
				if prefix != 0 {
					message = append([]byte{byte(prefix)}, message...)
				}
				want := keccak.Sum256(message)
				require.Equal(t, want[:], got[32*i:32*(i+1)], "message %d of %d bytes, prefix %d", i, width, prefix)
			}
		}
	}
}

// onSimulator runs what naga makes of a kernel over so many rows or messages, and
// returns the bytes of the first buffer.
func onSimulator(t *testing.T, d gpu.Device, k wgsl.Kernel, n int, params [gpu.ParamWords]uint32, contents ...[]byte) []byte {
	t.Helper()
	text, entry, sized := translate(t, k)
	var constants []byte
	for _, b := range sized {
		constants = binary.LittleEndian.AppendUint32(constants, uint32(len(contents[b.Binding])))
	}
	constants = append(constants, make([]byte, len(constants)%8)...)
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
	var buffers []gpu.Buffer
	for _, p := range contents {
		b, err := d.NewBuffer("", len(p))
		require.NoError(t, err)
		defer b.Release()
		require.NoError(t, b.Write(0, p))
		buffers = append(buffers, b)
	}
	b, err := d.Bind(kernel, buffers...)
	require.NoError(t, err)
	defer b.Release()
	groups := uint32((n + k.PerGroup - 1) / k.PerGroup)
	pending, err := d.Submit(gpu.Work{
		Dispatches: []gpu.Dispatch{{Binding: b, Params: params, Groups: [3]uint32{groups, 1, 1}}},
		Reads:      []gpu.Range{{Buffer: buffers[0], Size: len(contents[0])}},
	})
	require.NoError(t, err)
	defer pending.Release()
	require.NoError(t, pending.Wait(context.Background()))
	return append([]byte(nil), pending.View(0)...)
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
