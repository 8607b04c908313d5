//go:build purego

package simd

const built = "purego"
