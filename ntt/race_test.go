//go:build race

package ntt

// underRace makes tests that start no goroutine do less: the race detector
// has nothing to find in them and slows them tenfold.
const underRace = true
