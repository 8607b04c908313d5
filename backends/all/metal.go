//go:build darwin || metalsim

package all

import _ "github.com/crosspoint-kernels/crosspoint/backends/metal"
