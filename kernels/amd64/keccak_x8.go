//go:build amd64 && !purego

package amd64

// HasKeccak reports whether this machine can run KeccakF1600x8 and Keccak256x8:
// AVX-512 F, BW, DQ and VL, and BMI2. Calling them where it is false is a fault of
// the processor.
//
// What they cost is the permutation, whose 2,280 operations on eight states take
// 1,140 cycles where two can begin at once, as on Zen 4, which has logic on four
// and rotations on two pipes of 256 bits. It takes 1,410, or 48 ns for each state,
// on an AMD EPYC (Zen 4) at 3.7 GHz, which is 0.17 of package keccak's; five other
// orders of the same instructions took 1 to 3 % longer, and with each rotation an
// addition in its place, which waits a cycle less, it would take 2 % less. Even the
// 2,160 operations with which theta gets by where registers are plenty could not be
// had in less than 0.13 there. Zen 5 begins four of them at once. Loading,
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
