//go:build race

package simd

// underRace: the race detector makes sync.Pool drop what it holds now and then, so
// that allocations say nothing.
const underRace = true
