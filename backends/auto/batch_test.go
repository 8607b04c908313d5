package auto

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// crossing are curves that send 100 rows or more to the device.
func crossing(backend, _ string) []TablePoint {
	if backend == "device" {
		return []TablePoint{{1, 1e5}, {1 << 20, 1e5 + 1}}
	}
	return []TablePoint{{1, 1e3}, {1 << 20, 1e3 * (1 << 20)}}
}

func newBatch(t *testing.T, p *plan, rows int) *batch {
	t.Helper()
	b, err := p.NewBatch(rows)
	require.NoError(t, err)
	t.Cleanup(b.Release)
	require.NoError(t, b.Write(t.Context(), 0, residues(rows)))
	return b.(*batch)
}

func TestBatchIsPutWhereItPays(t *testing.T) {
	b := open(t, Options{planted: crossing}, newFake("cpu", 1, nil), newFake("device", 0, nil))
	p := planOf(t, b)
	for rows, at := range map[int]int{0: 0, 1: 0, 90: 0, 110: 1, 5000: 1} {
		require.Equal(t, at, newBatch(t, p, rows).at, rows)
		if rows > 0 {
			c, err := Explain(p, "batch", rows)
			require.NoError(t, err)
			require.Equal(t, []Part{{b.members[at].name, 0, rows}}, c.Parts)
		}
	}
}

// Factors on another backend than the result move there, and stay what they were.
func TestFactorsMoveToTheResult(t *testing.T) {
	for _, wipe := range []bool{false, true} {
		b := open(t, Options{planted: crossing, Options: backends.Options{Wipe: wipe}}, newFake("cpu", 1, nil), newFake("device", 0, nil))
		p := planOf(t, b)
		c, x, y := newBatch(t, p, 120), newBatch(t, p, 60), newBatch(t, p, 2)
		require.Equal(t, []int{1, 0, 0}, []int{c.at, x.at, y.at})
		require.NoError(t, c.MatMulAddMont(t.Context(), x, y, 60, 1, 2))
		require.Equal(t, []int{1, 1, 1}, []int{c.at, x.at, y.at})
		want := residues(120)
		require.NoError(t, p.ring.MatMulAddMont(want, residues(60), residues(2), 60, 1, 2))
		got := make([]uint64, len(want))
		require.NoError(t, c.Read(t.Context(), 0, got))
		require.Equal(t, want, got)
		require.NoError(t, x.Read(t.Context(), 0, got[:60*16]))
		require.Equal(t, residues(60), got[:60*16])

		// What is no work, or wrong, moves nothing.
		small := newBatch(t, p, 3)
		over, cancel := context.WithCancel(t.Context())
		cancel()
		require.NoError(t, small.MatMulAddMont(over, x, y, 0, 1, 1))
		require.ErrorIs(t, small.MatMulAddMont(t.Context(), x, y, 4, 1, 1), backends.ErrShape)
		require.ErrorIs(t, small.MatMulAddMont(over, x, y, 3, 1, 1), context.Canceled)
		require.Equal(t, []int{0, 1, 1}, []int{small.at, x.at, y.at})
		require.NoError(t, small.MatMulAddMont(t.Context(), x, y, 3, 1, 1), "and back")
		require.Equal(t, []int{0, 0, 0}, []int{small.at, x.at, y.at})
	}
}

// The rows of a device that is lost are lost, and said to be; a new batch is elsewhere.
func TestLostBatchSaysSo(t *testing.T) {
	device := newFake("device", 0, nil)
	device.batches = true
	b := open(t, Options{planted: crossing}, newFake("cpu", 1, nil), device)
	p := planOf(t, b)
	x := newBatch(t, p, 200)
	device.set(nil, lostAfter(0))
	for range 2 {
		err := x.Forward(t.Context(), 0, 200)
		require.ErrorIs(t, err, backends.ErrDeviceLost)
		require.ErrorContains(t, err, "rows of this batch are lost")
		var e *backends.Error
		require.ErrorAs(t, err, &e)
		require.Equal(t, Name, e.Backend)
	}
	require.Len(t, b.Events(), 2)
	require.Equal(t, []EventKind{Lost, RowsLost}, []EventKind{b.Events()[0].Kind, b.Events()[1].Kind})
	require.Equal(t, 200, x.Rows())
	again := newBatch(t, p, 200)
	require.Zero(t, again.at)
	require.NoError(t, again.Forward(t.Context(), 0, 200))
}

// full is a device without memory for batches.
type full struct{ *fake }

func (f full) NTT(r *ntt.Ring) (backends.Plan, error) {
	p, err := f.fake.NTT(r)
	return fullPlan{p}, err
}

type fullPlan struct{ backends.Plan }

func (fullPlan) NewBatch(int) (backends.Batch, error) {
	return nil, &backends.Error{Backend: "device", Op: "batch", Err: backends.ErrMemory}
}

func TestBatchThatDoesNotFitIsOnTheCPU(t *testing.T) {
	device := full{newFake("device", 0, nil)}
	b, err := New(Options{planted: crossing, drivers: []string{"cpu", "device"},
		open: func(name string, o backends.Options) (backends.Backend, error) {
			if name == "device" {
				return device, nil
			}
			return newFake("cpu", 1, nil), nil
		}})
	require.NoError(t, err)
	defer b.Close()
	require.Zero(t, newBatch(t, planOf(t, b), 200).at)
	require.Len(t, b.Events(), 1)
	require.Equal(t, Failed, b.Events()[0].Kind)
}
