package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/crosspoint-kernels/crosspoint/backends/katrun"
	"github.com/crosspoint-kernels/crosspoint/internal/suite"
	"github.com/crosspoint-kernels/crosspoint/kat"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// quickCoefficients bounds a vector of the check before a sweep, so that it takes
// no time to speak of on any device.
const quickCoefficients = 1 << 14

// check runs the small known answers of the rings on every contestant before
// anything is measured. Each cell is compared with the reference besides, so a
// ring without vectors is checked too; but only the vectors come from elsewhere.
func (a *app) check(ctx context.Context, cs []suite.Contestant, rings []*ntt.Ring) error {
	files, err := a.vectors()
	if err != nil {
		return err
	}
	files = quick(files, rings)
	for _, c := range cs {
		for _, o := range katrun.CheckVectors(ctx, c.Backend, files) {
			if o.Err != nil && !o.Unsupported && ctx.Err() == nil {
				return &exitError{exitFailure, fmt.Errorf("%s: known answer %s: %w", c.Name, o.Vector, o.Err)}
			}
		}
	}
	return nil
}

// quick keeps the small vectors of the rings.
func quick(files []kat.File, rings []*ntt.Ring) []kat.File {
	wanted := func(k kat.Ring) bool {
		return slices.ContainsFunc(rings, func(r *ntt.Ring) bool {
			return k.N == r.N() && k.Q == r.Q() && k.Psi == r.Psi()
		})
	}
	var kept []kat.File
	for _, f := range files {
		f.Probes = slices.DeleteFunc(slices.Clone(f.Probes), func(p kat.Probe) bool { return !wanted(p.Ring) })
		f.Vectors = slices.DeleteFunc(slices.Clone(f.Vectors), func(v kat.Vector) bool {
			return !wanted(v.Ring) || v.Rows*v.Ring.N > quickCoefficients
		})
		kept = append(kept, f)
	}
	return kept
}
