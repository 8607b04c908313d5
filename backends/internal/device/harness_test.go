package device

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/gpu/gputest"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// setup opens a backend over f; change may be nil.
func setup(t testing.TB, f *spy, change func(*Config)) backends.Backend {
	t.Helper()
	b, err := New(f, config(change))
	require.NoError(t, err)
	t.Cleanup(func() { _ = b.Close() }) // a second Close is harmless
	return b
}

// config has chunks of 4 rows and 3 rows a group, which divide nothing evenly.
func config(change func(*Config)) Config {
	c := Config{
		Name:      "fake",
		Program:   func(r *ntt.Ring) (*Program, error) { return fakeProgram(r, width(r), 3), nil },
		MaxN:      2048,
		Reason:    "workgroup memory",
		testRing:  "8,17", // quick, and the ring of no test
		chunkRows: 4,
		Keccak:    fakeHashProgram(),
		hashCut:   hashCut{bytes: 1024, blocks: 4, subtree: 16}, // few messages a chunk, few leaves a subtree
	}
	if change != nil {
		change(&c)
	}
	return c
}

func chunks(rows int) func(*Config) { return func(c *Config) { c.chunkRows = rows } }

func width(r *ntt.Ring) int {
	if r.Bits() <= 31 {
		return 4
	}
	return 8
}

func ring(t testing.TB, s string) *ntt.Ring {
	t.Helper()
	r, err := ntt.Parse(s)
	require.NoError(t, err)
	return r
}

// The rings of the tests: tiny rows in both widths, and the two real ones.
const (
	tiny4 = "8,97"
	tiny8 = "8,2305843009213693921" // the largest suitable prime below 2^61
)

func planOf(t testing.TB, b backends.Backend, r *ntt.Ring) backends.Plan {
	t.Helper()
	p, err := b.NTT(r)
	require.NoError(t, err)
	return p
}

// callOps are the calls of a device that a call of a plan makes.
var callOps = []gputest.Op{gputest.OpNewBuffer, gputest.OpBind, gputest.OpWrite, gputest.OpSubmit, gputest.OpWait}

// do calls the operation o of a plan.
func do(ctx context.Context, p backends.Plan, o op, dst, a, b []uint64) error {
	switch o {
	case forward:
		return p.Forward(ctx, dst, a)
	case inverse:
		return p.Inverse(ctx, dst, a)
	case mul:
		return p.Mul(ctx, dst, a, b)
	case mulAdd:
		return p.MulAdd(ctx, dst, a, b)
	case mulMont:
		return p.MulMont(ctx, dst, a, b)
	case mulAddMont:
		return p.MulAddMont(ctx, dst, a, b)
	case mForm:
		return p.MForm(ctx, dst, a)
	}
	return p.IMForm(ctx, dst, a)
}

// expected is what o makes of dst, as package ntt has it.
func expected(r *ntt.Ring, o op, dst, a, b []uint64) []uint64 {
	want := slices.Clone(dst)
	reference(r, o, want, slices.Clone(a), slices.Clone(b))
	return want
}

// agrees reports whether every operation of p gives the right bytes on n rows,
// beside operands and in place of one.
func agrees(p backends.Plan, n int) (op, bool) {
	ctx, r := context.Background(), p.Ring()
	for o := forward; o < matMulAddMont; o++ {
		dst, a, b := testRows(r, n, 0), testRows(r, n, 1), testRows(r, n, 2)
		want := expected(r, o, dst, a, b)
		if do(ctx, p, o, dst, a, b) != nil || !slices.Equal(dst, want) {
			return o, false
		}
		want = expected(r, o, a, a, b)
		if do(ctx, p, o, a, a, b) != nil || !slices.Equal(a, want) {
			return o, false
		}
		if operations[o].operands == 1 {
			continue
		}
		a = testRows(r, n, 1)
		want = expected(r, o, b, a, b)
		if do(ctx, p, o, b, a, b) != nil || !slices.Equal(b, want) {
			return o, false
		}
		want = expected(r, o, a, a, a)
		if do(ctx, p, o, a, a, a) != nil || !slices.Equal(a, want) {
			return o, false
		}
	}
	return 0, true
}
