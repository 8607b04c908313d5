package katrun_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/backends/cpu"
	"github.com/crosspoint-kernels/crosspoint/backends/katrun"
	"github.com/crosspoint-kernels/crosspoint/kat"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

func setUp(t *testing.T) (backends.Backend, []kat.File) {
	t.Helper()
	b, err := backends.Open(cpu.Name, backends.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { b.Close() })
	files, err := kat.Files()
	require.NoError(t, err)
	return b, files
}

func TestEveryVectorOnTheCPU(t *testing.T) {
	b, files := setUp(t)
	want := 0
	for _, f := range files {
		want += len(f.Vectors) + 4*len(f.Probes)
	}
	outcomes := katrun.CheckVectors(t.Context(), b, files)
	require.Len(t, outcomes, want)
	var total time.Duration
	for _, o := range outcomes {
		require.NoError(t, o.Err, "%s: %s", o.File, o.Vector)
		require.False(t, o.Unsupported)
		require.NotEmpty(t, o.Ring)
		require.NotEmpty(t, o.Op)
		total += o.Time
	}
	require.Positive(t, total)
}

// wrong flips a bit of one coefficient of every result.
type wrong struct {
	backends.Backend
	row, index int
}

func (w wrong) NTT(r *ntt.Ring) (backends.Plan, error) {
	if r.N() == 1024 {
		return nil, &backends.Error{Op: "plan", Err: backends.ErrUnsupported}
	}
	p, err := w.Backend.NTT(r)
	return wrongPlan{p, w}, err
}

type wrongPlan struct {
	backends.Plan
	wrong
}

func (p wrongPlan) flip(dst []uint64, err error) error {
	if i := p.row*p.Ring().N() + p.index; i < len(dst) {
		dst[i] ^= 1
	}
	return err
}

func (p wrongPlan) Forward(ctx context.Context, dst, src []uint64) error {
	return p.flip(dst, p.Plan.Forward(ctx, dst, src))
}

func TestMismatchIsLocatedBehindADigest(t *testing.T) {
	b, files := setUp(t)
	outcomes := katrun.CheckVectors(t.Context(), wrong{b, 1, 14}, files)
	mismatches, unsupported := 0, 0
	for _, o := range outcomes {
		if o.Unsupported {
			unsupported++
			require.ErrorIs(t, o.Err, backends.ErrUnsupported)
			continue
		}
		if o.Err != nil {
			mismatches++
			require.ErrorIs(t, o.Err, kat.ErrMismatch)
		}
		if o.Vector == "pulsar/forward/2688" {
			var m *kat.Mismatch
			require.ErrorAs(t, o.Err, &m)
			require.Equal(t, []int{1, 14}, []int{m.Row, m.Index})
		}
	}
	require.NotZero(t, mismatches)
	require.NotZero(t, unsupported)
}

func TestCancelledContext(t *testing.T) {
	b, files := setUp(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, o := range katrun.CheckVectors(ctx, b, files) {
		require.ErrorIs(t, o.Err, context.Canceled)
	}
}

// TestRingsAreLattigos holds package ntt to what the files record of lattigo:
// psi is derived alike, and so are the tables.
func TestRingsAreLattigos(t *testing.T) {
	_, files := setUp(t)
	tables := 0
	for _, f := range files {
		for _, v := range f.Vectors {
			r, err := ntt.NewRing(v.Ring.N, v.Ring.Q)
			require.NoError(t, err)
			require.Equal(t, v.Ring.Psi, r.Psi(), v.Ring.Name)
			if v.Ring.RootsSHA3 == "" {
				continue
			}
			tables++
			for _, table := range []struct {
				roots  []uint64
				digest string
			}{{r.Roots(), v.Ring.RootsSHA3}, {r.InverseRoots(), v.Ring.InverseRootsSHA3}} {
				mont := make([]uint64, r.N())
				require.NoError(t, r.MForm(mont, table.roots))
				require.Equal(t, table.digest, kat.SHA3(mont), v.Ring.Name)
			}
		}
	}
	require.NotZero(t, tables)
}
