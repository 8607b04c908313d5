package device

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/gpu"
	"github.com/crosspoint-kernels/crosspoint/gpu/gputest"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

func TestEveryBatchSize(t *testing.T) {
	for _, d := range []struct {
		ring     string
		chunk    int
		perGroup int
		limit    uint32 // groups per dimension
		most     int
	}{
		{tiny4, 4, 3, 65535, 70},
		{tiny8, 1, 1, 65535, 70},
		{tiny8, 7, 4, 70, 70},
		{tiny4, 64, 4, 24, 130}, // grids of two dimensions
		{tiny8, 0, 4, 65535, 9},
		{"pulsar", 16, 4, 65535, 34},
		{"mldsa", 5, 4, 65535, 12},
		{"fhe27", 2, 1, 65535, 5},
	} {
		t.Run(fmt.Sprintf("%s/chunk=%d", d.ring, d.chunk), func(t *testing.T) {
			l := gputest.DefaultLimits()
			l.MaxGroups = d.limit
			b := setup(t, limited(l), func(c *Config) {
				c.chunkRows = d.chunk
				c.Program = func(r *ntt.Ring) (*Program, error) { return fakeProgram(r, width(r), d.perGroup), nil }
			})
			p := planOf(t, b, ring(t, d.ring))
			for n := range d.most + 1 {
				o, ok := agrees(p, n)
				require.True(t, ok, "%v of %d rows", o, n)
			}
		})
	}
}

func TestSubmissionsPerCall(t *testing.T) {
	f := newSpy()
	p := planOf(t, setup(t, f, chunks(4)), ring(t, tiny4))
	for _, d := range []struct{ rows, want int }{{0, 0}, {1, 1}, {4, 1}, {5, 2}, {8, 2}, {9, 3}, {40, 10}} {
		before := f.Calls(gputest.OpSubmit)
		s := testRows(p.Ring(), d.rows, 0)
		require.NoError(t, p.Forward(t.Context(), s, s))
		require.Equal(t, d.want, f.Calls(gputest.OpSubmit)-before, "%d rows", d.rows)
	}
}

func TestShapes(t *testing.T) {
	f := newSpy()
	p := planOf(t, setup(t, f, nil), ring(t, tiny4))
	ctx, s := t.Context(), make([]uint64, 64)
	before := f.Calls(gputest.OpSubmit)
	for name, err := range map[string]error{
		"part of a row":    p.Forward(ctx, s[:7], s[:7]),
		"lengths":          p.Inverse(ctx, s[:8], s[8:24]),
		"overlap":          p.MForm(ctx, s[:16], s[8:24]),
		"length of b":      p.Mul(ctx, s[:8], s[8:16], s[16:32]),
		"overlap with b":   p.MulAddMont(ctx, s[:16], s[16:32], s[1:17]),
		"nothing to write": p.IMForm(ctx, nil, s[:8]),
	} {
		require.ErrorIs(t, err, backends.ErrShape, name)
		var e *backends.Error
		require.ErrorAs(t, err, &e, name)
		require.Equal(t, "fake", e.Backend)
	}
	require.NoError(t, p.Forward(ctx, nil, nil))
	require.Equal(t, before, f.Calls(gputest.OpSubmit))
}

// testDone checks that of a call that failed, rows [0, Done) of dst are final
// and the others as they were.
func testDone(t *testing.T, r *ntt.Ring, err error, got, was, want []uint64) int {
	t.Helper()
	var e *backends.Error
	require.ErrorAs(t, err, &e)
	k := e.Done * r.N()
	require.Equal(t, want[:k], got[:k], "final rows")
	require.Equal(t, was[k:], got[k:], "untouched rows")
	return e.Done
}

func TestRangeErrors(t *testing.T) {
	for _, name := range []string{tiny4, tiny8, "mldsa", "pulsar"} {
		r := ring(t, name)
		p := planOf(t, setup(t, newSpy(), chunks(4)), r)
		const rows = 23
		for _, row := range []int{0, 3, 4, 11, 12, 22} {
			for i, arg := range []string{"a", "b", "dst"} {
				in := [3][]uint64{testRows(r, rows, 0), testRows(r, rows, 1), testRows(r, rows, 2)}
				bad := in[(i+1)%3]
				was := slices.Clone(in[0])
				want := expected(r, mulAdd, in[0], in[1], in[2])
				index := (row * 3) % r.N()
				bad[row*r.N()+index] = r.Q() + uint64(row)
				if arg == "dst" {
					was = slices.Clone(bad)
				}
				err := p.MulAdd(t.Context(), in[0], in[1], in[2])
				require.ErrorIs(t, err, backends.ErrRange)
				var out *ntt.RangeError
				require.ErrorAs(t, err, &out)
				require.Equal(t, ntt.RangeError{Arg: arg, Row: row, Index: index}, *out)
				require.NotContains(t, err.Error(), strconv.FormatUint(r.Q()+uint64(row), 10))
				require.Equal(t, row/4*4, testDone(t, r, err, in[0], was, want))
			}
		}
		s := testRows(r, rows, 0)
		s[20*r.N()] = 1<<64 - 1
		was, err := slices.Clone(s), p.Forward(t.Context(), s, s)
		require.Equal(t, 20, testDone(t, r, err, s, was, expected(r, forward, was[:20*r.N()], was[:20*r.N()], nil)))
		var out *ntt.RangeError
		require.ErrorAs(t, err, &out)
		require.Equal(t, ntt.RangeError{Arg: "src", Row: 20}, *out)
	}
}

