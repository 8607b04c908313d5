//go:build !metalsim

package all

import _ "github.com/crosspoint-kernels/crosspoint/backends/wgsl"
