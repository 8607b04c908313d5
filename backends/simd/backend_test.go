package simd

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

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
	{"mform", []string{"src"}, func(ctx context.Context, p backends.Plan, dst, a, _ []uint64) error { return p.MForm(ctx, dst, a) },
		func(r *ntt.Ring, dst, a, _ []uint64) { r.MFormReduced(dst, a) }},
	{"imform", []string{"src"}, func(ctx context.Context, p backends.Plan, dst, a, _ []uint64) error { return p.IMForm(ctx, dst, a) },
		func(r *ntt.Ring, dst, a, _ []uint64) { r.IMFormReduced(dst, a) }},
	{"mulmont", []string{"a", "b"}, func(ctx context.Context, p backends.Plan, dst, a, b []uint64) error { return p.MulMont(ctx, dst, a, b) },
		func(r *ntt.Ring, dst, a, b []uint64) { r.MulMontReduced(dst, a, b) }},
	{"muladd", []string{"a", "b", "dst"}, func(ctx context.Context, p backends.Plan, dst, a, b []uint64) error {
		return p.MulAdd(ctx, dst, a, b)
	}, func(r *ntt.Ring, dst, a, b []uint64) { r.MulAddReduced(dst, a, b) }},
	{"mul", []string{"a", "b"}, func(ctx context.Context, p backends.Plan, dst, a, b []uint64) error { return p.Mul(ctx, dst, a, b) },
		func(r *ntt.Ring, dst, a, b []uint64) { r.MulReduced(dst, a, b) }},
	{"muladdmont", []string{"a", "b", "dst"}, func(ctx context.Context, p backends.Plan, dst, a, b []uint64) error {
		return p.MulAddMont(ctx, dst, a, b)
	}, func(r *ntt.Ring, dst, a, b []uint64) { r.MulAddMontReduced(dst, a, b) }},
}

// TestRowsBeforeABadOneAreFinal puts coefficients that are out of range anywhere in
// calls that workers share, and at both sides of where their chunks meet: rows before
// the first one of them are final, the others untouched, and the error names the first
// of the first operand. In place, where workers restore what they computed after it,
// there are up to four such rows more.
func TestRowsBeforeABadOneAreFinal(t *testing.T) {
	calls := 25
	if testing.Short() {
		calls = 5
	}
	for _, l := range levels {
		for _, workers := range []int{1, 2, 4} {
			t.Run(fmt.Sprintf("width=%s/workers=%d", l.width, workers), func(t *testing.T) {
				p := planAt(t, l.width, workers, "pulsar")
				n := p.Ring().N()
				for k, rows := range []int{300, 8, 9, 75, 256, 257} {
					a, b, c := coefficients(p.Ring(), rows), coefficients(p.Ring(), rows), coefficients(p.Ring(), rows)
					calls := calls
					if k > 0 {
						calls = 4
					}
					edge := (rows + 3) / 4 // of chunks, on two workers and on four
					for _, o := range vectorOps {
						want := slices.Clone(c)
						o.want(p.Ring(), want, a, b)
						for i := range calls {
							x := badCall{p: p, dst: slices.Clone(c), a: slices.Clone(a), b: slices.Clone(b), place: ntt.RangeError{Row: rows}, first: rows}
							for j, name := range o.names {
								x.spoil(name, (i*37+j*91)%(rows+60), i*53%n)
							}
							if o.names[0] == "src" && i%3 > 0 {
								for j := range 1 + i%4 {
									x.spoil("src", (i*59+j*edge-j%2)%rows, 5)
								}
								x.dst = x.a
							}
							x.check(t, o.run, want)
						}
					}
				}
			})
		}
	}
}

// badCall is a call with coefficients that are out of range.
type badCall struct {
	p         backends.Plan
	dst, a, b []uint64
	first     int            // row with a bad coefficient
	place     ntt.RangeError // that is to be named, Row past the end for none
}

// spoil makes a coefficient bad, if the row is within the operand.
func (x *badCall) spoil(name string, row, index int) {
	r := x.p.Ring()
	if row*r.N() >= len(x.a) {
		return
	}
	s := map[string][]uint64{"src": x.a, "a": x.a, "b": x.b, "dst": x.dst}[name]
	s[row*r.N()+index] = r.Q() + uint64(row%3)<<40
	if x.place.Arg == "" || x.place.Arg == name && (row < x.place.Row || row == x.place.Row && index < x.place.Index) {
		x.place = ntt.RangeError{Arg: name, Row: row, Index: index}
	}
	x.first = min(x.first, row)
}

// check calls an operation that would give want.
func (x *badCall) check(t *testing.T, run func(ctx context.Context, p backends.Plan, dst, a, b []uint64) error, want []uint64) {
	t.Helper()
	n, before := x.p.Ring().N(), slices.Clone(x.dst)
	err := run(t.Context(), x.p, x.dst, x.a, x.b)
	done := x.first
	if done*n == len(x.dst) {
		require.NoError(t, err)
	} else {
		var e *backends.Error
		require.ErrorAs(t, err, &e)
		var out *ntt.RangeError
		require.ErrorAs(t, err, &out)
		require.Equal(t, x.place, *out)
		if PlanWidth(x.p) == string(Scalar) { // looks at everything before
			done = 0
		}
		require.Equal(t, done, e.Done)
	}
	require.True(t, slices.Equal(want[:done*n], x.dst[:done*n]), "rows before %d", done)
	require.True(t, slices.Equal(before[done*n:], x.dst[done*n:]), "rows from %d on", done)
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
				allocs := testing.AllocsPerRun(25, func() { // more than the tasks that a busy machine leaves queued
					if p.Forward(ctx, dst, src) != nil || p.Inverse(ctx, dst, src) != nil || p.MForm(ctx, dst, src) != nil ||
						p.Mul(ctx, dst, dst, src) != nil || p.MulAddMont(ctx, dst, dst, src) != nil {
						t.Error("failed")
					}
				})
				if !underRace {
					require.Zero(t, allocs, "%s workers=%d ring=%s", w, workers, ring)
				}
			}
		}
	}
}

// TestNoGoroutineIsLeft closes backends that were called.
func TestNoGoroutineIsLeft(t *testing.T) {
	time.Sleep(20 * time.Millisecond) // for those of earlier tests
	before := runtime.NumGoroutine()
	for range 10 {
		b, err := New(Options{Options: backends.Options{Workers: 6}})
		require.NoError(t, err)
		goroutines(t, before+5, "one for each worker but the caller")
		p, err := b.NTT(mustRing(t, "mldsa"))
		require.NoError(t, err)
		s := coefficients(p.Ring(), 5000)
		require.NoError(t, p.Forward(t.Context(), s, s))
		h, err := b.Keccak()
		require.NoError(t, err)
		require.NoError(t, h.SumFixed(t.Context(), make([][32]byte, 3), make([]byte, 96), 32))
		goroutines(t, before+10, "and as many for messages")
		require.NoError(t, b.Close())
		require.ErrorIs(t, p.Forward(t.Context(), s, s), backends.ErrClosed)
	}
	goroutines(t, before, "none is left")
}

// goroutines waits until there are so many: one that is done may take a moment to go.
func goroutines(t *testing.T, want int, why string) {
	t.Helper()
	for range 1000 {
		if runtime.NumGoroutine() == want {
			return
		}
		time.Sleep(time.Millisecond)
	}
	require.Equal(t, want, runtime.NumGoroutine(), why)
}
