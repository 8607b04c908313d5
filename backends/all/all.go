// Package all registers every backend of the toolkit. Main packages and tests
// import it for that effect; a library imports the backends that it wants.
package all

import (
	_ "github.com/crosspoint-kernels/crosspoint/backends/auto"
	_ "github.com/crosspoint-kernels/crosspoint/backends/cpu"
	_ "github.com/crosspoint-kernels/crosspoint/backends/simd"
	_ "github.com/crosspoint-kernels/crosspoint/backends/wgsl"
)
