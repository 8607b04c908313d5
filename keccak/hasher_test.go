package keccak

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// eachHasher runs a test on every Hasher of the package.
func eachHasher(t *testing.T, test func(t *testing.T, h Hasher)) {
	for name, h := range map[string]Hasher{
		"scalar":     Scalar(),
		"parallel=1": NewParallel(1),
		"parallel=2": NewParallel(2),
		"parallel=5": NewParallel(5),
	} {
		t.Run(name, func(t *testing.T) {
			test(t, h)
			require.NoError(t, h.Close())
			require.NoError(t, h.Close(), "twice")
		})
	}
}

// mixed returns n messages of lengths that lie about, and on, whole blocks.
func mixed(t *testing.T, n int) (m Messages) {
	r := rand.New(rand.NewPCG(uint64(n), 5))
	for range n {
		length := max(0, r.IntN(5)*rate256-2+r.IntN(4))
		require.NoError(t, m.Append(message(length)))
	}
	return m
}

func TestHasherSum256(t *testing.T) {
	eachHasher(t, func(t *testing.T, h Hasher) {
		for _, n := range []int{0, 1, 2, 17, 64, 200, 511, 512, 513, 3000} {
			m := mixed(t, n)
			dst := make([][32]byte, n)
			require.NoError(t, h.Sum256(t.Context(), dst, m))
			want := make([][32]byte, n)
			for i := range want {
				want[i] = Sum256(m.At(i))
			}
			require.True(t, slices.Equal(want, dst), "%d messages", n)
		}
	})
}

// TestHasherLong has a message that is many chunks among short and empty ones.
func TestHasherLong(t *testing.T) {
	eachHasher(t, func(t *testing.T, h Hasher) {
		var m Messages
		for _, n := range []int{0, 0, 3, 200_000, 0, 136, 50_000, 1, 0} {
			require.NoError(t, m.Append(message(n)))
		}
		dst := make([][32]byte, m.Len())
		require.NoError(t, h.Sum256(t.Context(), dst, m))
		for i := range dst {
			require.Equal(t, Sum256(m.At(i)), dst[i])
		}
	})
}

// TestHasherPart has data around the messages that belongs to none.
func TestHasherPart(t *testing.T) {
	eachHasher(t, func(t *testing.T, h Hasher) {
		m := mixed(t, 300)
		m.Off = m.Off[100:200]
		dst := make([][32]byte, m.Len())
		require.NoError(t, h.Sum256(t.Context(), dst, m))
		for i := range dst {
			require.Equal(t, Sum256(m.At(i)), dst[i])
		}
	})
}

func TestHasherSumFixed(t *testing.T) {
	eachHasher(t, func(t *testing.T, h Hasher) {
		for _, width := range []int{0, 1, 31, 32, 64, 135, 136, 137, 532, 20_000} {
			for _, n := range []int{0, 1, 3, 64, 127, 511, 512, 1000} {
				if n*width > 1<<18 {
					continue
				}
				data := message(n * width)
				dst := make([][32]byte, n)
				require.NoError(t, h.SumFixed(t.Context(), dst, data, width))
				want := make([][32]byte, n)
				for i := range want {
					want[i] = Sum256(data[i*width : (i+1)*width])
				}
				require.True(t, slices.Equal(want, dst), "%d messages of %d bytes", n, width)
			}
		}
	})
}

// digests returns n digests that no message has.
func digests(n int) [][32]byte {
	dst := make([][32]byte, n)
	for i := range dst {
		dst[i] = [32]byte{0xaa, byte(i), byte(i >> 8)}
	}
	return dst
}

func TestHasherRefusesSum256(t *testing.T) {
	inside := make([][32]byte, 4)
	same := unsafe.Slice(&inside[0][0], 128)
	for _, c := range []struct {
		name, arg string
		dst       [][32]byte
		m         Messages
	}{
		{"dst too short", "dst", digests(1), Messages{Data: message(9), Off: []uint32{0, 1, 9}}},
		{"dst too long", "dst", digests(3), Messages{Data: message(9), Off: []uint32{0, 1, 9}}},
		{"dst nil", "dst", nil, Messages{Data: message(9), Off: []uint32{0, 1, 9}}},
		{"no messages", "dst", digests(1), Messages{}},
		{"one offset", "dst", digests(1), Messages{Off: []uint32{0}}},
		{"offsets descend", "off", digests(2), Messages{Data: message(9), Off: []uint32{0, 5, 4}}},
		{"offset beyond", "off", digests(2), Messages{Data: message(9), Off: []uint32{0, 5, 10}}},
		{"first beyond", "off", digests(1), Messages{Data: message(9), Off: []uint32{10, 11}}},
		{"data nil", "off", digests(1), Messages{Off: []uint32{0, 1}}},
		{"dst is data", "dst", inside, Messages{Data: same, Off: []uint32{0, 32, 64, 96, 128}}},
		{"dst ends in data", "dst", inside[:2], Messages{Data: same[63:], Off: []uint32{0, 1, 2}}},
		{"dst begins in data", "dst", inside[2:], Messages{Data: same[:65], Off: []uint32{0, 1, 2}}},
	} {
		eachHasher(t, func(t *testing.T, h Hasher) {
			before := append([][32]byte{}, c.dst...)
			err := h.Sum256(t.Context(), c.dst, c.m)
			requireShape(t, err, "sum256", c.arg, c.name)
			require.Equal(t, before, append([][32]byte{}, c.dst...), c.name)
		})
	}
}

