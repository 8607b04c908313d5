package device

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/gpu"
	"github.com/crosspoint-kernels/crosspoint/gpu/gputest"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// batchOf makes a batch that holds s.
func batchOf(t *testing.T, p backends.Plan, s []uint64) backends.Batch {
	t.Helper()
	b, err := p.NewBatch(len(s) / p.Ring().N())
	require.NoError(t, err)
	require.NoError(t, b.Write(t.Context(), 0, s))
	return b
}

func contents(t *testing.T, b backends.Batch, n int) []uint64 {
	t.Helper()
	s := make([]uint64, b.Rows()*n)
	require.NoError(t, b.Read(t.Context(), 0, s))
	return s
}

func TestBatchInPlace(t *testing.T) {
	for _, name := range []string{tiny4, tiny8, "pulsar"} {
		r := ring(t, name)
		n := r.N()
		p := planOf(t, setup(t, newSpy(), chunks(4)), r)
		for _, d := range []struct{ rows, row, n int }{{1, 0, 1}, {23, 0, 23}, {23, 5, 7}, {23, 22, 1}, {23, 23, 0}, {0, 0, 0}} {
			for o, run := range map[op]func(backends.Batch) error{
				forward: func(b backends.Batch) error { return b.Forward(t.Context(), d.row, d.n) },
				inverse: func(b backends.Batch) error { return b.Inverse(t.Context(), d.row, d.n) },
				mForm:   func(b backends.Batch) error { return b.MForm(t.Context(), d.row, d.n) },
				imForm:  func(b backends.Batch) error { return b.IMForm(t.Context(), d.row, d.n) },
			} {
				s := testRows(r, d.rows, 1)
				b := batchOf(t, p, s)
				part := s[d.row*n : (d.row+d.n)*n]
				copy(part, expected(r, o, part, part, nil))
				require.NoError(t, run(b))
				require.Equal(t, s, contents(t, b, n), "%v %v", o, d)
				require.NoError(t, b.Sync(t.Context()))
				b.Release()
			}
		}
	}
}

func TestBatchProducts(t *testing.T) {
	for _, name := range []string{tiny4, tiny8, "pulsar"} {
		r := ring(t, name)
		p := planOf(t, setup(t, newSpy(), nil), r)
		for _, d := range [][3]int{{1, 1, 1}, {2, 3, 4}, {4, 1, 1}, {1, 5, 2}, {3, 0, 2}, {0, 2, 2}, {2, 2, 0}} {
			m, k, n := d[0], d[1], d[2]
			c, a, x := testRows(r, m*n+1, 0), testRows(r, m*k, 1), testRows(r, k*n+2, 2)
			bc, ba, bx := batchOf(t, p, c), batchOf(t, p, a), batchOf(t, p, x)
			require.NoError(t, bc.MatMulAddMont(t.Context(), ba, bx, m, k, n))
			r.MatMulAddMontReduced(c, a, x, k, n, 0, m*n)
			require.Equal(t, c, contents(t, bc, r.N()), "%v", d)
		}
		c, a := testRows(r, 7, 0), testRows(r, 7, 1)
		bc, ba := batchOf(t, p, c), batchOf(t, p, a)
		require.NoError(t, bc.MulAddMont(t.Context(), ba, ba))
		require.Equal(t, expected(r, mulAddMont, c, a, a), contents(t, bc, r.N()))
	}
}

// TestChain runs operations without waiting, more than are ever queued.
func TestChain(t *testing.T) {
	f := newSpy()
	r := ring(t, tiny8)
	p := planOf(t, setup(t, f, chunks(4)), r)
	c, a, x := testRows(r, 9, 0), testRows(r, 9, 1), testRows(r, 9, 2)
	bc, ba, bx := batchOf(t, p, c), batchOf(t, p, a), batchOf(t, p, x)
	step := func() {
		require.NoError(t, ba.Forward(t.Context(), 0, 9))
		require.NoError(t, bc.MulAddMont(t.Context(), ba, bx))
		require.NoError(t, bc.Inverse(t.Context(), 2, 5))
		a = expected(r, forward, a, a, nil)
		c = expected(r, mulAddMont, c, a, x)
		part := c[2*8 : 7*8]
		copy(part, expected(r, inverse, part, part, nil))
	}
	waits := f.Calls(gputest.OpWait)
	step()
	require.Equal(t, waits, f.Calls(gputest.OpWait), "no operation waits for the device")
	made := f.made()
	for range 20 {
		step()
	}
	require.Equal(t, made, f.made(), "a chain makes nothing anew")
	require.LessOrEqual(t, f.Counts().LivePendings, 2*maxQueued)
	require.Equal(t, c, contents(t, bc, 8))
	require.Equal(t, a, contents(t, ba, 8))
	require.Zero(t, f.Counts().LivePendings)
}

