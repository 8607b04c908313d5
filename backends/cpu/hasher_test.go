package cpu_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/backends/cpu"
	"github.com/crosspoint-kernels/crosspoint/keccak"
)

func hasher(t testing.TB, workers int) keccak.Hasher {
	t.Helper()
	b, err := cpu.Open(backends.Options{Workers: workers})
	require.NoError(t, err)
	t.Cleanup(func() { b.Close() })
	require.NoError(t, b.Supports(backends.Op{Kind: backends.Keccak}))
	h, err := b.Keccak()
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, h.Close()) })
	return h
}

// batch returns n messages of lengths up to most, and their digests.
func batch(n, most int) (keccak.Messages, [][32]byte) {
	rng := rand.New(rand.NewPCG(uint64(n), uint64(most)))
	m, want := keccak.Messages{Data: []byte("before")}, make([][32]byte, n)
	for i := range want {
		msg := make([]byte, rng.IntN(most+1))
		for j := range msg {
			msg[j] = byte(rng.Uint32())
		}
		if err := m.Append(msg); err != nil {
			panic(err)
		}
		want[i] = keccak.Sum256(msg)
	}
	return m, want
}

func TestHasherGivesTheReference(t *testing.T) {
	for _, workers := range []int{1, 2, 5} {
		h := hasher(t, workers)
		for _, n := range []int{0, 1, 2, 33, 70, 600} {
			for _, most := range []int{0, 40, 300, 5000} {
				m, want := batch(n, most)
				got := make([][32]byte, n)
				require.NoError(t, h.Sum256(t.Context(), got, m))
				require.Equal(t, want, got, "workers=%d messages=%d of up to %d", workers, n, most)
			}
			for _, width := range []int{0, 1, 32, 135, 136, 137, 1000} {
				data := make([]byte, n*width)
				got, want := make([][32]byte, n), make([][32]byte, n)
				for i := range want {
					for j := range width {
						data[i*width+j] = byte(i + 7*j)
					}
					want[i] = keccak.Sum256(data[i*width : (i+1)*width])
				}
				require.NoError(t, h.SumFixed(t.Context(), got, data, width))
				require.Equal(t, want, got, "workers=%d messages=%d of %d", workers, n, width)
			}
		}
	}
}

func TestHasherRefusesShapes(t *testing.T) {
	h := hasher(t, 2)
	dst := make([][32]byte, 2)
	for _, err := range []error{
		h.SumFixed(t.Context(), dst, make([]byte, 63), 32),
		h.SumFixed(t.Context(), dst, make([]byte, 64), -1),
		h.Sum256(t.Context(), dst, keccak.Messages{Data: make([]byte, 4), Off: []uint32{0, 4}}),
		h.Sum256(t.Context(), dst, keccak.Messages{Data: make([]byte, 4), Off: []uint32{0, 4, 3}}),
	} {
		var e *keccak.Error
		require.ErrorAs(t, err, &e)
		require.ErrorIs(t, err, keccak.ErrShape)
	}
	require.Equal(t, make([][32]byte, 2), dst)
}

func TestCancelledHashingLeavesAPrefix(t *testing.T) {
	m, want := batch(800, 300)
	for _, workers := range []int{1, 4} {
		h := hasher(t, workers)
		for looks := range 40 {
			got := make([][32]byte, len(want))
			err := h.Sum256(&countdown{Context: t.Context(), left: looks}, got, m)
			done := len(want)
			if err != nil {
				var e *keccak.Error
				require.ErrorAs(t, err, &e)
				require.ErrorIs(t, err, context.Canceled)
				done = e.Done
			}
			require.Equal(t, want[:done], got[:done])
			require.Equal(t, make([][32]byte, len(want)-done), got[done:])
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, hasher(t, 1).SumFixed(ctx, make([][32]byte, 1), nil, 0), context.Canceled)
}

func TestConcurrentHashing(t *testing.T) {
	h := hasher(t, runtime.NumCPU())
	m, want := batch(300, 400)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			got := make([][32]byte, len(want))
			for range 10 {
				if err := h.Sum256(context.Background(), got, m); err != nil {
					t.Error(err)
				}
				for i := range got {
					if got[i] != want[i] {
						t.Errorf("digest %d differs", i)
					}
				}
			}
		})
	}
	wg.Wait()
}

func TestHashingAllocatesNothing(t *testing.T) {
	for _, workers := range []int{1, 2} {
		h := hasher(t, workers)
		for _, n := range []int{1, 1000} {
			m, dst := keccak.Messages{}, make([][32]byte, n)
			for range n {
				require.NoError(t, m.Append(make([]byte, 40)))
			}
			ctx := t.Context()
			require.Zero(t, testing.AllocsPerRun(20, func() {
				if err := errors.Join(h.Sum256(ctx, dst, m), h.SumFixed(ctx, dst, m.Data, 40)); err != nil {
					t.Error(err)
				}
			}), "workers=%d messages=%d", workers, n)
		}
	}
}

func TestHasherReportsItsTiming(t *testing.T) {
	var got []backends.Timing
	ctx := backends.WithTiming(t.Context(), func(x backends.Timing) { got = append(got, x) })
	require.NoError(t, hasher(t, 2).SumFixed(ctx, make([][32]byte, 70), make([]byte, 70*32), 32))
	require.Len(t, got, 1)
	require.Equal(t, "keccak", got[0].Op)
	require.Equal(t, 70, got[0].Rows)
	require.GreaterOrEqual(t, got[0].Total, got[0].Kernel)
}

func TestClosedHasher(t *testing.T) {
	b, err := cpu.Open(backends.Options{})
	require.NoError(t, err)
	x, err := b.Keccak()
	require.NoError(t, err)
	y, err := b.Keccak()
	require.NoError(t, err)
	require.NoError(t, x.Close())
	dst := make([][32]byte, 1)
	require.ErrorIs(t, x.SumFixed(t.Context(), dst, nil, 0), keccak.ErrClosed)
	require.NoError(t, y.SumFixed(t.Context(), dst, nil, 0), "the other lives on")
	require.NoError(t, b.Close())
	timings := 0
	ctx := backends.WithTiming(t.Context(), func(backends.Timing) { timings++ })
	require.ErrorIs(t, y.SumFixed(ctx, dst, nil, 0), backends.ErrClosed)
	require.ErrorIs(t, y.Sum256(ctx, dst, keccak.Messages{Off: []uint32{0, 0}}), backends.ErrClosed)
	require.Equal(t, 2, timings, "a call that fails is timed too")
	_, err = b.Keccak()
	require.ErrorIs(t, err, backends.ErrClosed)
}

func BenchmarkHash(b *testing.B) {
	for _, workers := range []int{1, runtime.NumCPU()} {
		h := hasher(b, workers)
		for _, n := range []int{1, 1000} {
			for _, width := range []int{32, 135, 136, 532} {
				b.Run(fmt.Sprintf("workers=%d/messages=%d/bytes=%d", workers, n, width), func(b *testing.B) {
					dst, data := make([][32]byte, n), make([]byte, n*width)
					for b.Loop() {
						if err := h.SumFixed(b.Context(), dst, data, width); err != nil {
							b.Fatal(err)
						}
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/hash")
				})
			}
		}
	}
}
