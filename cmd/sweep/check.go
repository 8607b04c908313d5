package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/crosspoint-kernels/crosspoint/backends/katrun"
	"github.com/crosspoint-kernels/crosspoint/internal/suite"
	"github.com/crosspoint-kernels/crosspoint/kat"
)

// quickCoefficients bounds a vector of the check before a sweep, so that it takes
// no time to speak of on any device.
const quickCoefficients = 1 << 14

// quickMessages and quickLeaves do the same for hashes and roots.
const (
	quickMessages = 64
	quickLeaves   = 300
)

// check runs the small known answers of what the stages need on every contestant
// before anything is measured. Each cell is compared with the reference besides,
// so a ring without vectors is checked too; but only the vectors come from
// elsewhere.
func (a *app) check(ctx context.Context, cs []suite.Contestant, stages []stage) error {
	files, err := a.vectors()
	if err != nil {
		return err
	}
	files = quick(files, stages)
	for _, c := range cs {
		for _, o := range katrun.Check(ctx, c.Backend, files) {
			if o.Err != nil && !o.Unsupported && ctx.Err() == nil {
				return &exitError{exitFailure, fmt.Errorf("%s: known answer %s: %w", c.Name, o.Vector, o.Err)}
			}
		}
	}
	return nil
}

// quick keeps the small vectors that are of use to the stages.
func quick(files []kat.File, stages []stage) []kat.File {
	wanted := func(k kat.Ring) bool {
		return slices.ContainsFunc(stages, func(s stage) bool {
			return s.ring != nil && k.N == s.ring.N() && k.Q == s.ring.Q() && k.Psi == s.ring.Psi()
		})
	}
	hashes := slices.ContainsFunc(stages, func(s stage) bool { return s.hashes })
	var kept []kat.File
	for _, f := range files {
		f.Probes = slices.DeleteFunc(slices.Clone(f.Probes), func(p kat.Probe) bool { return !wanted(p.Ring) })
		f.Vectors = slices.DeleteFunc(slices.Clone(f.Vectors), func(v kat.Vector) bool {
			return !wanted(v.Ring) || v.Rows*v.Ring.N > quickCoefficients
		})
		f.Permutations = nil // of no backend
		f.Hashes = slices.DeleteFunc(slices.Clone(f.Hashes), func(v kat.HashVector) bool {
			return !hashes || v.Function != kat.Keccak256 || v.Len() > quickMessages
		})
		f.Roots = slices.DeleteFunc(slices.Clone(f.Roots), func(v kat.RootVector) bool {
			return !hashes || v.Len() > quickLeaves
		})
		kept = append(kept, f)
	}
	return kept
}
