package device

import (
	"bytes"
	"context"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/gpu"
)

// TestSteadyState: once a plan has seen its largest call it makes nothing more.
func TestSteadyState(t *testing.T) {
	f := newSpy()
	p := planOf(t, setup(t, f, chunks(16)), ring(t, tiny4))
	_, ok := agrees(p, 70)
	require.True(t, ok)
	made, live := f.made(), f.alive()
	for _, n := range []int{1, 70, 3, 16, 17, 64, 70} {
		_, ok := agrees(p, n)
		require.True(t, ok)
	}
	require.Equal(t, made, f.made())
	require.Equal(t, live, f.alive())
	require.Zero(t, f.Counts().LivePendings)
}

// TestSmallCallsTakeLittleMemory: the largest buffer follows the largest call.
func TestSmallCallsTakeLittleMemory(t *testing.T) {
	p := planOf(t, setup(t, newSpy(), chunks(0)), ring(t, tiny8)).(*plan)
	for _, d := range []struct{ rows, want int }{{1, 1}, {3, 4}, {2, 4}, {9, 16}, {5, 16}} {
		s := testRows(p.Ring(), d.rows, 0)
		require.NoError(t, p.Forward(t.Context(), s, s))
		require.Len(t, p.pool.idle, 1)
		require.Equal(t, d.want*64, p.pool.idle[0].data[0].Size(), "%d rows", d.rows)
		require.Nil(t, p.pool.idle[0].data[1], "a transform has one operand")
	}
}

func TestPoolPicks(t *testing.T) {
	for _, d := range []struct {
		idle       []int
		rows, want int
	}{
		{nil, 5, 0},
		{[]int{1}, 5, 1},
		{[]int{1, 4, 2}, 5, 4},
		{[]int{16, 8, 64}, 5, 8},
		{[]int{64, 4, 8, 16}, 8, 8},
	} {
		p := newPool(func() *slot { return new(slot) })
		for _, n := range d.idle {
			<-p.tokens
			p.put(&slot{rows: n})
		}
		s, err := p.get(t.Context(), d.rows, true)
		require.NoError(t, err)
		require.Equal(t, d.want, s.rows, "%v for %d", d.idle, d.rows)
		require.Len(t, p.idle, max(0, len(d.idle)-1))
	}
}

func TestPoolIsBounded(t *testing.T) {
	p := newPool(func() *slot { return new(slot) })
	var lent []*slot
	for range maxSlots {
		s, err := p.get(t.Context(), 1, false)
		require.NoError(t, err)
		require.NotNil(t, s)
		lent = append(lent, s)
	}
	s, err := p.get(t.Context(), 1, false)
	require.NoError(t, err)
	require.Nil(t, s)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = p.get(ctx, 1, true)
	require.ErrorIs(t, err, context.Canceled)
	go p.put(lent[0])
	s, err = p.get(t.Context(), 1, true)
	require.NoError(t, err)
	require.Same(t, lent[0], s)
}

// TestConcurrentCalls runs more calls at a time than there are slots.
func TestConcurrentCalls(t *testing.T) {
	f := newSpy()
	b := setup(t, f, chunks(4))
	p := planOf(t, b, ring(t, tiny4))
	var wg sync.WaitGroup
	for g := range 3 * maxSlots {
		wg.Go(func() {
			if o, ok := agrees(p, 1+7*g%31); !ok {
				t.Errorf("%v of %d rows", o, 1+7*g%31)
			}
			a, err := p.NewBatch(5)
			if err != nil {
				t.Error(err)
				return
			}
			defer a.Release()
			s := testRows(p.Ring(), 5, 1)
			want := expected(p.Ring(), forward, s, s, nil)
			if a.Write(t.Context(), 0, s) != nil || a.Forward(t.Context(), 0, 5) != nil ||
				a.Read(t.Context(), 0, s) != nil || !slices.Equal(s, want) {
				t.Error("batch")
			}
		})
	}
	wg.Wait()
	require.LessOrEqual(t, len(p.(*plan).pool.idle), maxSlots)
	require.NoError(t, b.Close())
	require.Zero(t, f.alive())
}

// TestCloseWaits: Close lets calls under way finish, and refuses later ones.
func TestCloseWaits(t *testing.T) {
	f := newSpy()
	b := setup(t, f, chunks(1))
	p := planOf(t, b, ring(t, tiny4))
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for {
				s := testRows(p.Ring(), 9, 1)
				want := expected(p.Ring(), inverse, s, s, nil)
				if err := p.Inverse(context.Background(), s, s); err != nil {
					require.ErrorIs(t, err, backends.ErrClosed)
					return
				}
				require.Equal(t, want, s)
			}
		})
	}
	require.NoError(t, b.Close())
	wg.Wait()
	require.Zero(t, f.alive())
}

// TestWipe: with the option the host's memory that held coefficients is zero when
// it is let go of. The device's is the business of the device.
func TestWipe(t *testing.T) {
	for _, wipe := range []bool{false, true} {
		f := newSpy()
		b := setup(t, f, func(c *Config) { c.Options.Wipe = wipe })
		r := ring(t, tiny4)
		p := planOf(t, b, r)
		small, large := testRows(r, 2, 1), testRows(r, 9, 1)
		require.NoError(t, p.MulAdd(t.Context(), small, small, small))
		first := p.(*plan).pool.idle[0].scratch
		require.NoError(t, p.MulAdd(t.Context(), large, large, large)) // grows the slot
		batchOf(t, p, large)
		second := p.(*plan).pool.idle[0].scratch
		require.NoError(t, p.Close())
		require.NoError(t, b.Close())
		for _, scratch := range [][]byte{first, second} {
			require.NotEmpty(t, scratch)
			require.Equal(t, wipe, len(bytes.Trim(scratch, "\x00")) == 0)
		}
	}
}

// still is a device that does nothing and allocates nothing.
type still struct {
	*spy
	view []byte
}

func (s *still) Submit(gpu.Work) (gpu.Pending, error) { return s, nil }
func (*still) Wait(context.Context) error             { return nil }
func (s *still) View(int) []byte                      { return s.view }
func (*still) Release()                               {}

// stillBuffer ignores what is written to it.
type stillBuffer struct{ gpu.Buffer }

func (stillBuffer) Write(int, []byte) error { return nil }

// TestAllocations: the host code allocates nothing per call or chunk.
func TestAllocations(t *testing.T) {
	r := ring(t, tiny8)
	f := newSpy()
	p := planOf(t, setup(t, f, chunks(4)), r).(*plan)
	b := batchOf(t, p, testRows(r, 4, 1))
	require.NoError(t, b.Forward(t.Context(), 0, 4))
	dst, a := testRows(r, 40, 0), testRows(r, 40, 1)
	require.NoError(t, p.MulAdd(t.Context(), dst, a, a))
	require.NoError(t, p.Forward(t.Context(), dst, a))
	for _, s := range p.pool.idle {
		for i, b := range s.data {
			if b != nil {
				s.data[i] = stillBuffer{b}
			}
		}
	}
	p.backend.dev = &still{f, make([]byte, 4*64)}
	ctx := context.Background()
	require.Zero(t, testing.AllocsPerRun(20, func() { _ = p.Forward(ctx, dst, a) }))
	require.Zero(t, testing.AllocsPerRun(20, func() { _ = p.MulAdd(ctx, dst, a, a) }))
	require.LessOrEqual(t, testing.AllocsPerRun(20, func() { _ = b.Forward(ctx, 0, 4) }), 2.0)
}
