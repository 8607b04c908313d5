//go:build !race

package simd

const underRace = false
