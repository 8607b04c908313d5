package suite

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/internal/report"
	"github.com/crosspoint-kernels/crosspoint/keccak"
)

var boom = errors.New("boom")

// A contestant that fails keeps its rows with the reason, and the others go on.
func TestSweepKeepsFailures(t *testing.T) {
	t.Run("one size", func(t *testing.T) {
		f := newField()
		f.metal.failAt, f.metal.failure = 4, boom
		r, err := Sweep(t.Context(), f.contestants(), forward(t, 1, 4, 16), f.measuring())
		require.NoError(t, err)
		x := row(t, r.Rows, "metal", 4)
		require.Contains(t, x.Error, "boom")
		require.False(t, x.Verified)
		require.Zero(t, x.NsPerRow)
		require.Empty(t, row(t, r.Rows, "metal", 16).Error)
		require.Empty(t, row(t, r.Rows, CPU, 4).Error)
		require.Len(t, r.Failed, 1)
		require.Equal(t, "metal", r.Failed[0].Name)
		require.ErrorIs(t, r.Failed[0].Err, boom)
	})
	t.Run("unsupported", func(t *testing.T) {
		f := newField()
		f.metal.refuses = &backends.Error{Backend: "metal", Op: "plan", Err: backends.ErrUnsupported}
		r, err := Sweep(t.Context(), f.contestants(), forward(t, 1, 4), f.measuring())
		require.NoError(t, err)
		require.Contains(t, row(t, r.Rows, "metal", 1).Error, "not supported")
		require.Zero(t, f.metal.calls)
		require.Len(t, r.Failed, 1, "once, not for every size")
		require.ErrorIs(t, r.Failed[0].Err, backends.ErrUnsupported)
	})
}

// A lost device takes no further part, and is a failure wherever it was lost: at a
// size, in the search for a crossover, or in the phases.
func TestSweepLosesADevice(t *testing.T) {
	t.Run("at a size", func(t *testing.T) {
		f := newField()
		f.metal.failAt, f.metal.failure = 4, &backends.Error{Backend: "metal", Op: "forward", Err: backends.ErrDeviceLost}
		r, err := Sweep(t.Context(), f.contestants(), forward(t, 1, 4, 16, 64), f.measuring())
		require.NoError(t, err)
		calls := f.metal.calls
		for _, n := range []int{4, 16, 64} {
			require.Contains(t, row(t, r.Rows, "metal", n).Error, "device lost")
		}
		require.Less(t, calls, 50, "a lost device is not asked again")
		for _, c := range r.Crossovers {
			require.NotEqual(t, "metal", c.Backend)
		}
	})
	t.Run("in the search", func(t *testing.T) {
		f := newField()
		f.metal.failAt, f.metal.failure = 8192, &backends.Error{Backend: "metal", Op: "forward", Err: backends.ErrDeviceLost}
		asked := 0
		f.metal.onCall = func(rows int) {
			if rows == 8192 {
				asked++
			}
		}
		r, err := Sweep(t.Context(), f.contestants(), forward(t, paperSizes()...), f.measuring())
		require.NoError(t, err)
		f.settled(t)
		require.Equal(t, 1, asked, "a lost device is not asked again")
		require.Len(t, r.Failed, 1)
		require.Equal(t, "metal", r.Failed[0].Name)
		require.ErrorIs(t, r.Failed[0].Err, backends.ErrDeviceLost)
		require.Contains(t, row(t, r.Extra, "metal", 8192).Error, "device lost")
		require.Empty(t, row(t, r.Extra, CPU, 8192).Error)

		c := crossover(t, r, "metal", CPU)
		require.Equal(t, report.VerdictFound, c.Verdict, "over what was measured before")
		require.Equal(t, [2]int{4096, 16384}, [2]int{c.Lo, c.Hi})
		require.Equal(t, report.VerdictNever, crossover(t, r, "metal", CPUMT).Verdict)
	})
	t.Run("in the phases", func(t *testing.T) {
		f := newField()
		f.metal.noBatch = backends.ErrDeviceLost
		r, err := Sweep(t.Context(), f.contestants(), forward(t, 1, 4), f.measuring())
		require.NoError(t, err)
		require.Empty(t, row(t, r.Rows, "metal", 1).Error)
		require.Contains(t, row(t, r.Rows, "metal", 4).Error, "device lost")
		require.ErrorIs(t, r.Failed[0].Err, backends.ErrDeviceLost)
		f.settled(t)
	})
}

// A time that was measured stays although its phases cannot be.
func TestSweepKeepsTimesWithoutPhases(t *testing.T) {
	f := newField()
	f.metal.noBatch = boom
	r, err := Sweep(t.Context(), f.contestants(), forward(t, 1, 4), f.measuring())
	require.NoError(t, err)
	x := row(t, r.Rows, "metal", 1)
	require.Empty(t, x.Error)
	require.True(t, x.Verified, "the time was measured and stays")
	require.InDelta(t, metalD+metalTau, x.NsPerRow, 1)
	require.Empty(t, x.Phases)
	require.Contains(t, x.PhaseError, "boom")
	require.Equal(t, "metal", r.Failed[0].Name)
	require.ErrorIs(t, r.Failed[0].Err, boom)
	require.Len(t, r.Crossovers, 3)
	f.settled(t)
}

// A device that the search for a crossover loses is told of, whatever its rows are,
// and the verdict stands over what was measured before.
func TestHashingLostInTheSearch(t *testing.T) {
	lost := &keccak.Error{Op: "fake", Err: backends.ErrDeviceLost}
	for name, run := range map[string]func(f *field) (*Result, error){
		"keccak": func(f *field) (*Result, error) {
			f.metal.failAt, f.metal.failure = 2048, lost
			return Hash(t.Context(), f.contestants(), hashes(32, 1024, 4096), f.measuring())
		},
		"root": func(f *field) (*Result, error) {
			f.cpu.tau, f.metal.d, f.metal.tau = 1000, 2.2e6, 10
			f.metal.onCall = func(n int) {
				if n > 1100 && n != 2048 && n != 4096 { // no level of the trees asked for
					f.metal.failAt, f.metal.failure = n, lost
				}
			}
			return Root(t.Context(), f.contestants(), roots(Merkle, 1100, 4096), f.measuring())
		},
	} {
		f := newHashField()
		r, err := run(f)
		require.NoError(t, err, name)
		f.settled(t)
		require.Len(t, r.Failed, 1, name)
		require.Equal(t, "metal", r.Failed[0].Name)
		require.ErrorIs(t, r.Failed[0].Err, backends.ErrDeviceLost)
		require.NotEmpty(t, r.Extra, name)
		for _, x := range r.Rows {
			require.Empty(t, x.Error, name)
		}
		c := crossover(t, r, "metal", CPU)
		require.Equal(t, report.VerdictFound, c.Verdict, name)
		require.Equal(t, [2]int{r.Rows[0].Batch, 4096}, [2]int{c.Lo, c.Hi}, name)
	}
}
