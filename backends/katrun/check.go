package katrun

import (
	"context"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/kat"
)

// Check runs everything in the files that a backend computes: what CheckVectors,
// CheckHashes and CheckRoots run, in that order. CheckFunctions is the rest.
func Check(ctx context.Context, b backends.Backend, files []kat.File) []Outcome {
	outcomes := CheckVectors(ctx, b, files)
	outcomes = append(outcomes, CheckHashes(ctx, b, files)...)
	return append(outcomes, CheckRoots(ctx, b, files)...)
}
