package suite

import "github.com/crosspoint-kernels/crosspoint/kat"

// randomRows returns n coefficients in [0, q): the SplitMix64 stream of the seed,
// modulo q, as the known answers have it. A shorter result is a prefix of a
// longer one, and the same seed gives the same rows on every machine, so that a
// mismatch can be run again.
func randomRows(n int, q, seed uint64) []uint64 {
	rows := make([]uint64, n)
	kat.NewSplitMix64(seed).Fill(rows, q)
	return rows
}

// poison fills dst with a value that is no coefficient of any ring, so that a
// word that was not written is seen.
func poison(dst []uint64) {
	for i := range dst {
		dst[i] = ^uint64(0)
	}
}
