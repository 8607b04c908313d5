package wgpu

import "runtime"

type pace struct{ n int }

func (p *pace) pause() { p.n++; runtime.Gosched() }
