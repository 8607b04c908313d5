package auto

import (
	"context"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/backends"
)

// whereItGoes makes a call and requires that Explain told its parts and reason.
func whereItGoes(t *testing.T, p *plan, n int) string {
	t.Helper()
	told := explained(t, p, "forward", n)
	s := residues(n)
	_, route := took(t, func(ctx context.Context) error { return p.Forward(ctx, s, s) })
	require.Equal(t, told.String(), route)
	return route
}

// A decision between whose sizes a split was taken to be best is not followed where the
// device would get no row: all of them would go there.
func TestSplitOfOneRowIsNone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := planOf(t, open(t, Options{planted: flat(1000, 1e6), frozen: true}, newFake("cpu", 1, nil), newFake("device", 0, nil)))
		explained(t, p, "forward", 1)
		p.routes.ops[forward].decision.Store(&decision{upTo: []int{math.MaxInt}, pick: []int{2 + 1}})
		require.Equal(t, "cpu [0, 1): fastest", whereItGoes(t, p, 1))
	})
}

// A plan that was made while a device had no room for it goes without, and says so,
// although another plan of the ring has the device.
func TestPlanWithoutADevice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := open(t, Options{planted: toDevice, NoSplit: true}, newFake("cpu", 1, nil), newFake("device", 0, nil))
		with, without := planOf(t, b), planOf(t, b)
		require.NoError(t, without.plans[1].Close())
		without.plans[1] = nil
		require.Equal(t, "device [0, 5): fastest", whereItGoes(t, with, 5))
		require.Equal(t, "cpu [0, 5): fastest", whereItGoes(t, without, 5))
		require.NotEmpty(t, explained(t, without, "forward", 5).Candidates[1].Why)
	})
}

// small is a device that holds no batch of more than 50 rows.
type small struct{ *fake }

func (s small) Supports(o backends.Op) error {
	if o.Kind == backends.Resident && o.Rows > 50 {
		return &backends.Error{Backend: "device", Op: "batch", Err: backends.ErrUnsupported}
	}
	return s.fake.Supports(o)
}

// Explain says where NewBatch puts rows: never on a trial, however many they are, and
// not on a device that does not hold them.
func TestExplainedBatchIsWhereItIsPut(t *testing.T) {
	b := open(t, Options{planted: func(backend, _ string) []TablePoint {
		return map[string][]TablePoint{"cpu": {{1, 1000}, {64, 64_000}}, "device": {{1, 500}, {8, 8 * 1100}}}[backend]
	}}, newFake("cpu", 1, nil), newFake("device", 0, nil))
	p := planOf(t, b)
	for _, n := range []int{1, 8, 17, 64, 1000, 100_000} {
		c := explained(t, p, "batch", n)
		require.NotEqual(t, Trial, c.Reason)
		require.Equal(t, b.members[newBatch(t, p, n).at].name, c.Parts[0].Backend, n)
	}

	device := small{newFake("device", 0, nil)}
	b, err := New(Options{planted: toDevice, drivers: []string{"cpu", "device"},
		open: func(name string, o backends.Options) (backends.Backend, error) {
			if name == "device" {
				return device, nil
			}
			return newFake("cpu", 1, nil), nil
		}})
	require.NoError(t, err)
	defer b.Close()
	p = planOf(t, b)
	for n, at := range map[int]int{50: 1, 51: 0} {
		require.Equal(t, at, newBatch(t, p, n).at)
		require.Equal(t, b.members[at].name, explained(t, p, "batch", n).Parts[0].Backend)
	}
}

