package main

import (
	"fmt"
	"os"

	"github.com/crosspoint-kernels/crosspoint/kernels/wgsl"
	"github.com/crosspoint-kernels/crosspoint/ntt"
	"github.com/gogpu/naga"
	"github.com/gogpu/naga/msl"
	"github.com/gogpu/wgpu/hal/metal/mslmap"
)

func dump(k wgsl.Kernel, n string) {
	ast, err := naga.Parse(k.Text)
	if err != nil {
		panic(err)
	}
	m, err := naga.LowerWithSource(ast, k.Text)
	if err != nil {
		panic(err)
	}
	o, err := mslmap.Options(m, len(k.Access)+1)
	if err != nil {
		panic(err)
	}
	s, info, err := msl.Compile(m, o)
	if err != nil {
		panic(err)
	}
	fmt.Println(n, k.Name, info.EntryPointNames, info.RequiresSizesBuffer)
	os.WriteFile("/tmp/x-sim/wgsl/"+n+"_"+k.Name+".metal", []byte(s), 0o644)
}

func main() {
	os.MkdirAll("/tmp/x-sim/wgsl", 0o755)
	for _, name := range ntt.Names() {
		r, err := ntt.Parse(name)
		if err != nil {
			panic(err)
		}
		p, err := wgsl.New(r.N(), r.Q(), r.Roots(), r.InverseRoots(), r.InverseN())
		if err != nil {
			fmt.Println(name, err)
			continue
		}
		for _, k := range []wgsl.Kernel{p.Forward, p.Inverse, p.Mul, p.MulAdd, p.MulMont, p.MulAddMont, p.MForm, p.IMForm, p.MatMulAddMont} {
			dump(k, name)
		}
	}
	h := wgsl.Keccak()
	_ = h
}
