//go:build (darwin || metalsim) && cgo

package metal

import (
	"errors"
	"fmt"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/backends/internal/device"
	"github.com/crosspoint-kernels/crosspoint/gpu"
	"github.com/crosspoint-kernels/crosspoint/gpu/mtl"
	kernels "github.com/crosspoint-kernels/crosspoint/kernels/metal"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

func init() { backends.Register(backends.Driver{Name: Name, Rank: rank, Open: Open}) }

// errSimulator is why the simulator is not opened unasked.
var errSimulator = errors.New("this program has a simulator in the place of Metal; the option AllowSoftware takes it")

// Open opens the device that o asks for, or the system's choice, and checks that
// it computes a known answer. The error wraps backends.ErrUnavailable and says
// what is missing.
func Open(o backends.Options) (backends.Backend, error) {
	dev, err := mtl.Open(mtl.Options{Device: o.Device, Library: o.Metallib, Binary: kernels.Library(), Wipe: o.Wipe})
	if err == nil && dev.Info().Software && !o.AllowSoftware {
		err = errors.Join(errSimulator, dev.Close())
	}
	if err != nil {
		return nil, &backends.Error{Backend: Name, Op: "open", Err: fmt.Errorf("%w: %w", backends.ErrUnavailable, err)}
	}
	return device.New(dev, device.Config{
		Name:    Name,
		Options: o,
		Program: program,
		MaxN:    kernels.MaxN,
		Reason:  "a row must fit the memory of one threadgroup",
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
			Constants: k.Constants, GroupMemory: k.GroupMemory,
		},
		PerGroup: k.PerGroup,
		Table:    k.Table,
	}
}
