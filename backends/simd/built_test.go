//go:build !purego

package simd

const built = "with assembly"
