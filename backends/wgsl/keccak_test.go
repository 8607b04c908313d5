package wgsl_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/keccak"
	kernels "github.com/crosspoint-kernels/crosspoint/kernels/wgsl"
)

// hasher returns a hasher of the shared backend.
func hasher(t testing.TB) keccak.Hasher {
	t.Helper()
	h, err := open(t).Keccak()
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, h.Close()) })
	return h
}

// random returns n bytes of a fixed sequence.
func random(n int) []byte {
	rng := rand.New(rand.NewPCG(uint64(n), 1))
	p := make([]byte, n)
	for i := range p {
		p[i] = byte(rng.Uint32())
	}
	return p
}

// batch returns messages of those lengths, and their digests.
func batch(lengths ...int) (keccak.Messages, [][32]byte) {
	total := 0
	for _, n := range lengths {
		total += n
	}
	data, want := random(total), make([][32]byte, len(lengths))
	m := keccak.Messages{Data: data, Off: []uint32{0}}
	for i, n := range lengths {
		m.Off = append(m.Off, m.Off[i]+uint32(n))
		want[i] = keccak.Sum256(m.At(i))
	}
	return m, want
}

func TestHashLengths(t *testing.T) {
	h := hasher(t)
	var lengths []int
	for n := range 1101 {
		if n <= 300 || (n+2)%136 < 5 {
			lengths = append(lengths, n)
		}
	}
	// And those about the most that one dispatch absorbs, and beyond.
	const most = 136 * kernels.KeccakMaxBlocks
	lengths = append(lengths, most-1, most, most+1, 5, 2*most-1, 2*most, 3*most+700, 135)
	m, want := batch(lengths...)
	got := make([][32]byte, len(want))
	require.NoError(t, h.Sum256(t.Context(), got, m))
	requireSame(t, want, got)
	for i := 0; i < len(lengths); i += 1 + i/64 {
		require.NoError(t, h.SumFixed(t.Context(), got[:1], m.At(i), lengths[i]))
		require.Equal(t, want[i], got[0], "%d bytes", lengths[i])
	}
}

func requireSame(t *testing.T, want, got [][32]byte) {
	t.Helper()
	for i := range want {
		require.Equal(t, want[i], got[i], "digest %d of %d", i, len(want))
	}
}

// TestHashMany hashes batches of many chunks, from several goroutines at once.
func TestHashMany(t *testing.T) {
	h := hasher(t)
	rng := rand.New(rand.NewPCG(1, 2))
	mixed := make([]int, 12000)
	for i := range mixed {
		mixed[i] = rng.IntN(1000)
	}
	m, want := batch(mixed...)
	fixed := make([][32]byte, len(m.Data)/40)
	for i := range fixed {
		fixed[i] = keccak.Sum256(m.Data[40*i : 40*(i+1)])
	}
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			w, got := want, make([][32]byte, len(want))
			err := error(nil)
			if g%2 == 0 {
				err = h.Sum256(context.Background(), got, m)
			} else {
				w, got = fixed, make([][32]byte, len(fixed))
				err = h.SumFixed(context.Background(), got, m.Data[:40*len(fixed)], 40)
			}
			if err != nil {
				t.Error(err)
			}
			for i := range w {
				if got[i] != w[i] {
					t.Errorf("digest %d of %d differs", i, len(w))
					return
				}
			}
		})
	}
	wg.Wait()
}

func TestMerkleRoot(t *testing.T) {
	h := hasher(t).(keccak.TreeHasher)
	for _, width := range []int{1, 32, 64, 100} {
		sizes := []int{1000, 4097}
		for n := range 71 {
			sizes = append(sizes, n)
		}
		leaves := random(4097 * width)
		for _, n := range sizes {
			root, err := h.MerkleRoot(t.Context(), leaves[:n*width], width)
			require.NoError(t, err)
			require.Equal(t, mth(leaves[:n*width], width), root, "%d leaves of %d bytes", n, width)
		}
	}
}

// mth is MTH of RFC 6962, section 2.1, with Keccak-256.
func mth(leaves []byte, width int) [32]byte {
	switch n := len(leaves) / width; n {
	case 0:
		return keccak.Sum256(nil)
	case 1:
		return keccak.Sum256(append([]byte{0}, leaves...))
	default:
		k := 1
		for 2*k < n {
			k *= 2
		}
		l, r := mth(leaves[:k*width], width), mth(leaves[k*width:], width)
		return keccak.Sum256(append(append([]byte{1}, l[:]...), r[:]...))
	}
}

// TestHashAllocations: a submission takes few allocations of the host.
func TestHashAllocations(t *testing.T) {
	h := hasher(t)
	for _, n := range []int{1, 64, 1024, 200000} {
		dst, data := make([][32]byte, n), make([]byte, 32*n)
		chunks := 0
		ctx := backends.WithTiming(context.Background(), func(t backends.Timing) { chunks = t.Chunks })
		require.NoError(t, h.SumFixed(ctx, dst, data, 32))
		got := testing.AllocsPerRun(3, func() { require.NoError(t, h.SumFixed(context.Background(), dst, data, 32)) })
		t.Logf("%d messages: %.0f allocations, %d submissions", n, got, chunks)
		require.LessOrEqual(t, got/float64(chunks), 200.0, "%d messages", n)
	}
}

// BenchmarkHash times batches of messages of one width in turn with the scalar
// hasher, and reports the least time of each.
func BenchmarkHash(b *testing.B) {
	h := hasher(b)
	for _, width := range []int{32, 64, 135, 136, 532} {
		for _, n := range []int{1, 1000, 50000} {
			b.Run(fmt.Sprintf("bytes=%d/messages=%d", width, n), func(b *testing.B) {
				data, dst := random(n*width), make([][32]byte, n)
				least := [2]time.Duration{math.MaxInt64, math.MaxInt64}
				for b.Loop() {
					for i, x := range []keccak.Hasher{h, keccak.Scalar()} {
						start := time.Now()
						require.NoError(b, x.SumFixed(b.Context(), dst, data, width))
						least[i] = min(least[i], time.Since(start))
					}
				}
				b.ReportMetric(float64(least[0].Nanoseconds())/float64(n), "ns/hash")
				b.ReportMetric(float64(least[1].Nanoseconds())/float64(n), "scalar-ns/hash")
			})
		}
	}
}

// BenchmarkMerkleRoot times trees of 64-byte leaves.
func BenchmarkMerkleRoot(b *testing.B) {
	h := hasher(b).(keccak.TreeHasher)
	for _, n := range []int{1000, 50000} {
		b.Run(fmt.Sprintf("leaves=%d", n), func(b *testing.B) {
			leaves := random(n * 64)
			for b.Loop() {
				_, err := h.MerkleRoot(b.Context(), leaves, 64)
				require.NoError(b, err)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/leaf")
		})
	}
}
