package suite

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/backends"
	_ "github.com/crosspoint-kernels/crosspoint/backends/cpu"
	"github.com/crosspoint-kernels/crosspoint/internal/report"
	"github.com/crosspoint-kernels/crosspoint/keccak"
)

// Costs of a hash on the field, in ns: the device meets one thread at 2,000.
const (
	hashTau       = 300
	hashDeviceD   = 400e3
	hashDeviceTau = 100
)

// newHashField is a field whose times are those of hashes.
func newHashField() *field {
	f := newField()
	f.cpu.tau, f.mt.tau = hashTau, hashTau/2
	f.metal.d, f.metal.tau, f.metal.bus = hashDeviceD, hashDeviceTau, 10
	return f
}

func hashes(length int, sizes ...int) HashCase { return HashCase{Len: length, Sizes: sizes} }

func TestHashFindsPlantedCrossover(t *testing.T) {
	f := newHashField()
	r, err := Hash(t.Context(), f.contestants(), hashes(136, 1, 64, 1024, 4096), f.measuring())
	require.NoError(t, err)
	require.False(t, r.Partial)
	f.settled(t)

	require.Len(t, r.Rows, 3*4)
	for _, x := range r.Rows {
		require.Equal(t, report.KeccakOp, x.Op)
		require.Equal(t, map[string]string{"len": "136"}, x.Params)
		require.True(t, x.Verified)
		require.GreaterOrEqual(t, x.Samples, 11)
		require.Empty(t, x.Root)
		require.Equal(t, x.Backend == "metal", len(x.Phases) == 3, "only a device has phases")
	}
	require.InDelta(t, hashTau, row(t, r.Rows, CPU, 4096).NsPerRow, 0.01)
	p := row(t, r.Rows, "metal", 1024).Phases
	require.InDelta(t, 30*1024, p[report.PhaseUpload], 1)
	require.InDelta(t, hashDeviceD, p[report.PhaseKernel], 1)
	require.InDelta(t, 10*1024, p[report.PhaseDownload], 1)

	s := row(t, r.Rows, "metal", 4096).Speedup
	require.Len(t, s, 2)
	require.InEpsilon(t, hashTau*4096/(hashDeviceD+hashDeviceTau*4096), s[CPU].Median, 0.001)
	require.Len(t, row(t, r.Rows, CPUMT, 4096).Speedup, 1)

	c := crossover(t, r, "metal", CPU)
	require.Equal(t, report.VerdictFound, c.Verdict)
	require.InEpsilon(t, hashDeviceD/(hashTau-hashDeviceTau), *c.Batch, 0.10)
	require.Equal(t, report.KeccakOp, c.Op)
	require.Equal(t, map[string]string{"len": "136"}, c.Params)
	require.Equal(t, report.VerdictNever, crossover(t, r, "metal", CPUMT).Verdict)
	require.Len(t, r.Fits, 3)
	require.InEpsilon(t, hashDeviceTau, r.Fits[2].TauNs, 0.001)
}

// A digest that is wrong, or that was not written, stops the run with everything
// that is needed to see it again, and nothing of that size is timed.
func TestHashStopsAtMismatch(t *testing.T) {
	flip := func(i, b int) func([][keccak.Size]byte) {
		return func(dst [][keccak.Size]byte) {
			if len(dst) == 70 {
				dst[i][b] ^= 1
			}
		}
	}
	for name, c := range map[string]struct {
		spoil   func([][keccak.Size]byte)
		idle    bool
		message int
	}{
		"first byte":   {spoil: flip(0, 0)},
		"last byte":    {spoil: flip(69, 31), message: 69},
		"one message":  {spoil: flip(33, 7), message: 33},
		"does nothing": {idle: true},
		"swaps two": {message: 4, spoil: func(dst [][keccak.Size]byte) {
			dst[4], dst[5] = dst[5], dst[4]
		}},
	} {
		t.Run(name, func(t *testing.T) {
			f := newHashField()
			f.metal.spoil, f.metal.idle = c.spoil, c.idle
			m := f.measuring()
			m.Seed = 42
			r, err := Hash(t.Context(), f.contestants(), hashes(32, 70), m)
			require.ErrorIs(t, err, ErrMismatch)
			var wrong *DigestError
			require.ErrorAs(t, err, &wrong)
			require.Empty(t, r.Rows)
			require.Equal(t, 1, f.metal.calls, "nothing was timed")
			f.settled(t)
			require.Equal(t, DigestError{Backend: "metal", Op: report.KeccakOp, Batch: 70, Message: c.message,
				Got: wrong.Got, Want: wrong.Want, Seed: 42}, *wrong)
			require.NotEqual(t, wrong.Got, wrong.Want)
			for _, word := range []string{"metal", "batch 70", "digest", "got", "want", "seed 42"} {
				require.Contains(t, err.Error(), word)
			}
		})
	}
}

// What was measured before a mismatch is kept.
func TestHashKeepsWhatWasFinished(t *testing.T) {
	f := newHashField()
	f.metal.spoil = func(dst [][keccak.Size]byte) { dst[0][0] ^= byte(len(dst) >> 4) }
	r, err := Hash(t.Context(), f.contestants(), hashes(32, 4, 16, 64), f.measuring())
	require.ErrorIs(t, err, ErrMismatch)
	require.Len(t, r.Rows, 3)
}

