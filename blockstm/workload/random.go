package workload

import (
	"math"
	"math/bits"
	"sort"
)

// splitMix64 is the generator of Steele, Lea and Flood, "Fast Splittable
// Pseudorandom Number Generators", OOPSLA 2014.
type splitMix64 uint64

func (s *splitMix64) next() uint64 {
	*s += 0x9e3779b97f4a7c15
	return finalize(uint64(*s))
}

func finalize(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// mix64 is the first number of the stream with seed x: a bijection.
func mix64(x uint64) uint64 { return finalize(x + 0x9e3779b97f4a7c15) }

// below returns a number below n, which is at least 1. Its bias is below n/2^64.
func (s *splitMix64) below(n int) int {
	hi, _ := bits.Mul64(s.next(), uint64(n))
	return int(hi)
}

// chance is true ppm times in a million.
func (s *splitMix64) chance(ppm int) bool { return s.below(Million) < ppm }

// zipf draws ranks of which rank r, from 0, has a probability in proportion to
// (r+1)^-exponent.
type zipf struct {
	sums []float64 // of the probabilities, unscaled
}

func newZipf(n int, exponent float64) *zipf {
	z := &zipf{make([]float64, n)}
	sum := 0.0
	for r := range z.sums {
		sum += math.Pow(float64(r+1), -exponent)
		z.sums[r] = sum
	}
	return z
}

func (z *zipf) draw(s *splitMix64) int {
	x := float64(s.next()>>11) / (1 << 53) * z.sums[len(z.sums)-1]
	return min(sort.SearchFloat64s(z.sums, x), len(z.sums)-1)
}
