//go:build !amd64 || purego

package amd64

// transformKernels returns nil: this build has no width.
func transformKernels(Width) *kernels { return nil }
