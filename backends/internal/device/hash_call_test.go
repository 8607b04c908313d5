package device

import (
	"context"
	"encoding/binary"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/gpu"
	"github.com/crosspoint-kernels/crosspoint/gpu/gputest"
	"github.com/crosspoint-kernels/crosspoint/keccak"
)

// cuts are how the tests cut the work of a hasher.
var cuts = []hashCut{
	{bytes: 256, blocks: 1, subtree: 4},
	{bytes: 512, blocks: 2, subtree: 16},
	{bytes: 1024, blocks: 4, subtree: 16},
	{bytes: 4096, blocks: 30, subtree: 64},
	{},
}

func hashCuts(c hashCut) func(*Config) { return func(x *Config) { x.hashCut = c } }

func TestHashEveryLength(t *testing.T) {
	var lengths []int
	for n := range 1101 {
		if n <= 300 || (n+2)%136 < 5 {
			lengths = append(lengths, n)
		}
	}
	for _, c := range cuts {
		h := hasherOf(t, setup(t, newSpy(), hashCuts(c)))
		require.NoError(t, hashes(h, lengths...), "%+v", c)
		slices.Reverse(lengths)
		require.NoError(t, hashes(h, lengths...), "%+v", c)
		for i, n := range lengths {
			require.NoError(t, hashesFixed(h, 1+i%7, n), "%+v: %d bytes", c, n)
			require.NoError(t, hashes(h, n), "%+v: %d bytes", c, n)
		}
	}
}

func TestHashEveryBatchSize(t *testing.T) {
	for _, c := range cuts {
		l := gputest.DefaultLimits()
		l.MaxGroups = 5 // grids of two dimensions
		if c.bytes == 0 {
			l.MaxGroups = 65535
		}
		h := hasherOf(t, setup(t, limited(l), hashCuts(c)))
		for n := range 71 {
			require.NoError(t, hashes(h, mixed(n)...), "%+v: %d messages", c, n)
			require.NoError(t, hashesFixed(h, n, []int{0, 1, 32, 136, 271}[n%5]), "%+v: %d messages", c, n)
		}
	}
}

// TestHashSubmissions: a chunk is as many messages as fit it, in bytes and in
// digests, and a message of more blocks than a dispatch takes goes by itself.
func TestHashSubmissions(t *testing.T) {
	f := newSpy()
	h := hasherOf(t, setup(t, f, nil)) // chunks of 1024 bytes or 32 messages, 4 blocks
	for _, d := range []struct {
		lengths []int
		want    int
	}{
		{nil, 0},
		{[]int{0}, 1},
		{repeat(0, 32), 1}, {repeat(0, 33), 2}, {repeat(0, 65), 3},
		{repeat(32, 32), 1}, {repeat(32, 33), 2},
		{[]int{512, 512}, 1}, {[]int{512, 512, 1}, 2}, {[]int{513, 512}, 2},
		{[]int{543, 481}, 1}, {[]int{543, 482}, 2},
		{[]int{543}, 1}, {[]int{544}, 2}, {[]int{1087}, 2}, {[]int{1088}, 3},
		{[]int{10, 544, 10}, 4}, {[]int{544, 544}, 4},
	} {
		before := f.Calls(gputest.OpSubmit)
		require.NoError(t, hashes(h, d.lengths...))
		require.Equal(t, d.want, f.Calls(gputest.OpSubmit)-before, "%v", d.lengths)
		if len(d.lengths) > 0 && slices.Min(d.lengths) == slices.Max(d.lengths) {
			before = f.Calls(gputest.OpSubmit)
			require.NoError(t, hashesFixed(h, len(d.lengths), d.lengths[0]))
			require.Equal(t, d.want, f.Calls(gputest.OpSubmit)-before, "fixed %v", d.lengths)
		}
	}
}

// TestPlaces: the messages of a chunk are hashed in the order of their blocks,
// most first, and those of equally many in their own.
func TestPlaces(t *testing.T) {
	f := newSpy()
	h := hasherOf(t, setup(t, f, nil))
	m := messages(0, 136, 135, 272, 10, 271)
	require.NoError(t, h.Sum256(t.Context(), make([][32]byte, 6), m))
	s := h.pool.idle[0]
	var got []uint32
	for i := range 13 {
		got = append(got, binary.LittleEndian.Uint32(s.order[4*i:]))
	}
	require.Equal(t, []uint32{3, 1, 5, 0, 2, 4, 0, 0, 136, 271, 543, 553, 824}, got)
}

