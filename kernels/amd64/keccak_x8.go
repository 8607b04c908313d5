//go:build amd64 && !purego

package amd64

// HasKeccak reports whether this machine can run KeccakF1600x8 and Keccak256x8:
// AVX-512 F, BW, DQ and VL, and BMI2. Calling them where it is false is a fault of
// the processor.
//
// The permutation is nearly all of what they cost. Its 2,280 operations on eight
// states take 1,140 cycles where two can begin in each, as on Zen 4, which has four
// pipes of 256 bits for logic and two for rotations. It takes 1,410 there, or 48 ns
// for each state on an AMD EPYC (Zen 4) at 3.7 GHz, which is 0.18 of package
// keccak's. Five other orders of the same instructions took 1 to 3 % longer, and
// an exclusive or in place of each rotation, whose result comes a cycle earlier,
// made it no more than 2 % shorter. 2,160 operations would do, if there were ten
// registers for theta, and take 0.13 of package keccak's at best. Loading,
// transposing and padding messages of up to 135 bytes adds 3 to 8 %
// (go test -bench Keccak ./kernels/amd64).
func HasKeccak() bool {
	const bmi2 = 1 << 8
	if !machine().avx512 {
		return false
	}
	_, ebx, _, _ := cpuid(7, 0)
	return ebx&bmi2 != 0
}
