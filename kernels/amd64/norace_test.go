//go:build !race

package amd64

const underRace = false