// TestFailures lets each device call of a call fail in turn.
func TestFailures(t *testing.T) {
	const rows = 23 // six chunks
	r := ring(t, tiny4)
	for _, o := range []op{forward, mulAdd} {
		for _, call := range callOps {
			for _, inPlace := range []bool{false, true} {
				failed := 0
				for k := 1; ; k++ {
					f := newSpy()
					b := setup(t, f, chunks(4))
					p := planOf(t, b, r)
					dst, a, x := testRows(r, rows, 0), testRows(r, rows, 1), testRows(r, rows, 2)
					if inPlace {
						dst = a
					}
					was, want := slices.Clone(dst), expected(r, o, dst, a, x)
					f.Fail(call, k, gpu.ErrLost)
					err := do(t.Context(), p, o, dst, a, x)
					if err == nil {
						require.Equal(t, want, dst)
						break
					}
					failed++
					require.ErrorIs(t, err, backends.ErrDeviceLost)
					testDone(t, r, err, dst, was, want)
					// Nothing of the failure sticks.
					dst, a = testRows(r, rows, 0), testRows(r, rows, 1)
					want = expected(r, o, dst, a, x)
					require.NoError(t, do(t.Context(), p, o, dst, a, x))
					require.Equal(t, want, dst)
					require.NoError(t, p.Close())
					require.NoError(t, b.Close())
					require.Zero(t, f.alive(), "%v: leak after failure of %s %d", o, call, k)
				}
				require.Positive(t, failed, "%v: %s", o, call)
			}
		}
	}
}

func TestErrorNames(t *testing.T) {
	f := newSpy()
	p := planOf(t, setup(t, f, nil), ring(t, tiny4))
	s := testRows(p.Ring(), 1, 0)
	for device, want := range map[error]error{
		gpu.ErrLost:   backends.ErrDeviceLost,
		gpu.ErrLimit:  backends.ErrUnsupported,
		gpu.ErrMemory: backends.ErrMemory,
	} {
		f.Fail(gputest.OpSubmit, 1, &gpu.Error{Op: "submit", Err: device})
		err := p.Forward(t.Context(), s, s)
		require.ErrorIs(t, err, want)
		require.ErrorIs(t, err, device)
		var e *gpu.Error
		require.True(t, errors.As(err, &e))
	}
}

// TestCancel ends the context at each submission of a call.
func TestCancel(t *testing.T) {
	const rows = 23
	r := ring(t, tiny4)
	for k := 1; k <= 6; k++ {
		f := newSpy()
		b := setup(t, f, chunks(4))
		p := planOf(t, b, r)
		ctx, cancel := context.WithCancel(t.Context())
		n := 0
		f.onSubmit = func(*gpu.Work) {
			if n++; n == k {
				cancel()
			}
		}
		s := testRows(r, rows, 0)
		was, want := slices.Clone(s), expected(r, forward, s, s, nil)
		err := p.Forward(ctx, s, s)
		require.ErrorIs(t, err, context.Canceled)
		testDone(t, r, err, s, was, want)
		require.LessOrEqual(t, n, k, "nothing is submitted after the cancellation")

		copy(s, was)
		require.NoError(t, p.Forward(t.Context(), s, s))
		require.Equal(t, want, s)
		require.NoError(t, b.Close())
		require.Zero(t, f.alive())
	}
}

// TestOutOfMemory: a batch for which there is no memory has an error that callers
// know, and what came before it lives on.
func TestOutOfMemory(t *testing.T) {
	f := newSpy()
	p := planOf(t, setup(t, f, nil), ring(t, tiny4))
	s := testRows(p.Ring(), 3, 0)
	first := batchOf(t, p, s)
	f.Fail(gputest.OpNewBuffer, 1, &gpu.Error{Op: "new buffer", Err: gpu.ErrMemory})
	_, err := p.NewBatch(3)
	require.ErrorIs(t, err, backends.ErrMemory)
	require.NotErrorIs(t, err, backends.ErrDeviceLost)
	require.Equal(t, s, contents(t, first, p.Ring().N()))
	_, err = p.NewBatch(3)
	require.NoError(t, err)
}
