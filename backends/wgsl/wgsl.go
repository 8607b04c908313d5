// Package wgsl is the backend of WebGPU devices: the WGSL programs of
// kernels/wgsl on whatever gpu/wgpu finds (Vulkan, Metal or DX12).
//
// It takes rings of degree 8 to 2,048; the kernels keep a row within one
// workgroup, where a barrier reaches it. Its Hasher takes messages of any length
// and is a keccak.TreeHasher; but it hashes a message in one invocation, so that
// few long messages are better left to a CPU. A device that runs on the CPU, such
// as Mesa's lavapipe, is opened only where Options.AllowSoftware is set.
package wgsl

import (
	"fmt"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/backends/internal/device"
	"github.com/crosspoint-kernels/crosspoint/gpu"
	"github.com/crosspoint-kernels/crosspoint/gpu/wgpu"
	kernels "github.com/crosspoint-kernels/crosspoint/kernels/wgsl"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// Name is the name under which the backend is registered.
const Name = "wgsl"

func init() { backends.Register(backends.Driver{Name: Name, Rank: 30, Open: Open}) }

// Open opens the device that o asks for, or the best that there is, and checks
// that it computes a known answer. The error wraps backends.ErrUnavailable and
// says what is missing.
func Open(o backends.Options) (backends.Backend, error) {
	dev, err := wgpu.Open(wgpu.Options{Device: o.Device, AllowSoftware: o.AllowSoftware, Wipe: o.Wipe})
	if err != nil {
		return nil, &backends.Error{Backend: Name, Op: "open", Err: fmt.Errorf("%w: %w", backends.ErrUnavailable, err)}
	}
	return device.New(dev, device.Config{
		Name:    Name,
		Options: o,
		Program: program,
		MaxN:    kernels.MaxN,
		Reason:  "a row must fit one workgroup",
		Keccak:  hashProgram(),
	})
}

// hashProgram writes the kernels of Keccak-256.
func hashProgram() *device.HashProgram {
	p := kernels.Keccak()
	return &device.HashProgram{
		Hash: kernel(p.Hash), Stream: kernel(p.Stream),
		MaxBlocks: kernels.KeccakMaxBlocks, Head: kernels.KeccakHead, Tail: kernels.KeccakTail,
	}
}

// program writes the kernels of a ring.
func program(r *ntt.Ring) (*device.Program, error) {
	p, err := kernels.New(r.N(), r.Q(), r.Roots(), r.InverseRoots(), r.InverseN())
	if err != nil {
		return nil, fmt.Errorf("%w: %w", backends.ErrUnsupported, err)
	}
	return &device.Program{
		WordBytes:     p.WordBytes,
		Forward:       kernel(p.Forward),
		Inverse:       kernel(p.Inverse),
		Mul:           kernel(p.Mul),
		MulAdd:        kernel(p.MulAdd),
		MulMont:       kernel(p.MulMont),
		MulAddMont:    kernel(p.MulAddMont),
		MForm:         kernel(p.MForm),
		IMForm:        kernel(p.IMForm),
		MatMulAddMont: kernel(p.MatMulAddMont),
	}, nil
}

func kernel(k kernels.Kernel) device.Kernel {
	access := make([]gpu.Access, len(k.Access))
	for i, written := range k.Access {
		if written {
			access[i] = gpu.ReadWrite
		}
	}
	return device.Kernel{
		Source: gpu.Source{
			Name: k.Name, Text: k.Text, Entry: k.Entry,
			Access: access, GroupSize: [3]uint32{k.GroupSize, 1, 1},
		},
		PerGroup: k.PerGroup,
		Table:    k.Table,
	}
}
