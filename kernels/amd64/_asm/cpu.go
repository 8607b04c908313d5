package main

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/reg"
)

// cpuOutputs are the functions that ask the processor what it has.
var cpuOutputs = []output{{"cpu", func(c *build.Context) {
	c.Function("cpuid")
	c.SignatureExpr("func(leaf, subleaf uint32) (eax, ebx, ecx, edx uint32)")
	c.Doc("cpuid returns what CPUID says of a leaf.")
	c.Load(c.Param("leaf"), reg.EAX)
	c.Load(c.Param("subleaf"), reg.ECX)
	c.CPUID()
	for i, r := range []reg.Register{reg.EAX, reg.EBX, reg.ECX, reg.EDX} {
		c.Store(r, c.ReturnIndex(i))
	}
	c.RET()

	c.Function("xgetbv")
	c.SignatureExpr("func() (eax uint32)")
	c.Doc("xgetbv returns the low half of XCR0: the registers that the system saves.")
	c.XORL(reg.ECX, reg.ECX)
	c.XGETBV()
	c.Store(reg.EAX, c.ReturnIndex(0))
	c.RET()
}}}