// A plan that is closed while it measures leaves nothing behind: another one of its
// ring measures again, and all members are there.
func TestClosedWhileMeasuring(t *testing.T) {
	for _, at := range []string{"cpu", "device"} {
		cpu, device := newFake("cpu", 1, nil), newFake("device", 0, nil)
		b := open(t, Options{calibration: time.Millisecond}, cpu, device)
		first, second := planOf(t, b), planOf(t, b)
		f := map[string]*fake{"cpu": cpu, "device": device}[at]
		f.set(nil, func(int) (int, error) { return 0, backends.ErrClosed })
		require.Equal(t, Unmeasured, explained(t, first, "forward", 1).Reason)
		f.set(nil, nil)
		require.NoError(t, first.Close())
		s := residues(4)
		require.NoError(t, second.Forward(t.Context(), s, s))
		c := explained(t, second, "forward", 4)
		require.Empty(t, c.Candidates[0].Why)
		require.Empty(t, c.Candidates[1].Why)
		require.Empty(t, b.Events())
	}
}

// The CPU that calls are resumed on is held even if it failed to be measured: the call
// that meets its error tells it.
func TestCPUThatFailsIsKept(t *testing.T) {
	cpu := newFake("cpu", 1, nil)
	b := open(t, Options{calibration: time.Millisecond}, cpu, newFake("device", 0, nil))
	p := planOf(t, b)
	cpu.set(nil, func(int) (int, error) { return 0, backends.ErrMemory })
	explained(t, p, "forward", 1)
	require.Len(t, b.Events(), 1)
	b.lose(b.members[1], "forward", 1, 0, backends.ErrDeviceLost)
	s := residues(1)
	require.ErrorIs(t, p.Forward(t.Context(), s, s), backends.ErrMemory)
	cpu.set(nil, nil)
	require.NoError(t, p.Forward(t.Context(), s, s))
}

// What is lost is the device of the factor, and not that of the result.
func TestLostFactorLeavesTheResult(t *testing.T) {
	one, two := newFake("one", 0, nil), newFake("two", 0, nil)
	where := "one"
	b := open(t, Options{planted: func(backend, _ string) []TablePoint {
		ns := map[string]float64{"cpu": 3000, "one": 1000, "two": 2000}[backend]
		return []TablePoint{{1, ns}, {1 << 20, ns}}
	}}, newFake("cpu", 1, nil), one, two)
	p := planOf(t, b)
	x, y := newBatch(t, p, 5), newBatch(t, p, 5)
	require.Equal(t, where, b.members[x.at].name)
	p.b.members[x.at].lost.Store(true) // for the next one to be put elsewhere
	c := newBatch(t, p, 5)
	p.b.members[x.at].lost.Store(false)
	require.Equal(t, "two", b.members[c.at].name)
	x.rows = lostBatch{x.rows}
	err := c.MulAddMont(t.Context(), x, y)
	require.ErrorIs(t, err, backends.ErrDeviceLost)
	require.ErrorContains(t, err, "one: ")
	require.False(t, b.members[c.at].lost.Load())
	require.True(t, b.members[x.at].lost.Load())
	got := make([]uint64, 5*16)
	require.NoError(t, c.Read(t.Context(), 0, got))
	require.Equal(t, residues(5), got)
}

// lostBatch is rows on a device that is lost.
type lostBatch struct{ backends.Batch }

func (lostBatch) Read(context.Context, int, []uint64) error {
	return &backends.Error{Backend: "one", Op: "batch read", Err: backends.ErrDeviceLost}
}

// Rounds are rows, whatever time was expected of them.
func TestRoundsAreWholeRows(t *testing.T) {
	for _, c := range []struct {
		n    int
		ns   float64
		want int
	}{{1000, 1, 1000}, {1000, round, 1000}, {1000, 1.5 * round, 500}, {1000, 3 * round, 334}, {7, 1e300, 1},
		{7, math.Inf(1), 1}, {math.MaxInt, 1, math.MaxInt}} {
		require.Equal(t, c.want, roundRows(c.n, c.ns), c)
	}
	require.Equal(t, time.Duration(1<<62), duration(math.Inf(1)))
	require.Equal(t, time.Duration(-1<<62), duration(-1e300))
}
