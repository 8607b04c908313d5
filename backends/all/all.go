// Package all registers every backend of the toolkit. Main packages and tests
// import it for that effect; a library imports the backends that it wants.
//
// A program on Linux with the tag metalsim has no wgsl: the way to Vulkan does
// not link there beside cgo, which the simulator of Metal needs.
package all

import (
	_ "github.com/crosspoint-kernels/crosspoint/backends/auto"
	_ "github.com/crosspoint-kernels/crosspoint/backends/cpu"
	_ "github.com/crosspoint-kernels/crosspoint/backends/simd"
)
