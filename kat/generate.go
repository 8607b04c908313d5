package kat

// SplitMix64 is the generator of Steele, Lea and Flood, "Fast Splittable
// Pseudorandom Number Generators" (2014). Its state is the seed, so the zero
// value is the stream of seed 0. It makes test inputs and no secrets, and is a
// math/rand/v2 Source.
type SplitMix64 uint64

// NewSplitMix64 returns the generator at the start of a seed's stream.
func NewSplitMix64(seed uint64) *SplitMix64 {
	s := SplitMix64(seed)
	return &s
}

const splitMixStep = 0x9E3779B97F4A7C15

// Uint64 returns the next number of the stream.
func (s *SplitMix64) Uint64() uint64 {
	*s += splitMixStep
	z := uint64(*s)
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// Skip goes n numbers ahead, in no time.
func (s *SplitMix64) Skip(n uint64) { *s += SplitMix64(n * splitMixStep) }

// Fill sets every coefficient of dst to the next number of the stream modulo q.
func (s *SplitMix64) Fill(dst []uint64, q uint64) {
	for i := range dst {
		dst[i] = s.Uint64() % q
	}
}

// FillSparse sets every coefficient of dst to 0, 1 or q-1, by the next number x
// of the stream: 1 where x mod 16 = 0, q-1 where x mod 16 = 1, else 0. The
// inverse transform of such rows makes inputs whose outputs hold 0 and q-1,
// which is where a wrong last reduction shows: random rows miss it.
func (s *SplitMix64) FillSparse(dst []uint64, q uint64) {
	for i := range dst {
		switch s.Uint64() % 16 {
		case 0:
			dst[i] = 1
		case 1:
			dst[i] = q - 1
		default:
			dst[i] = 0
		}
	}
}

// FillPeriodic repeats values over each row of n coefficients: one value makes
// a constant, two alternate. Neither n nor the number of values may be 0.
func FillPeriodic(dst []uint64, n int, values ...uint64) {
	for i := range dst {
		dst[i] = values[i%n%len(values)]
	}
}

// FillIota sets coefficient i of each row of n coefficients to i mod q.
func FillIota(dst []uint64, n int, q uint64) {
	for i := range dst {
		dst[i] = uint64(i%n) % q
	}
}

// FillDelta sets coefficient at of each row of n coefficients to value, and
// the others to 0.
func FillDelta(dst []uint64, n, at int, value uint64) {
	for i := range dst {
		dst[i] = 0
		if i%n == at {
			dst[i] = value
		}
	}
}
