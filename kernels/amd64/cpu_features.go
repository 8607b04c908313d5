//go:build amd64 && !purego

package amd64

import "sync"

// features are the sets of instructions that the kernels use, where both the
// processor has them and the system saves their registers.
type features struct {
	avx2   bool // AVX2 and FMA
	avx512 bool // AVX-512 F, BW, DQ and VL
	ifma   bool // avx512, and IFMA besides
}

// machine returns the features of this machine, which it asks for once.
var machine = sync.OnceValue(func() (f features) {
	const (
		osxsave, avx, fma = 1 << 27, 1 << 28, 1 << 12
		avx2              = 1 << 5
		avx512            = 1<<16 | 1<<17 | 1<<30 | 1<<31 // F, DQ, BW, VL
		ifma              = 1 << 21
		ymmState          = 1<<1 | 1<<2
		zmmState          = ymmState | 1<<5 | 1<<6 | 1<<7
	)
	most, _, _, _ := cpuid(0, 0)
	_, _, ecx, _ := cpuid(1, 0)
	if most < 7 || ecx&(osxsave|avx|fma) != osxsave|avx|fma {
		return f
	}
	saved := xgetbv()
	_, ebx, _, _ := cpuid(7, 0)
	f.avx2 = saved&ymmState == ymmState && ebx&avx2 != 0
	f.avx512 = f.avx2 && saved&zmmState == zmmState && ebx&avx512 == avx512
	f.ifma = f.avx512 && ebx&ifma != 0
	return f
})
