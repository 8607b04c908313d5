//go:build amd64 && !purego && unix

package amd64

import (
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// TestRowsAtTheEndOfMemory has rows of every operand, and of dst, that end where
// memory ends, so that a read or a write beyond them would be a fault; prefetches
// go there all the time.
func TestRowsAtTheEndOfMemory(t *testing.T) {
	page, free := lastPage(t)
	defer free()
	last := unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(page))), len(page)/8)
	eachWidth(t, func(t *testing.T, w Width) {
		for n := 8; n <= 512; n *= 2 {
			for _, bits := range []int{transformKernels(w).maxBits, 20} { // strict kernels, and lazy ones
				r := ringUpTo(t, n, 1<<bits-1)
				x, rng := mustNTT(t, r, w), newRand(uint64(n))
				for rows := 1; rows*n <= len(last); rows += 1 + rows/3 {
					for _, c := range calls {
						a, b, dst := random(rng, r, rows), random(rng, r, rows), random(rng, r, rows)
						for _, operand := range []*[]uint64{&a, &b, &dst} {
							want := slices.Clone(dst)
							require.NoError(t, c.want(r, want, a, b))
							old, got := *operand, dst
							*operand = last[len(last)-rows*n:]
							copy(*operand, old)
							if operand == &dst {
								got = *operand
							}
							got = got[:len(got):len(got)]
							require.Equal(t, rows, c.run(x, got, a, b), "%s N=%d", c.name, n)
							require.True(t, slices.Equal(want, got), "%s N=%d rows=%d", c.name, n, rows)
							*operand = old
							copy(dst, b)
						}
					}
				}
			}
		}
	})
}
