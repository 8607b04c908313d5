package ntt

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// operation is one of the checked operations as the tests of errors see it: it
// is called with as many operands as it reads besides dst.
type operation struct {
	name     string
	operands []string
	readsDst bool
	call     func(r *Ring, dst []uint64, in [2][]uint64) error
}

var operations = []operation{
	{"Forward", []string{"src"}, false, func(r *Ring, dst []uint64, in [2][]uint64) error { return r.Forward(dst, in[0]) }},
	{"Inverse", []string{"src"}, false, func(r *Ring, dst []uint64, in [2][]uint64) error { return r.Inverse(dst, in[0]) }},
	{"MForm", []string{"src"}, false, func(r *Ring, dst []uint64, in [2][]uint64) error { return r.MForm(dst, in[0]) }},
	{"IMForm", []string{"src"}, false, func(r *Ring, dst []uint64, in [2][]uint64) error { return r.IMForm(dst, in[0]) }},
	{"Mul", []string{"a", "b"}, false, func(r *Ring, dst []uint64, in [2][]uint64) error { return r.Mul(dst, in[0], in[1]) }},
	{"MulAdd", []string{"a", "b"}, true, func(r *Ring, dst []uint64, in [2][]uint64) error { return r.MulAdd(dst, in[0], in[1]) }},
	{"MulMont", []string{"a", "b"}, false, func(r *Ring, dst []uint64, in [2][]uint64) error { return r.MulMont(dst, in[0], in[1]) }},
	{"MulAddMont", []string{"a", "b"}, true, func(r *Ring, dst []uint64, in [2][]uint64) error { return r.MulAddMont(dst, in[0], in[1]) }},
}

// eachOperand calls f for every operation and every one of its operands.
func eachOperand(t *testing.T, f func(t *testing.T, op operation, k int)) {
	for _, op := range operations {
		for k, arg := range op.operands {
			t.Run(op.name+"/"+arg, func(t *testing.T) { f(t, op, k) })
		}
	}
}

func TestLengths(t *testing.T) {
	r := mustRing(t, 8, 17)
	eachOperand(t, func(t *testing.T, op operation, k int) {
		for _, c := range []struct{ dst, in int }{{16, 15}, {16, 17}, {0, 1}, {8, 16}, {16, 8}, {15, 16}, {0, 8}, {8, 0}, {7, 7}, {9, 9}} {
			dst, in := make([]uint64, c.dst), [2][]uint64{make([]uint64, c.dst), make([]uint64, c.dst)}
			in[k] = make([]uint64, c.in)
			err := op.call(r, dst, in)
			var se *ShapeError
			require.ErrorAs(t, err, &se, "%v", c)
			require.ErrorIs(t, err, ErrShape)
			require.Contains(t, []string{"dst", op.operands[k], op.operands[0]}, se.Arg)
		}
		require.NoError(t, op.call(r, nil, [2][]uint64{}), "no rows")
		require.NoError(t, op.call(r, []uint64{}, [2][]uint64{nil, {}}), "no rows")
	})
}

// TestOverlap slides dst over each operand: only the same place and places
// that do not touch are allowed.
func TestOverlap(t *testing.T) {
	r := mustRing(t, 8, 17)
	eachOperand(t, func(t *testing.T, op operation, k int) {
		const rows = 16
		buf, other := make([]uint64, 3*rows), make([]uint64, rows)
		for at := range 2*rows + 1 {
			for i := range buf {
				buf[i] = uint64(i % 17)
			}
			before := slices.Clone(buf)
			in := [2][]uint64{other, other}
			in[k] = buf[rows : 2*rows]
			err := op.call(r, buf[at:at+rows], in)
			if at == 0 || at == rows || at == 2*rows {
				require.NoError(t, err, "dst at %d", at)
				continue
			}
			require.ErrorIs(t, err, ErrShape, "dst at %d", at)
			require.Equal(t, before, buf, "dst changed after an error")
		}
	})
}

func TestOperandsMayOverlapEachOther(t *testing.T) {
	r := mustRing(t, 8, 17)
	buf := []uint64{1, 2, 3, 4, 5, 6, 7, 8, 9}
	dst := make([]uint64, 8)
	require.NoError(t, r.Mul(dst, buf[:8], buf[1:]))
	require.Equal(t, []uint64{2, 6, 12, 3, 13, 8, 5, 4}, dst)
	require.NoError(t, r.Mul(buf[:8], buf[:8], buf[:8]))
	require.Equal(t, []uint64{1, 4, 9, 16, 8, 2, 15, 13, 9}, buf)
}

// TestRange puts coefficients that are out of range everywhere, alone and in
// pairs: the first one is reported by its place, and dst stays as it was.
func TestRange(t *testing.T) {
	for _, r := range []*Ring{mustRing(t, 8, 17), mustRing(t, 16, primeUpTo(1<<61-1, 16))} {
		eachOperand(t, func(t *testing.T, op operation, k int) {
			checkRangeErrors(t, r, op, op.operands[k], func(dst []uint64, in [2][]uint64) []uint64 { return in[k] })
		})
		for _, op := range operations {
			if op.readsDst {
				t.Run(op.name+"/dst", func(t *testing.T) {
					checkRangeErrors(t, r, op, "dst", func(dst []uint64, _ [2][]uint64) []uint64 { return dst })
				})
			}
		}
	}
}

func checkRangeErrors(t *testing.T, r *Ring, op operation, arg string, choose func(dst []uint64, in [2][]uint64) []uint64) {
	const rows = 3
	rng := newRand(11)
	for first := range rows * r.n {
		for _, bad := range []uint64{r.q, r.q + 1, 1 << 63, 1<<63 + r.q, math.MaxUint64, math.MaxUint64 - r.q} {
			dst, in := randomRows(r, rng, rows), [2][]uint64{randomRows(r, rng, rows), randomRows(r, rng, rows)}
			s := choose(dst, in)
			s[first] = bad
			s[first+rng.IntN(len(s)-first)] = bad // one more at or after it
			before := slices.Clone(dst)
			err := op.call(r, dst, in)
			var re *RangeError
			require.ErrorAs(t, err, &re)
			require.ErrorIs(t, err, ErrRange)
			require.Equal(t, RangeError{Arg: arg, Row: first / r.n, Index: first % r.n}, *re)
			require.NotContains(t, err.Error(), fmt.Sprint(bad), "the error shows a value")
			require.Equal(t, before, dst, "dst changed after an error")
		}
	}
}

// TestRangeAccepts checks that the ends of the range are let through, and that
// CheckRange looks at a part of a row too.
func TestRangeAccepts(t *testing.T) {
	r := mustRing(t, 8, 17)
	for n := range 40 {
		s := make([]uint64, n)
		for i := range s {
			s[i] = 16 * uint64(i&1)
		}
		require.NoError(t, r.CheckRange("x", s))
		for i := range s {
			s[i] += 17
			require.ErrorIs(t, r.CheckRange("x", s), ErrRange, "length %d, at %d", n, i)
			s[i] -= 17
		}
	}
}
