//go:build amd64 && !purego

package amd64

// transformKernels returns the functions of a width that this machine has, or
// nil.
func transformKernels(w Width) *kernels {
	switch {
	case w == IFMA && machine().ifma:
		return &ifmaKernels
	}
	return nil
}

var ifmaKernels = kernels{
	lanes: 8, maxBits: 50,
	forwardColumns: [4]passFunc{1: forwardColumns2IFMA, 2: forwardColumns4IFMA, 3: forwardColumns8IFMA},
	inverseColumns: [4]passFunc{1: inverseColumns2IFMA, 2: inverseColumns4IFMA, 3: inverseColumns8IFMA},
	forwardTail:    forwardTailIFMA,
	inverseHead:    inverseHeadIFMA,
	reduced:        reducedAVX512,
	constants:      ifmaConstants,
	factor:         ifmaFactor,
	bounds:         ifmaBounds,
	forward256:     forward256IFMA,
	inverse256:     inverse256IFMA,
	mul:            mulIFMA,
	mulAdd:         mulAddIFMA,
	mulMont:        mulMontIFMA,
	mulAddMont:     mulAddMontIFMA,
	mulFactor:      mulFactorIFMA,
}