// doneOf checks that of a call that failed, digests [0, Done) are final and the
// others as they were.
func doneOf(t *testing.T, err error, got, want [][32]byte) int {
	t.Helper()
	var e *keccak.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, want[:e.Done], got[:e.Done], "final digests")
	require.Equal(t, poisoned(len(want)-e.Done), got[e.Done:], "untouched digests")
	return e.Done
}

// hashOps are the calls of a device that a call of a hasher makes.
var hashOps = []gputest.Op{gputest.OpNewBuffer, gputest.OpBind, gputest.OpWrite, gputest.OpSubmit, gputest.OpWait}

// TestHashFailures lets each device call of a call fail in turn.
func TestHashFailures(t *testing.T) {
	for _, lengths := range [][]int{repeat(200, 23), {3, 2000, 700, 40, 544, 543, 0, 1500, 136}} {
		m := messages(lengths...)
		want := digestsOf(m)
		for _, call := range hashOps {
			most := 0
			for k := 1; ; k++ {
				f := newSpy()
				b := setup(t, f, nil)
				h := hasherOf(t, b)
				f.Fail(call, k, gpu.ErrLost)
				got := poisoned(len(want))
				err := h.Sum256(t.Context(), got, m)
				if err == nil {
					require.Equal(t, want, got)
					break
				}
				require.ErrorIs(t, err, backends.ErrDeviceLost)
				require.ErrorContains(t, err, "fake: ")
				most = max(most, doneOf(t, err, got, want))
				require.NoError(t, hashes(h, lengths...), "nothing of the failure sticks")
				require.NoError(t, h.Close())
				require.NoError(t, b.Close())
				require.Zero(t, f.alive(), "leak after failure of %s %d", call, k)
			}
			if call == gputest.OpSubmit || call == gputest.OpWait {
				require.Positive(t, most, "%s", call)
			}
		}
	}
}

// TestHashCancel ends the context at each submission of a call.
func TestHashCancel(t *testing.T) {
	m := messages(300, 300, 300, 2000, 300, 300, 10, 3000, 4)
	want := digestsOf(m)
	for k := 0; ; k++ {
		f := newSpy()
		b := setup(t, f, nil)
		h := hasherOf(t, b)
		ctx, cancel := context.WithCancel(t.Context())
		n := 0
		f.onSubmit = func(*gpu.Work) {
			if n++; n == k {
				cancel()
			}
		}
		if k == 0 {
			cancel()
		}
		got := poisoned(len(want))
		err := h.Sum256(ctx, got, m)
		if n < k {
			require.NoError(t, err)
			require.Greater(t, k, 10)
			cancel()
			break
		}
		require.ErrorIs(t, err, context.Canceled)
		doneOf(t, err, got, want)
		require.Equal(t, k, n, "nothing is submitted after the cancellation")
		f.onSubmit = nil
		require.NoError(t, hashes(h, 5, 600))
		require.NoError(t, b.Close())
		require.Zero(t, f.alive())
	}
}

func TestHashShapes(t *testing.T) {
	f := newSpy()
	h := hasherOf(t, setup(t, f, nil))
	ctx, dst := t.Context(), make([][32]byte, 2)
	before := f.Calls(gputest.OpSubmit)
	for name, err := range map[string]error{
		"length":          h.SumFixed(ctx, dst, make([]byte, 63), 32),
		"digests":         h.SumFixed(ctx, dst, make([]byte, 32), 32),
		"negative width":  h.SumFixed(ctx, dst, nil, -1),
		"offsets":         h.Sum256(ctx, dst, keccak.Messages{Data: make([]byte, 9), Off: []uint32{0, 9, 8}}),
		"messages":        h.Sum256(ctx, dst, keccak.Messages{}),
		"overlap":         h.SumFixed(ctx, dst, dst[0][:2], 1),
		"width of leaves": second(h.MerkleRoot(ctx, make([]byte, 9), 2)),
		"no width":        second(h.MerkleRoot(ctx, nil, 0)),
	} {
		require.ErrorIs(t, err, keccak.ErrShape, name)
		var e *keccak.Error
		require.ErrorAs(t, err, &e, name)
	}
	require.Equal(t, before, f.Calls(gputest.OpSubmit))
}

