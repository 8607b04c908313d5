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
		return &narrow512Kernels
	case w == AVX512Float && m.avx512:
		return &float512Kernels
	case w == AVX2Narrow && m.avx2:
		return &narrow256Kernels
	case w == AVX2Float && m.avx2:
		return &float256Kernels
	}
	return nil
}

var ifmaKernels = kernels{
	lanes: 8, maxBits: 50, lastReduces: true,
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
	lanes: 8, maxBits: 29,
	forwardColumns: [4]passFunc{1: forwardColumns2Narrow512, 2: forwardColumns4Narrow512, 3: forwardColumns8Narrow512},
	inverseColumns: [4]passFunc{1: inverseColumns2Narrow512, 2: inverseColumns4Narrow512, 3: inverseColumns8Narrow512},
	forwardTail:    forwardTailNarrow512,
	inverseHead:    inverseHeadNarrow512,
	reduced:        reducedAVX512,
	mul:            mulNarrow512,
	mulAdd:         mulAddNarrow512,
	mulMont:        mulMontNarrow512,
	mulAddMont:     mulAddMontNarrow512,
	mulFactor:      mulFactorNarrow512,
	constants:      narrowConstants,
	factor:         narrowFactor,
	bounds:         narrowBounds,
}

var float512Kernels = kernels{
	lanes: 8, maxBits: 50,
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
	lanes: 4, maxBits: 29,
	forwardColumns: [4]passFunc{1: forwardColumns2Narrow256, 2: forwardColumns4Narrow256, 3: forwardColumns8Narrow256},
	inverseColumns: [4]passFunc{1: inverseColumns2Narrow256, 2: inverseColumns4Narrow256, 3: inverseColumns8Narrow256},
	forwardTail:    forwardTailNarrow256,
	inverseHead:    inverseHeadNarrow256,
	reduced:        reducedAVX2,
	mul:            mulNarrow256,
	mulAdd:         mulAddNarrow256,
	mulMont:        mulMontNarrow256,
	mulAddMont:     mulAddMontNarrow256,
	mulFactor:      mulFactorNarrow256,
	constants:      narrowConstants,
	factor:         narrowFactor,
	bounds:         narrowBounds,
}

var float256Kernels = kernels{
	lanes: 4, maxBits: 50,
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
