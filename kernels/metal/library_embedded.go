//go:build metallib

package metal

import _ "embed"

//go:embed crosspoint.metallib
var library []byte

// Library returns the kernels as a compiled library: what "make metallib" made
// of the sources.
func Library() []byte { return library }
