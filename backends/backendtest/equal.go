package backendtest

import (
	"context"
	"fmt"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/backends/katrun"
	"github.com/crosspoint-kernels/crosspoint/kat"
)

// checkVectors runs the known answers.
func checkVectors(ctx context.Context, e *env) error {
	// The plans that other checks use too, so that kernels are compiled once.
	if err := e.each(rings, func(testRing, backends.Plan) error { return nil }); err != nil {
		return err
	}
	files, err := kat.Files()
	if err != nil {
		return err
	}
	maxN := e.backend.Info().MaxN
	degree := map[string]int{}
	for _, f := range files {
		for _, v := range f.Vectors {
			degree[v.Ring.Name] = v.Ring.N
		}
	}
	for _, o := range katrun.CheckVectors(ctx, e.backend, files) {
		if o.Err != nil && (!o.Unsupported || degree[o.Ring] <= maxN) {
			return fmt.Errorf("%s: %s: %w", o.File, o.Vector, o.Err)
		}
	}
	return nil
}

// checkSizes runs every operation in every ring on every batch size from 1 on,
// by turns in place and not. Large rings get the sizes at which kernels group
// rows.
func checkSizes(ctx context.Context, e *env) error {
	return e.each(rings, func(tr testRing, p backends.Plan) error {
		for i, size := range sizesFor(tr, e.scale.sizes) {
			if err := compareAll(ctx, p, size, uint64(size), []layout{separate, dstIsA}[i%2]); err != nil {
				return err
			}
		}
		return nil
	})
}

func sizesFor(tr testRing, most int) []int {
	var sizes []int
	switch {
	case tr.n > 2048:
		return []int{1, 2, 3}[:min(3, 1+most/16)]
	case tr.n > 256:
		for _, n := range []int{1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 33, 65} {
			if n <= most {
				sizes = append(sizes, n)
			}
		}
		return sizes
	}
	for n := range most {
		sizes = append(sizes, n+1)
	}
	return sizes
}

// checkAliasing runs every operation with every choice of arguments that are
// the same slice.
func checkAliasing(ctx context.Context, e *env) error {
	return e.each([]testRing{pulsar, mldsa, q97, q61}, func(_ testRing, p backends.Plan) error {
		for _, size := range []int{1, 6, 37} {
			if err := compareAll(ctx, p, size, uint64(1000+size), separate, dstIsA, dstIsB, aIsB, allSame); err != nil {
				return err
			}
		}
		return nil
	})
}

// checkChunks runs every operation on batches around the sizes at which a
// device's buffers and grids end, and goes on, with the transforms, until the
// backend says that it took a second chunk.
func checkChunks(ctx context.Context, e *env) error {
	err := e.each([]testRing{pulsar}, func(_ testRing, p backends.Plan) error {
		for _, size := range e.scale.edges {
			if err := compareAll(ctx, p, size, uint64(size), separate); err != nil {
				return err
			}
		}
		return secondChunk(ctx, p, e.scale.late, e.scale.most)
	})
	if err != nil {
		return err
	}
	// Small rows pass 65,535 workgroups, the most in one dimension of a grid.
	err = e.each([]testRing{q97, q61}, func(_ testRing, p backends.Plan) error {
		return compareAll(ctx, p, e.scale.wide, 1, separate)
	})
	if err != nil {
		return err
	}
	return e.each([]testRing{{"n2048-q61", 2048, 0x1ffffffffffed001}}, func(_ testRing, p backends.Plan) error {
		return compareAll(ctx, p, e.scale.late/8+1, 2, separate)
	})
}

// secondChunk doubles a batch, up to most rows, until its transforms take more
// than one submission. A CPU reports none, and is done at once.
func secondChunk(ctx context.Context, p backends.Plan, size, most int) error {
	for ; size <= most; size = 2*size - 1 {
		chunks := 0
		timed := backends.WithTiming(ctx, func(t backends.Timing) { chunks = t.Chunks })
		a := rows(p.Ring(), size, uint64(size)+7)
		for _, op := range katrun.Operations()[:2] {
			if err := compare(timed, p, op, dstIsA, nil, a, nil); err != nil {
				return err
			}
		}
		if chunks != 1 {
			return nil
		}
	}
	return nil
}

// checkMany transforms many polynomials of each named ring, both ways.
func checkMany(ctx context.Context, e *env) error {
	const block = 1000
	return e.each(named, func(_ testRing, p backends.Plan) error {
		for from := 0; from < e.scale.many; from += block {
			a := rows(p.Ring(), min(block, e.scale.many-from), uint64(1_000_000+from))
			for _, op := range katrun.Operations()[:2] {
				if err := compare(ctx, p, op, separate, nil, a, nil); err != nil {
					return fmt.Errorf("from row %d on: %w", from, err)
				}
			}
		}
		return nil
	})
}