func TestHasherRefusesSumFixed(t *testing.T) {
	inside := make([][32]byte, 4)
	same := unsafe.Slice(&inside[0][0], 128)
	for _, c := range []struct {
		name, arg string
		dst       [][32]byte
		data      []byte
		width     int
	}{
		{"dst too short", "dst", digests(2), message(12), 4},
		{"dst too long", "dst", digests(4), message(12), 4},
		{"dst nil", "dst", nil, message(12), 4},
		{"no data", "dst", digests(4), nil, 4},
		{"part of a message", "data", digests(3), message(13), 4},
		{"less than a message", "data", digests(1), message(3), 4},
		{"width 0 with data", "data", digests(3), message(12), 0},
		{"width below 0", "width", digests(3), message(12), -4},
		{"width far below 0", "width", digests(3), message(12), math.MinInt},
		{"width far too large", "data", digests(3), message(12), math.MaxInt},
		{"dst is data", "dst", inside, same, 32},
		{"dst ends in data", "dst", inside[:2], same[63:65], 1},
		{"dst begins in data", "dst", inside[2:], same[63:65], 1},
	} {
		eachHasher(t, func(t *testing.T, h Hasher) {
			before := append([][32]byte{}, c.dst...)
			err := h.SumFixed(t.Context(), c.dst, c.data, c.width)
			requireShape(t, err, "sumfixed", c.arg, c.name)
			require.Equal(t, before, append([][32]byte{}, c.dst...), c.name)
		})
	}
}

// TestHasherBeside has dst and data share memory without sharing a byte.
func TestHasherBeside(t *testing.T) {
	eachHasher(t, func(t *testing.T, h Hasher) {
		inside := digests(4)
		same := unsafe.Slice(&inside[0][0], 128)
		want := Sum256(same[64:])
		require.NoError(t, h.SumFixed(t.Context(), inside[1:2], same[64:], 64))
		require.Equal(t, want, inside[1])
		want = Sum256(same[:64])
		require.NoError(t, h.SumFixed(t.Context(), inside[2:3], same[:64], 64))
		require.Equal(t, want, inside[2])
	})
}

func requireShape(t *testing.T, err error, op, arg, name string) {
	t.Helper()
	var e *Error
	require.ErrorAs(t, err, &e, name)
	require.Equal(t, op, e.Op, name)
	require.Zero(t, e.Done, name)
	var shape *ShapeError
	require.ErrorAs(t, err, &shape, name)
	require.ErrorIs(t, err, ErrShape, name)
	require.Equal(t, arg, shape.Arg, name)
	require.Contains(t, err.Error(), "keccak: "+op+": keccak: "+arg+": ", name)
}

// countdown is a context that is cancelled after it was looked at n times.
type countdown struct {
	context.Context
	n atomic.Int64
}

func (c *countdown) Err() error {
	if c.n.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// TestHasherCancelled cancels after every number of chunks: Done digests are
// final, and the others are untouched.
func TestHasherCancelled(t *testing.T) {
	eachHasher(t, func(t *testing.T, h Hasher) {
		const n = 700
		m := mixed(t, n)
		fixed := message(n * 40)
		wants := map[string][][32]byte{"sum256": make([][32]byte, n), "sumfixed": make([][32]byte, n)}
		for i := range n {
			wants["sum256"][i] = Sum256(m.At(i))
			wants["sumfixed"][i] = Sum256(fixed[40*i:][:40])
		}
		looks := int64(0)
		for ; ; looks++ {
			finished := 0
			for _, op := range []string{"sum256", "sumfixed"} {
				ctx := &countdown{Context: t.Context()}
				ctx.n.Store(looks)
				dst := digests(n)
				var err error
				if op == "sum256" {
					err = h.Sum256(ctx, dst, m)
				} else {
					err = h.SumFixed(ctx, dst, fixed, 40)
				}
				done := n
				if err != nil {
					var e *Error
					require.ErrorAs(t, err, &e)
					require.ErrorIs(t, err, context.Canceled)
					require.Equal(t, op, e.Op)
					require.Less(t, e.Done, n)
					done = e.Done
				} else {
					finished++
				}
				require.True(t, slices.Equal(wants[op][:done], dst[:done]))
				require.True(t, slices.Equal(digests(n)[done:], dst[done:]))
			}
			if finished == 2 {
				break
			}
		}
		require.Greater(t, looks, int64(10))
	})
}

func TestHasherCancelledBefore(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	eachHasher(t, func(t *testing.T, h Hasher) {
		for _, n := range []int{0, 1, 1000} {
			dst := digests(n)
			err := h.SumFixed(ctx, dst, message(n), 1)
			require.ErrorIs(t, err, context.Canceled)
			require.ErrorIs(t, h.Sum256(ctx, dst, mixed(t, n)), context.Canceled)
			require.Equal(t, digests(n), dst)
		}
	})
}

func TestHasherAllocations(t *testing.T) {
	eachHasher(t, func(t *testing.T, h Hasher) {
		m := mixed(t, 1000)
		data := message(32 * 1000)
		dst := digests(1000)
		require.Zero(t, testing.AllocsPerRun(20, func() {
			if h.Sum256(t.Context(), dst, m) != nil || h.SumFixed(t.Context(), dst, data, 32) != nil {
				t.Error("failed")
			}
			if h.SumFixed(t.Context(), dst[:1], data[:32], 32) != nil {
				t.Error("failed")
			}
		}))
	})
}
