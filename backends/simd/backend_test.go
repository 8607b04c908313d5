package simd

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// planAt returns a plan at a width, which the test closes.
func planAt(t testing.TB, w Width, workers int, ring string) backends.Plan {
	t.Helper()
	b := atWidth(w, workers)(t)
	t.Cleanup(func() { b.Close() })
	p, err := b.NTT(mustRing(t, ring))
	require.NoError(t, err)
	return p
}

// coefficients returns n rows that differ from one another.
func coefficients(r *ntt.Ring, n int) []uint64 {
	s, x := make([]uint64, n*r.N()), uint64(n)
	for i := range s {
		x = x*6364136223846793005 + 1442695040888963407
		s[i] = (x >> 3) % r.Q()
	}
	return s
}

// vectorOps are the operations on host memory, with what package ntt makes of them.
// Operands that an operation does not have are ignored.
var vectorOps = []struct {
	name  string
	names []string // of the operands that are checked, in order
	run   func(ctx context.Context, p backends.Plan, dst, a, b []uint64) error
	want  func(r *ntt.Ring, dst, a, b []uint64)
}{
	{"forward", []string{"src"}, func(ctx context.Context, p backends.Plan, dst, a, _ []uint64) error { return p.Forward(ctx, dst, a) },
		func(r *ntt.Ring, dst, a, _ []uint64) { r.ForwardReduced(dst, a) }},
	{"inverse", []string{"src"}, func(ctx context.Context, p backends.Plan, dst, a, _ []uint64) error { return p.Inverse(ctx, dst, a) },
		func(r *ntt.Ring, dst, a, _ []uint64) { r.InverseReduced(dst, a) }},
	{"mul", []string{"a", "b"}, func(ctx context.Context, p backends.Plan, dst, a, b []uint64) error { return p.Mul(ctx, dst, a, b) },
		func(r *ntt.Ring, dst, a, b []uint64) { r.MulReduced(dst, a, b) }},
	{"muladdmont", []string{"a", "b", "dst"}, func(ctx context.Context, p backends.Plan, dst, a, b []uint64) error {
		return p.MulAddMont(ctx, dst, a, b)
	}, func(r *ntt.Ring, dst, a, b []uint64) { r.MulAddMontReduced(dst, a, b) }},
}

// TestRowsBeforeABadOneAreFinal puts coefficients that are out of range anywhere in
// calls that workers share: rows before the first one of them are final, the others
// untouched, and the error names the first of the first operand.
func TestRowsBeforeABadOneAreFinal(t *testing.T) {
	const rows = 300
	for _, w := range Widths() {
		for _, workers := range []int{1, 2, 4} {
			p := planAt(t, w, workers, "pulsar")
			r := p.Ring()
			a, b, c := coefficients(r, rows), coefficients(r, rows+1)[r.N():], coefficients(r, rows+2)[2*r.N():]
			for _, o := range vectorOps {
				want := slices.Clone(c)
				o.want(r, want, a, b)
				for i := range 60 {
					operands := map[string][]uint64{"src": slices.Clone(a), "a": slices.Clone(a), "b": slices.Clone(b), "dst": slices.Clone(c)}
					first, place := rows, ntt.RangeError{}
					for j, name := range o.names {
						row := (i*37 + j*91) % (rows + 40)
						if row >= rows {
							continue
						}
						index := (i * 53) % r.N()
						operands[name][row*r.N()+index] = r.Q() + uint64(i%3)<<40
						first = min(first, row)
						if place.Arg == "" {
							place = ntt.RangeError{Arg: name, Row: row, Index: index}
						}
					}
					dst, x := operands["dst"], operands["a"]
					if o.names[0] == "src" {
						x = operands["src"]
					}
					before := slices.Clone(dst)
					err := o.run(t.Context(), p, dst, x, operands["b"])
					at := fmt.Sprintf("%s %s workers=%d i=%d", w, o.name, workers, i)
					if first == rows {
						require.NoError(t, err, at)
						require.True(t, slices.Equal(want, dst), at)
						continue
					}
					var e *backends.Error
					require.ErrorAs(t, err, &e, at)
					var out *ntt.RangeError
					require.ErrorAs(t, err, &out, at)
					require.Equal(t, place, *out, at)
					if PlanWidth(p) == string(Scalar) {
						first = 0
					}
					require.Equal(t, first, e.Done, at)
					require.True(t, slices.Equal(want[:first*r.N()], dst[:first*r.N()]), at)
					require.True(t, slices.Equal(before[first*r.N():], dst[first*r.N():]), at)
				}
			}
		}
	}
}

// limited is a context that is cancelled after so many looks.
type limited struct {
	context.Context
	left atomic.Int64
}

func (c *limited) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

func TestCancelledCallLeavesAPrefix(t *testing.T) {
	for _, workers := range []int{1, 2, 4} {
		p := planAt(t, Widths()[0], workers, "pulsar")
		r := p.Ring()
		src := coefficients(r, 500)
		want := make([]uint64, len(src))
		r.ForwardReduced(want, src)
		for looks := range 40 {
			got := slices.Clone(src)
			ctx := &limited{Context: t.Context()}
			ctx.left.Store(int64(looks))
			done := 500
			if err := p.Forward(ctx, got, got); err != nil {
				var e *backends.Error
				require.ErrorAs(t, err, &e)
				require.ErrorIs(t, err, context.Canceled)
				done = e.Done
			}
			require.Equal(t, want[:done*r.N()], got[:done*r.N()], "looks=%d", looks)
			require.Equal(t, src[done*r.N():], got[done*r.N():], "looks=%d", looks)
		}
	}
}

func TestNothingIsAllocatedPerCall(t *testing.T) {
	for _, w := range Widths() {
		for _, workers := range []int{1, 2} {
			for _, ring := range []string{"pulsar", "fhe27", "8,17"} {
				p := planAt(t, w, workers, ring)
				src := coefficients(p.Ring(), 130)
				dst := make([]uint64, len(src))
				ctx := t.Context()
				require.Zero(t, testing.AllocsPerRun(50, func() {
					if p.Forward(ctx, dst, src) != nil || p.Inverse(ctx, dst, src) != nil || p.MForm(ctx, dst, src) != nil ||
						p.Mul(ctx, dst, dst, src) != nil || p.MulAddMont(ctx, dst, dst, src) != nil {
						t.Error("failed")
					}
				}), "%s workers=%d ring=%s", w, workers, ring)
			}
		}
	}
}

// TestNoGoroutineIsLeft closes backends that were called.
func TestNoGoroutineIsLeft(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 10 {
		b, err := New(Options{Options: backends.Options{Workers: 6}})
		require.NoError(t, err)
		require.Equal(t, before+5, runtime.NumGoroutine(), "one for each worker but the caller")
		p, err := b.NTT(mustRing(t, "mldsa"))
		require.NoError(t, err)
		s := coefficients(p.Ring(), 5000)
		require.NoError(t, p.Forward(t.Context(), s, s))
		h, err := b.Keccak()
		require.NoError(t, err)
		require.NoError(t, h.SumFixed(t.Context(), make([][32]byte, 3), make([]byte, 96), 32))
		require.Equal(t, before+10, runtime.NumGoroutine(), "and as many for messages")
		require.NoError(t, b.Close())
		require.ErrorIs(t, p.Forward(t.Context(), s, s), backends.ErrClosed)
	}
	require.LessOrEqual(t, runtime.NumGoroutine(), before)
}
