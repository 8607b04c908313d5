//go:build race

package amd64

// underRace makes tests do less: the race detector sees nothing of assembly, and
// slows the reference tenfold.
const underRace = true
