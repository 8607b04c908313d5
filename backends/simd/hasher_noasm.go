//go:build purego || (!amd64 && !arm64)

package simd

// hashWidths are the widths that this machine has, the widest first.
func hashWidths() []hashWidth { return []hashWidth{scalarWidth} }
