//go:build !blockstm_stress

package blockstm

// yield marks a point between two steps whose order matters. Built with the tag
// blockstm_stress it gives way to other goroutines at random.
func yield() {}
