//go:build !race

package ntt

const underRace = false
