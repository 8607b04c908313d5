package suite

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/internal/report"
)

// The counts that shared/data's op counters recorded on lattigo's ring methods.
func TestRound1Counts(t *testing.T) {
	require.Equal(t, 2688, PaperTransforms)
	require.Equal(t, 735, Round1Transforms)
	require.Equal(t, 2744, ringtailM*ringtailNvec*columns, "multiply-accumulates")
	require.Equal(t, 392, rowsE)
	require.Equal(t, 343, rowsR)
}

// Amdahl's bound of the documented profile: 12.8 % of Round 1, so at most 1.15
// times as fast.
func TestRound1Profile(t *testing.T) {
	p := Round1Profile()
	require.InDelta(t, 0.128, p.Ring(), 1e-9)
	require.InDelta(t, 1.147, 1/(1-p.Ring()), 0.001)
	require.InDelta(t, p.Ring(), p.Share(float64(p.Wall)*p.Ring()), 1e-6, "its own time gives its own share")
	require.Less(t, p.Share(1e12), 1.0)
	require.Zero(t, p.Share(0))
}

// A device that meets one thread of the CPU at 6,640 transforms pays from three
// of the paper's signatures on, which a search finds; one at 3,980 from two. Only
// the second is short enough for the race detector.
func TestHotPath(t *testing.T) {
	signers, metalD, pays := []int{1, 3}, 3.5e6, 3
	if testing.Short() {
		signers, metalD, pays = []int{1, 2}, 2.1e6, 2
	}
	f := newField()
	f.metal.d = metalD
	var labels []string
	m := f.measuring()
	m.Progress = func(next string, _, _ int) { labels = append(labels, next) }
	r, err := HotPath(t.Context(), f.contestants(), signers, m)
	require.NoError(t, err)
	require.False(t, r.Partial)
	f.settled(t)

	require.Len(t, r.HotPath, 2*2*3)
	for _, h := range r.HotPath {
		require.True(t, h.Verified, "%+v", h)
		require.GreaterOrEqual(t, h.Samples, 11)
		require.Equal(t, h.Reading == report.ReadingRound1, h.Share > 0)
		if h.Backend == CPU && h.Reading == report.ReadingPaper {
			require.InEpsilon(t, float64(h.Signers)*PaperTransforms*cpuTau, h.Ns, 0.001)
		}
	}
	var found, against []string
	for _, c := range r.Crossovers {
		if c.Op != report.HotPathOp(report.ReadingPaper) {
			continue
		}
		found, against = append(found, c.Verdict), append(against, c.Backend+"/"+c.Against)
		if c.Backend == "metal" && c.Against == CPU {
			require.Equal(t, report.VerdictFound, c.Verdict)
			require.Equal(t, [2]int{pays - 1, pays}, [2]int{c.Lo, c.Hi})
			require.Equal(t, pays, *c.Batch, "pays from so many signatures in flight")
		}
	}
	require.Equal(t, []string{"cpu-mt/cpu", "metal/cpu", "metal/cpu-mt"}, against)
	require.Equal(t, []string{report.VerdictAlways, report.VerdictFound, report.VerdictNever}, found)
	require.Equal(t, !testing.Short(), len(r.ExtraHotPath) > 0)
	require.Equal(t, "hot path (paper) k = 1", labels[0])
	require.Empty(t, labels[len(labels)-1])
}

// A chain that is wrong anywhere is caught before it is timed.
func TestHotPathStopsAtMismatch(t *testing.T) {
	f := newField()
	f.metal.bend = func(dst []uint64, rows int) {
		if rows == rowsE { // the result of Round 1, and no batch of the paper's
			dst[391*256+255] ^= 1
		}
	}
	r, err := HotPath(t.Context(), f.contestants(), []int{1}, f.measuring())
	var wrong *MismatchError
	require.ErrorAs(t, err, &wrong)
	require.Equal(t, [2]int{391, 255}, [2]int{wrong.Row, wrong.Coefficient})
	require.Equal(t, "metal", wrong.Backend)
	require.Len(t, r.HotPath, 3, "the paper's reading was finished")
	f.settled(t)
}

func TestHotPathCancelled(t *testing.T) {
	f := newField()
	ctx, cancel := context.WithCancel(t.Context())
	f.metal.onCall = func(rows int) {
		if rows == 2*PaperTransforms {
			cancel()
		}
	}
	r, err := HotPath(ctx, f.contestants(), []int{1, 2}, f.measuring())
	require.NoError(t, err)
	require.True(t, r.Partial)
	require.Len(t, r.HotPath, 3)
	f.settled(t)
}

// Whoever has no resident rows takes part in the paper's reading alone.
func TestHotPathKeepsFailures(t *testing.T) {
	f := newField()
	f.metal.noBatch = backends.ErrUnsupported
	r, err := HotPath(t.Context(), f.contestants(), []int{1}, f.measuring())
	require.NoError(t, err)
	for _, h := range r.HotPath {
		require.Equal(t, h.Backend == "metal" && h.Reading == report.ReadingRound1, h.Error != "", "%+v", h)
	}
	f.settled(t)
}

// A device that dies while k is searched for is a failure beside the verdict.
func TestHotPathLostInTheSearch(t *testing.T) {
	f := newField()
	f.metal.d = 3.5e6
	f.metal.failAt, f.metal.failure = 2*PaperTransforms, backends.ErrDeviceLost
	for _, b := range []*fake{f.cpu, f.mt, f.metal} {
		b.noBatch = backends.ErrUnsupported // the paper's reading is enough
	}
	r, err := HotPath(t.Context(), f.contestants(), []int{1, 3}, f.measuring())
	require.NoError(t, err)
	require.NotEmpty(t, r.Failed)
	require.Equal(t, "metal", r.Failed[0].Name)
	require.ErrorIs(t, r.Failed[0].Err, backends.ErrDeviceLost)
	require.Equal(t, report.VerdictFound, r.Crossovers[1].Verdict)
	require.Equal(t, 1, r.Crossovers[1].Lo)
	f.settled(t)
}

func TestHotPathRefusesSigners(t *testing.T) {
	for _, signers := range [][]int{nil, {0}, {2, 1}, {1, 1 << 20}} {
		_, err := HotPath(t.Context(), newField().contestants(), signers, Measuring{})
		require.ErrorIs(t, err, ErrSizes)
	}
}
