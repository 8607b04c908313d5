//go:build !metallib

package metal

// Library returns the kernels as a compiled library, or nil: this program was
// built without one, so that the driver compiles Source.
func Library() []byte { return nil }