func second(_ [32]byte, err error) error { return err }

func TestHashErrorNames(t *testing.T) {
	f := newSpy()
	h := hasherOf(t, setup(t, f, nil))
	for device, want := range map[error]error{
		gpu.ErrLost:   backends.ErrDeviceLost,
		gpu.ErrLimit:  backends.ErrUnsupported,
		gpu.ErrMemory: backends.ErrMemory,
	} {
		f.Fail(gputest.OpSubmit, 1, &gpu.Error{Op: "submit", Err: device})
		require.ErrorIs(t, hashes(h, 1), want)
		f.Fail(gputest.OpSubmit, 1, &gpu.Error{Op: "submit", Err: device})
		err := roots(h, 3, 3)
		require.ErrorIs(t, err, want)
		require.ErrorIs(t, err, device)
	}
}

func TestHashTiming(t *testing.T) {
	var now time.Time
	b := setup(t, newSpy(), func(c *Config) {
		c.now = func() time.Time {
			now = now.Add(time.Millisecond)
			return now
		}
	})
	h := hasherOf(t, b)
	start := now
	require.NoError(t, hashes(h, 1, 2))
	require.Equal(t, start, now, "nobody asked")
	var got []backends.Timing
	ctx := backends.WithTiming(t.Context(), func(t backends.Timing) { got = append(got, t) })
	m := messages(1000, 100, 100)
	require.NoError(t, h.Sum256(ctx, make([][32]byte, 3), m))
	require.NoError(t, h.SumFixed(ctx, make([][32]byte, 70), nil, 0))
	_, err := h.MerkleRoot(ctx, make([]byte, 40*32), 32)
	require.NoError(t, err)
	ms := time.Millisecond
	require.Equal(t, []backends.Timing{
		{Op: "keccak", Rows: 3, Chunks: 3, Upload: 3 * ms, Kernel: 5 * ms, Download: 2 * ms, Total: 11 * ms},
		{Op: "keccak", Rows: 70, Chunks: 3, Upload: 3 * ms, Kernel: 6 * ms, Download: 3 * ms, Total: 13 * ms},
		{Op: "keccak", Rows: 40, Chunks: 3, Upload: 3 * ms, Kernel: 3 * ms, Download: ms, Total: 8 * ms},
	}, got)
	closing := backends.WithTiming(t.Context(), func(backends.Timing) { require.NoError(t, h.Close()) })
	require.NoError(t, h.Sum256(closing, nil, keccak.Messages{}))
	require.ErrorIs(t, h.Sum256(t.Context(), nil, keccak.Messages{}), backends.ErrClosed)
}

// TestHashLimits: a device's limits are kept, and where they are too small the
// error says so.
func TestHashLimits(t *testing.T) {
	for size := 3000; size < 20000; size += 4 * (1 + size/8) {
		l := gputest.DefaultLimits()
		l.MaxBufferSize = size
		b := setup(t, limited(l), hashCuts(hashCut{}))
		h, err := b.Keccak()
		if size < minBuffer {
			require.ErrorIs(t, err, backends.ErrUnavailable)
			require.ErrorIs(t, err, gpu.ErrLimit)
			continue
		}
		require.NoError(t, err, "%d bytes", size)
		require.NoError(t, hashes(h, mixed(40)...))
		require.NoError(t, roots(h.(*hasher), 33, 32))
	}
	l := gputest.DefaultLimits()
	l.MaxBufferSize = 128 * 32 // 1 + 16 + 12 nodes of a subtree, 87 + 12 of the roots
	h := hasherOf(t, setup(t, limited(l), hashCuts(hashCut{})))
	require.NoError(t, roots(h, 87*16, 1))
	err := roots(h, 87*16+1, 1)
	require.ErrorIs(t, err, backends.ErrUnsupported)
	require.ErrorContains(t, err, "1393 leaves")
}