// A contestant that fails keeps its rows with the reason, and the others go on.
func TestHashKeepsFailures(t *testing.T) {
	lost := &keccak.Error{Op: "sumfixed", Err: backends.ErrDeviceLost}
	unsupported := &backends.Error{Backend: "metal", Op: "keccak", Err: backends.ErrUnsupported}
	for name, c := range map[string]struct {
		spoil  func(*fake)
		err    error
		failed []int
	}{
		"one size":    {func(f *fake) { f.failAt, f.failure = 4, boom }, boom, []int{4}},
		"device lost": {func(f *fake) { f.failAt, f.failure = 4, lost }, backends.ErrDeviceLost, []int{4, 16}},
		"unsupported": {func(f *fake) { f.refuses = unsupported }, backends.ErrUnsupported, []int{1, 4, 16}},
		"no hasher":   {func(f *fake) { f.noHasher = boom }, boom, []int{1, 4, 16}},
	} {
		t.Run(name, func(t *testing.T) {
			f := newHashField()
			c.spoil(f.metal)
			r, err := Hash(t.Context(), f.contestants(), hashes(32, 1, 4, 16), f.measuring())
			require.NoError(t, err)
			f.settled(t)
			require.Len(t, r.Failed, 1, "once, not for every size")
			require.Equal(t, "metal", r.Failed[0].Name)
			require.ErrorIs(t, r.Failed[0].Err, c.err)
			var failed []int
			for _, x := range r.Rows {
				if x.Error != "" {
					require.Equal(t, "metal", x.Backend)
					require.False(t, x.Verified)
					require.Zero(t, x.NsPerRow)
					failed = append(failed, x.Batch)
				}
			}
			require.Equal(t, c.failed, failed)
		})
	}
}

// A context that ends leaves whole sizes, marked partial, at whatever point it
// ends.
func TestHashCancelled(t *testing.T) {
	for stop := 1; stop <= 40; stop += 13 {
		f := newHashField()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		at16 := 0
		f.metal.onCall = func(n int) {
			if n == 16 {
				if at16++; at16 == stop {
					cancel()
				}
			}
		}
		r, err := Hash(ctx, f.contestants(), hashes(32, 1, 4, 16, 64), f.measuring())
		require.NoError(t, err)
		f.settled(t)
		require.Equal(t, at16 >= stop, r.Partial)
		require.Contains(t, []int{6, 9, 12}, len(r.Rows), "whole sizes only")
		require.Len(t, r.Crossovers, 3, "the finished sizes are judged")
	}
}

func TestHashLabelsSoftware(t *testing.T) {
	f := newHashField()
	f.metal.info.Software, f.metal.info.Device = true, "llvmpipe"
	r, err := Hash(t.Context(), f.contestants(), hashes(32, 1, 4096), f.measuring())
	require.NoError(t, err)
	for _, x := range append(r.Rows, r.Extra...) {
		require.Equal(t, x.Backend == "metal", x.Software)
		require.Equal(t, x.Backend == "metal", x.Device == "llvmpipe")
	}
	require.NotEmpty(t, r.Extra)
}

func TestHashRefuses(t *testing.T) {
	f := newHashField()
	for _, c := range []HashCase{
		hashes(32), hashes(32, 0), hashes(32, 4, 4), hashes(32, 4, 2), hashes(0, 1), hashes(-1, 1),
		hashes(MaxMessage+1, 1), hashes(136, MaxMessages(136)+1), hashes(1, MaxMessages(1)+1),
	} {
		_, err := Hash(t.Context(), f.contestants(), c, f.measuring())
		require.ErrorIs(t, err, ErrSizes, "%+v", c)
	}
	require.Zero(t, f.cpu.calls)
}

// The bound is on the memory of a run.
func TestMaxMessagesCountsBuffers(t *testing.T) {
	for _, length := range []int{1, 32, 136, MaxMessage} {
		w := newMessages(hashes(length, 3), 1)
		held, most := int64(len(w.data)+keccak.Size*(len(w.dst)+len(w.reference(3)))), int64(MaxMessages(length))
		require.LessOrEqual(t, held*most, int64(3*maxData), length)
		require.Greater(t, held*(most+1), int64(3*maxData), length)
	}
}

// The real backend on lengths around a block, and messages that a shorter batch
// shares with a longer one.
func TestHashOnCPU(t *testing.T) {
	cs, missing := Open(backends.Open, nil, backends.Options{})
	require.Empty(t, missing)
	defer Close(cs)
	for _, length := range []int{1, 135, 136, 137, 272} {
		r, err := Hash(t.Context(), cs, hashes(length, 1, 3, 50), Measuring{Seed: 7})
		require.NoError(t, err)
		require.Len(t, r.Rows, 2*3)
		require.Empty(t, r.Failed)
	}
	long, short := newMessages(hashes(33, 50), 7), newMessages(hashes(33, 3), 7)
	require.Equal(t, long.span(3), short.data)
	require.NotEqual(t, short.data, newMessages(hashes(33, 3), 8).data)
}