func TestBatchArguments(t *testing.T) {
	f := newSpy()
	back := setup(t, f, nil)
	r := ring(t, tiny4)
	p := planOf(t, back, r)
	ctx := t.Context()
	a, b, c := batchOf(t, p, testRows(r, 6, 0)), batchOf(t, p, testRows(r, 6, 1)), batchOf(t, p, testRows(r, 5, 2))
	other := batchOf(t, planOf(t, back, r), testRows(r, 6, 0))
	_, negative := p.NewBatch(-1)
	huge := 1 << 62
	for name, err := range map[string]error{
		"negative rows":      negative,
		"part of a row":      a.Write(ctx, 0, make([]uint64, 7)),
		"write past the end": a.Write(ctx, 5, make([]uint64, 16)),
		"write before":       a.Write(ctx, -1, make([]uint64, 8)),
		"read past the end":  a.Read(ctx, 6, make([]uint64, 8)),
		"read part of a row": a.Read(ctx, 0, make([]uint64, 9)),
		"forward past":       a.Forward(ctx, 3, 4),
		"forward negative":   a.Forward(ctx, 3, -1),
		"forward overflow":   a.Forward(ctx, 3, huge+huge-1),
		"rows differ":        a.MulAddMont(ctx, b, c),
		"itself":             a.MulAddMont(ctx, a, b),
		"itself too":         a.MatMulAddMont(ctx, b, a, 1, 1, 1),
		"of another plan":    a.MulAddMont(ctx, b, other),
		"nil":                a.MulAddMont(ctx, nil, b),
		"too large":          a.MatMulAddMont(ctx, b, c, 2, 3, 3),
		"overflowing":        a.MatMulAddMont(ctx, b, c, huge, 4, huge),
		"negative":           a.MatMulAddMont(ctx, b, c, -1, 1, 1),
	} {
		require.ErrorIs(t, err, backends.ErrShape, name)
	}
	_, err := p.NewBatch(128<<20/32 + 1)
	require.ErrorIs(t, err, backends.ErrUnsupported)
	require.ErrorContains(t, err, "one buffer of this device holds 4194304")

	bad := testRows(r, 6, 0)
	bad[5*8+3] = 97
	err = a.Write(ctx, 0, bad)
	var out *ntt.RangeError
	require.ErrorAs(t, err, &out)
	require.Equal(t, ntt.RangeError{Arg: "src", Row: 5, Index: 3}, *out)
	require.Equal(t, testRows(r, 6, 0), contents(t, a, 8), "nothing was written")

	c.Release()
	c.Release()
	require.ErrorIs(t, c.Forward(ctx, 0, 1), backends.ErrClosed)
	require.ErrorIs(t, c.Sync(ctx), backends.ErrClosed)
	require.ErrorIs(t, a.MatMulAddMont(ctx, b, c, 1, 1, 1), backends.ErrClosed)
	require.NoError(t, p.Close())
	require.ErrorIs(t, a.Read(ctx, 0, make([]uint64, 8)), backends.ErrClosed)
	a.Release()
	_, err = p.NewBatch(1)
	require.ErrorIs(t, err, backends.ErrClosed)
}

// TestBatchFailures lets each device call of a chain fail in turn: the error
// comes out, at the latest when the rows are read, and dst is then untouched.
func TestBatchFailures(t *testing.T) {
	r := ring(t, tiny4)
	rows := testRows(r, 23, 1)
	want := expected(r, forward, rows, rows, nil)
	for _, call := range callOps {
		for k := 1; ; k++ {
			f := newSpy()
			b := setup(t, f, chunks(4))
			p := planOf(t, b, r)
			f.Fail(call, k, gpu.ErrLost)
			got, was := testRows(r, 23, 2), testRows(r, 23, 2)
			err := func() error {
				x, err := p.NewBatch(23)
				if err == nil {
					err = x.Write(t.Context(), 0, rows)
				}
				if err == nil {
					err = x.Forward(t.Context(), 0, 23)
				}
				if err != nil {
					return err
				}
				return x.Read(t.Context(), 0, got)
			}()
			if err == nil {
				require.Greater(t, k, 1, "%s never failed", call)
				require.Equal(t, want, got)
				break
			}
			require.ErrorIs(t, err, backends.ErrDeviceLost, fmt.Sprint(call, k))
			testDone(t, r, err, got, was, want)
			require.NoError(t, b.Close())
			require.Zero(t, f.alive(), "leak after failure of %s %d", call, k)
		}
	}
}

// TestLostRows: an operation that failed on the device is reported by every
// later call, those of a batch that would use the rows included.
func TestLostRows(t *testing.T) {
	f := newSpy()
	r := ring(t, tiny4)
	p := planOf(t, setup(t, f, nil), r)
	a, b := batchOf(t, p, testRows(r, 3, 0)), batchOf(t, p, testRows(r, 3, 1))
	require.NoError(t, a.Forward(t.Context(), 0, 3))
	f.Fail(gputest.OpWait, 1, gpu.ErrLost)
	require.ErrorIs(t, a.Sync(t.Context()), backends.ErrDeviceLost)
	for range 2 {
		require.ErrorIs(t, a.Sync(t.Context()), backends.ErrDeviceLost)
		require.ErrorIs(t, a.Forward(t.Context(), 0, 1), backends.ErrDeviceLost)
		require.ErrorIs(t, b.MulAddMont(t.Context(), a, a), backends.ErrDeviceLost)
	}
	a.Release()
	require.NoError(t, b.Forward(t.Context(), 0, 3))
}

// TestBatchCancel: a context that is done ends a wait, not the work.
func TestBatchCancel(t *testing.T) {
	f := newSpy()
	r := ring(t, tiny4)
	p := planOf(t, setup(t, f, chunks(4)), r)
	rows := testRows(r, 23, 1)
	b := batchOf(t, p, rows)
	ctx, cancel := context.WithCancel(t.Context())
	require.NoError(t, b.Forward(ctx, 0, 23))
	cancel()
	got := testRows(r, 23, 0)
	for _, err := range []error{b.Sync(ctx), b.Read(ctx, 0, got), b.Forward(ctx, 0, 1), b.Write(ctx, 0, got)} {
		require.ErrorIs(t, err, context.Canceled)
	}
	require.Equal(t, testRows(r, 23, 0), got)
	require.Equal(t, expected(r, forward, rows, rows, nil), contents(t, b, 8))
}
