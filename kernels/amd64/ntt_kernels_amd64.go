//go:build amd64 && !purego

package amd64

// transformKernels returns the functions of a width that this machine has, or
// nil.
func transformKernels(w Width) *kernels {
	m := machine()
	switch {
	case w == IFMA && m.ifma:
		return &ifmaKernels
	case w == AVX512Narrow && m.avx512:
		return &lazy512Kernels
	case w == AVX512Float && m.avx512:
		return &float512Kernels
	case w == AVX2Narrow && m.avx2:
		return &lazy256Kernels
	case w == AVX2Float && m.avx2:
		return &float256Kernels
	}
	return nil
}

var ifmaKernels = kernels{
	lanes: 8, size: 8, maxBits: 50, lastReduces: true,
	forwardColumns: [4]passFunc{1: forwardColumns2IFMA, 2: forwardColumns4IFMA, 3: forwardColumns8IFMA},
	inverseColumns: [4]passFunc{1: inverseColumns2IFMA, 2: inverseColumns4IFMA, 3: inverseColumns8IFMA},
	forwardTail:    forwardTailIFMA,
	inverseHead:    inverseHeadIFMA,
	reduced:        reducedAVX512,
	mul:            mulIFMA,
	mulAdd:         mulAddIFMA,
	mulMont:        mulMontIFMA,
	mulAddMont:     mulAddMontIFMA,
	mulFactor:      mulFactorIFMA,
	constants:      ifmaConstants,
	factor:         ifmaFactor,
	bounds:         ifmaBounds,
	forward256:     forward256IFMA,
	inverse256:     inverse256IFMA,
}

var narrow512Kernels = kernels{
	mul:        mulNarrow512,
	mulAdd:     mulAddNarrow512,
	mulMont:    mulMontNarrow512,
	mulAddMont: mulAddMontNarrow512,
	mulFactor:  mulFactorNarrow512,
	constants:  narrowConstants,
	factor:     narrowFactor,
}

var lazy512Kernels = kernels{
	lanes: 16, size: 4, maxBits: 31,
	forwardColumns: [4]passFunc{1: forwardColumns2Lazy512, 2: forwardColumns4Lazy512, 3: forwardColumns8Lazy512},
	inverseColumns: [4]passFunc{1: inverseColumns2Lazy512, 2: inverseColumns4Lazy512, 3: inverseColumns8Lazy512},
	forwardTail:    forwardTailLazy512,
	inverseHead:    inverseHeadLazy512,
	reduced:        reducedAVX512,
	constants:      packedConstants,
	factor:         narrowFactor,
	bounds:         narrowBounds,
	pack:           packAVX512,
	unpack:         unpackAVX512,
	pointwise:      &narrow512Kernels,
	strict:         &strict512Kernels,
	half:           &lazy256Kernels,
	strictBits:     30,
}

var strict512Kernels = kernels{
	lanes: 16, size: 4, maxBits: 31,
	forwardColumns: [4]passFunc{1: forwardColumns2Strict512, 2: forwardColumns4Strict512, 3: forwardColumns8Strict512},
	inverseColumns: [4]passFunc{1: inverseColumns2Strict512, 2: inverseColumns4Strict512, 3: inverseColumns8Strict512},
	forwardTail:    forwardTailStrict512,
	inverseHead:    inverseHeadStrict512,
	reduced:        reducedAVX512,
	constants:      strictConstants,
	factor:         narrowFactor,
	bounds:         strictBounds,
	pack:           packAVX512,
	unpack:         unpackAVX512,
	pointwise:      &float512Kernels,
}

var float512Kernels = kernels{
	lanes: 8, size: 8, maxBits: 50,
	forwardColumns: [4]passFunc{1: forwardColumns2Float512, 2: forwardColumns4Float512, 3: forwardColumns8Float512},
	inverseColumns: [4]passFunc{1: inverseColumns2Float512, 2: inverseColumns4Float512, 3: inverseColumns8Float512},
	forwardTail:    forwardTailFloat512,
	inverseHead:    inverseHeadFloat512,
	reduced:        reducedAVX512,
	mul:            mulFloat512,
	mulAdd:         mulAddFloat512,
	mulMont:        mulMontFloat512,
	mulAddMont:     mulAddMontFloat512,
	mulFactor:      mulFactorFloat512,
	constants:      floatConstants,
	factor:         floatFactor,
	bounds:         floatBounds,
}

var narrow256Kernels = kernels{
	mul:        mulNarrow256,
	mulAdd:     mulAddNarrow256,
	mulMont:    mulMontNarrow256,
	mulAddMont: mulAddMontNarrow256,
	mulFactor:  mulFactorNarrow256,
	constants:  narrowConstants,
	factor:     narrowFactor,
}

var lazy256Kernels = kernels{
	lanes: 8, size: 4, maxBits: 31,
	forwardColumns: [4]passFunc{1: forwardColumns2Lazy256, 2: forwardColumns4Lazy256, 3: forwardColumns8Lazy256},
	inverseColumns: [4]passFunc{1: inverseColumns2Lazy256, 2: inverseColumns4Lazy256, 3: inverseColumns8Lazy256},
	forwardTail:    forwardTailLazy256,
	inverseHead:    inverseHeadLazy256,
	reduced:        reducedAVX2,
	constants:      packedConstants,
	factor:         narrowFactor,
	bounds:         narrowBounds,
	pack:           packAVX2,
	unpack:         unpackAVX2,
	pointwise:      &narrow256Kernels,
	strict:         &strict256Kernels,
	strictBits:     30,
}

var strict256Kernels = kernels{
	lanes: 8, size: 4, maxBits: 31,
	forwardColumns: [4]passFunc{1: forwardColumns2Strict256, 2: forwardColumns4Strict256, 3: forwardColumns8Strict256},
	inverseColumns: [4]passFunc{1: inverseColumns2Strict256, 2: inverseColumns4Strict256, 3: inverseColumns8Strict256},
	forwardTail:    forwardTailStrict256,
	inverseHead:    inverseHeadStrict256,
	reduced:        reducedAVX2,
	constants:      strictConstants,
	factor:         narrowFactor,
	bounds:         strictBounds,
	pack:           packAVX2,
	unpack:         unpackAVX2,
	pointwise:      &float256Kernels,
}

var float256Kernels = kernels{
	lanes: 4, size: 8, maxBits: 50,
	forwardColumns: [4]passFunc{1: forwardColumns2Float256, 2: forwardColumns4Float256, 3: forwardColumns8Float256},
	inverseColumns: [4]passFunc{1: inverseColumns2Float256, 2: inverseColumns4Float256, 3: inverseColumns8Float256},
	forwardTail:    forwardTailFloat256,
	inverseHead:    inverseHeadFloat256,
	reduced:        reducedAVX2,
	mul:            mulFloat256,
	mulAdd:         mulAddFloat256,
	mulMont:        mulMontFloat256,
	mulAddMont:     mulAddMontFloat256,
	mulFactor:      mulFactorFloat256,
	constants:      floatConstants,
	factor:         floatFactor,
	bounds:         floatBounds,
}
