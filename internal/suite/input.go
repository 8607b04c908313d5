package suite

// splitMix64 is Steele, Lea and Flood's generator ("Fast splittable
// pseudorandom number generators", 2014): the same stream for the same seed on
// every machine, so that a mismatch can be run again.
type splitMix64 uint64

func (s *splitMix64) next() uint64 {
	*s += 0x9E3779B97F4A7C15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// randomRows returns n coefficients in [0, q): a SplitMix64 stream modulo q. A
// shorter result is a prefix of a longer one.
func randomRows(n int, q, seed uint64) []uint64 {
	s := splitMix64(seed)
	rows := make([]uint64, n)
	for i := range rows {
		rows[i] = s.next() % q
	}
	return rows
}

// poison fills dst with a value that is no coefficient of any ring, so that a
// word that was not written is seen.
func poison(dst []uint64) {
	for i := range dst {
		dst[i] = ^uint64(0)
	}
}
