package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/bits"
	"os"

	"github.com/crosspoint-kernels/crosspoint/gpu"
	"github.com/crosspoint-kernels/crosspoint/gpu/wgpu"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// plainFile is the plain kernel of kernels/wgsl's own benchmarks: one workgroup
// of 128 and eight barriers per polynomial, Shoup multiplication on 32-bit words.
// A module cannot embed what is outside it, so it is read where make compare and
// the tests run.
const plainFile = "../kernels/wgsl/testdata/plain.wgsl"

// plain runs the plain kernel over one batch, end to end: upload, one dispatch,
// read-back, all in buffers made once.
type plain struct {
	device  gpu.Device
	data    gpu.Buffer
	binding gpu.Binding
	params  [gpu.ParamWords]uint32
	groups  [3]uint32
	dst     []uint64
}

func newPlain(r *ntt.Ring, rows int) (*plain, error) {
	if r.N() != 256 {
		return nil, fmt.Errorf("the plain kernel is for N = 256, not %d", r.N())
	}
	d, err := wgpu.Open(wgpu.Options{AllowSoftware: true})
	if err != nil {
		return nil, err
	}
	p := &plain{device: d, dst: make([]uint64, rows*r.N())}
	if err := p.prepare(r, rows); err != nil {
		d.Close()
		return nil, err
	}
	return p, nil
}

func (p *plain) prepare(r *ntt.Ring, rows int) error {
	text, err := os.ReadFile(plainFile)
	if err != nil {
		return err
	}
	kernel, err := p.device.NewKernel(gpu.Source{
		Name: "plain", Text: string(text), Entry: "plain",
		Access: []gpu.Access{gpu.ReadWrite, gpu.ReadOnly}, GroupSize: [3]uint32{128, 1, 1},
	})
	if err != nil {
		return err
	}
	table := shoupTable(r)
	twiddles, err := p.device.NewBuffer("plain twiddles", len(table))
	if err != nil {
		return err
	}
	if err := twiddles.Write(0, table); err != nil {
		return err
	}
	if p.data, err = p.device.NewBuffer("plain rows", rows*r.N()*8); err != nil {
		return err
	}
	p.binding, err = p.device.Bind(kernel, p.data, twiddles)
	p.params = [gpu.ParamWords]uint32{uint32(rows), 0, uint32(r.Q()), uint32(r.Q() >> 32)}
	p.groups = [3]uint32{uint32(min(rows, 32768)), uint32((rows + 32767) / 32768), 1}
	return err
}

// shoupTable returns w and floor(w*2^64/q) of every root, little-endian.
func shoupTable(r *ntt.Ring) []byte {
	var b []byte
	for _, w := range r.Roots() {
		s, _ := bits.Div64(w, 0, r.Q())
		b = binary.LittleEndian.AppendUint64(b, w)
		b = binary.LittleEndian.AppendUint64(b, s)
	}
	return b
}

// forward transforms src into p.dst.
func (p *plain) forward(ctx context.Context, src []uint64) error {
	if err := p.data.Write(0, bytesOf(src)); err != nil {
		return err
	}
	pending, err := p.device.Submit(gpu.Work{
		Dispatches: []gpu.Dispatch{{Binding: p.binding, Params: p.params, Groups: p.groups}},
		Reads:      []gpu.Range{{Buffer: p.data, Size: p.data.Size()}},
	})
	if err != nil {
		return err
	}
	defer pending.Release()
	if err := pending.Wait(ctx); err != nil {
		return err
	}
	copy(bytesOf(p.dst), pending.View(0))
	return nil
}
