package simd

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/kat"
	"github.com/crosspoint-kernels/crosspoint/keccak"
)

// everyWidth runs a test with each width, and skips those that the machine lacks.
func everyWidth(t *testing.T, test func(t *testing.T, h *Hasher)) {
	for _, w := range []Width{AVX512, AVX2, ARM64x2, Scalar} {
		for _, workers := range []int{1, 3} {
			t.Run(fmt.Sprintf("width=%s/workers=%d", w, workers), func(t *testing.T) {
				h, err := NewHasher(HasherOptions{Width: w, Workers: workers, Wipe: workers == 3})
				if errors.Is(err, backends.ErrUnavailable) {
					t.Skip(err)
				}
				require.NoError(t, err)
				require.Equal(t, w, h.Width())
				test(t, h)
				require.NoError(t, h.Close())
				require.NoError(t, h.Close(), "twice")
			})
		}
	}
}

// randomBytes returns n random bytes.
func randomBytes(r *rand.Rand, n int) []byte {
	m := make([]byte, n)
	for i := range m {
		m[i] = byte(r.Uint32())
	}
	return m
}

// fenced returns n digests with others on both sides, and those sides.
func fenced(n int) (dst [][32]byte, sides [2][][32]byte) {
	all := untouched(n + 2)
	return all[1 : n+1 : n+1], [2][][32]byte{all[:1], all[n+1:]}
}

// untouched returns n digests that no message has.
func untouched(n int) [][32]byte {
	dst := make([][32]byte, n)
	for i := range dst {
		dst[i] = [32]byte{0xaa, byte(i), byte(i >> 8), 31: 0x55}
	}
	return dst
}

// check hashes a batch and looks at the digests, and at what is beside them.
func check(t testing.TB, h keccak.Hasher, m keccak.Messages) {
	t.Helper()
	hashed(m).check(t, h)
}

// known is messages and their digests, which are computed once for every width.
type known struct {
	keccak.Messages
	want [][32]byte
}

func hashed(m keccak.Messages) known {
	k := known{m, make([][32]byte, m.Len())}
	for i := range k.want {
		k.want[i] = keccak.Sum256(m.At(i))
	}
	return k
}

func (k known) check(t testing.TB, h keccak.Hasher) {
	t.Helper()
	dst, sides := fenced(k.Len())
	before := [2][32]byte{sides[0][0], sides[1][0]}
	data := slices.Clone(k.Data)
	require.NoError(t, h.Sum256(t.Context(), dst, k.Messages))
	for i, got := range dst {
		if got != k.want[i] {
			t.Fatalf("message %d of %d, of %d bytes, has the wrong digest", i, len(dst), len(k.At(i)))
		}
	}
	require.Equal(t, before, [2][32]byte{sides[0][0], sides[1][0]}, "beside the digests")
	require.True(t, slices.Equal(data, k.Data), "the messages were written to")
}

func batchOf(t testing.TB, messages ...[]byte) (m keccak.Messages) {
	for _, msg := range messages {
		require.NoError(t, m.Append(msg))
	}
	return m
}

func TestHasherLengths(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var messages [][]byte
	var batches []known
	for n := range 1101 {
		messages = append(messages, randomBytes(r, n))
		batches = append(batches, hashed(batchOf(t, messages[n], messages[n])))
	}
	batches = append(batches, hashed(batchOf(t, messages...)))
	slices.Reverse(messages)
	batches = append(batches, hashed(batchOf(t, messages...)))
	everyWidth(t, func(t *testing.T, h *Hasher) {
		for _, b := range batches {
			b.check(t, h)
		}
	})
}

func TestHasherCounts(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var batches []known
	add := func(n, most int) {
		messages := make([][]byte, n)
		for i := range messages {
			messages[i] = randomBytes(r, r.IntN(most))
		}
		batches = append(batches, hashed(batchOf(t, messages...)))
	}
	for n := range 71 {
		for i, most := range []int{40, 136, 700, 3000} {
			if !testing.Short() || n < 18 || n%4 == i {
				add(n, most)
			}
		}
	}
	for _, n := range []int{511, 1023, 1024, 1025, 2047, 2049, 6000} {
		add(n, 300)
	}
	everyWidth(t, func(t *testing.T, h *Hasher) {
		for _, b := range batches {
			b.check(t, h)
		}
	})
}

// TestHasherLong has messages that end long after, or before, those beside them.
func TestHasherLong(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var messages [][]byte
	for _, n := range []int{0, 200_000, 3, 0, 136 * 17, 50_000, 136, 1, 0, 136*16 - 1, 90_000, 7, 136 * 16} {
		messages = append(messages, randomBytes(r, n))
	}
	everyWidth(t, func(t *testing.T, h *Hasher) {
		check(t, h, batchOf(t, messages...))
		m := batchOf(t, messages...)
		m.Off = m.Off[2:9] // bytes before and after belong to no message
		check(t, h, m)
	})
}

func TestHasherFixed(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	type batch struct {
		n, width int
		data     []byte
		want     [][32]byte
	}
	var batches []batch
	for _, width := range []int{0, 1, 31, 32, 63, 64, 65, 127, 128, 129, 135, 136, 137, 532, 20_000} {
		for _, n := range []int{0, 1, 2, 3, 7, 8, 9, 10, 16, 31, 64, 70, 1000, 5000} {
			if n*width > 1<<18 {
				continue
			}
			b := batch{n, width, randomBytes(r, n*width), make([][32]byte, n)}
			for i := range b.want {
				b.want[i] = keccak.Sum256(b.data[i*width : (i+1)*width])
			}
			batches = append(batches, b)
		}
	}
	everyWidth(t, func(t *testing.T, h *Hasher) {
		for _, b := range batches {
			dst, sides := fenced(b.n)
			beside := slices.Concat(sides[0], sides[1])
			require.NoError(t, h.SumFixed(t.Context(), dst, b.data, b.width))
			require.True(t, slices.Equal(b.want, dst), "%d messages of %d bytes", b.n, b.width)
			require.Equal(t, beside, slices.Concat(sides[0], sides[1]))
		}
	})
}

// TestHasherStructured has bytes that are all alike.
func TestHasherStructured(t *testing.T) {
	everyWidth(t, func(t *testing.T, h *Hasher) {
		for _, b := range []byte{0, 1, 0x80, 0xff} {
			var messages [][]byte
			for n := range 300 {
				messages = append(messages, slices.Repeat([]byte{b}, n))
			}
			check(t, h, batchOf(t, messages...))
		}
	})
}

func TestHasherVectors(t *testing.T) {
	files, err := kat.Files()
	require.NoError(t, err)
	everyWidth(t, func(t *testing.T, h *Hasher) {
		seen := 0
		for _, f := range files {
			for _, v := range f.Hashes {
				if v.Function != kat.Keccak256 {
					continue
				}
				seen++
				m := batchOf(t, v.Messages()...)
				dst := make([][32]byte, m.Len())
				require.NoError(t, h.Sum256(t.Context(), dst, m))
				require.NoError(t, v.Check(unsafe.Slice(&dst[0][0], 32*len(dst))), "%s: %s", f.Name, v.Name)
			}
		}
		require.Positive(t, seen)
	})
}

func TestHasherRefuses(t *testing.T) {
	inside := make([][32]byte, 4)
	same := unsafe.Slice(&inside[0][0], 128)
	everyWidth(t, func(t *testing.T, h *Hasher) {
		for _, c := range []struct {
			arg   string
			dst   [][32]byte
			data  []byte
			width int
		}{
			{"dst", untouched(2), make([]byte, 12), 4},
			{"dst", untouched(4), nil, 4},
			{"data", untouched(3), make([]byte, 13), 4},
			{"width", untouched(3), make([]byte, 12), math.MinInt},
			{"dst", inside, same, 32},
		} {
			before := slices.Clone(c.dst)
			refused(t, h.SumFixed(t.Context(), c.dst, c.data, c.width), "sumfixed", c.arg)
			require.Equal(t, before, c.dst)
		}
		refused(t, h.Sum256(t.Context(), untouched(2), keccak.Messages{Data: make([]byte, 9), Off: []uint32{0, 5, 4}}), "sum256", "off")
		refused(t, h.Sum256(t.Context(), inside[:1], keccak.Messages{Data: same, Off: []uint32{0, 1}}), "sum256", "dst")
		_, err := h.MerkleRoot(t.Context(), nil, 0)
		refused(t, err, "merkleroot", "width")
		_, err = h.MerkleRoot(t.Context(), same[:9], 2)
		refused(t, err, "merkleroot", "leaves")
	})
}

func refused(t *testing.T, err error, op, arg string) {
	t.Helper()
	var e *keccak.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, op, e.Op)
	require.Zero(t, e.Done)
	var shape *keccak.ShapeError
	require.ErrorAs(t, err, &shape)
	require.Equal(t, arg, shape.Arg)
}

func TestHasherClosed(t *testing.T) {
	everyWidth(t, func(t *testing.T, h *Hasher) {
		other := h.core.handle()
		shut := h.core.handle()
		require.NoError(t, shut.Close())
		require.ErrorIs(t, shut.SumFixed(t.Context(), untouched(1), nil, 0), keccak.ErrClosed)
		require.NoError(t, other.SumFixed(t.Context(), untouched(1), nil, 0), "the others live on")
		require.NoError(t, h.Close())
		timings := 0
		ctx := backends.WithTiming(t.Context(), func(backends.Timing) { timings++ })
		for _, h := range []*Hasher{h, other} {
			require.ErrorIs(t, h.SumFixed(ctx, untouched(1), nil, 1), keccak.ErrClosed, "before the shape")
			require.ErrorIs(t, h.Sum256(ctx, untouched(1), keccak.Messages{}), keccak.ErrClosed)
			_, err := h.MerkleRoot(ctx, nil, 0)
			require.ErrorIs(t, err, keccak.ErrClosed)
		}
		require.Equal(t, 6, timings)
	})
}

func TestHasherReportsItsTiming(t *testing.T) {
	everyWidth(t, func(t *testing.T, h *Hasher) {
		var got []backends.Timing
		ctx := backends.WithTiming(t.Context(), func(x backends.Timing) { got = append(got, x) })
		require.NoError(t, h.SumFixed(ctx, make([][32]byte, 70), make([]byte, 70*32), 32))
		_, err := h.MerkleRoot(ctx, make([]byte, 90), 3)
		require.NoError(t, err)
		require.Len(t, got, 2)
		require.Equal(t, "keccak", got[0].Op)
		require.Equal(t, 70, got[0].Rows)
		require.Equal(t, 30, got[1].Rows)
		require.Positive(t, got[0].Total)
	})
}

func TestHasherAllocations(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	messages := make([][]byte, 5000)
	for i := range messages {
		messages[i] = randomBytes(r, r.IntN(600))
	}
	m := batchOf(t, messages...)
	data, dst := randomBytes(r, 40*5000), make([][32]byte, 5000)
	everyWidth(t, func(t *testing.T, h *Hasher) {
		require.Zero(t, testing.AllocsPerRun(3, func() {
			_, err := h.MerkleRoot(t.Context(), data, 40)
			if err != nil || h.Sum256(t.Context(), dst, m) != nil || h.SumFixed(t.Context(), dst, data, 40) != nil ||
				h.SumFixed(t.Context(), dst[:1], data[:40], 40) != nil || h.SumFixed(t.Context(), dst[:10], data[:400], 40) != nil {
				t.Error("failed")
			}
		}))
	})
}

// TestHasherConcurrently has several callers at once, and one that closes.
func TestHasherConcurrently(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	messages := make([][]byte, 6000)
	for i := range messages {
		messages[i] = randomBytes(r, r.IntN(200))
	}
	m := batchOf(t, messages...)
	want := keccak.Sum256(messages[4321])
	everyWidth(t, func(t *testing.T, h *Hasher) {
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				dst := make([][32]byte, m.Len())
				for range 5 {
					err := h.Sum256(t.Context(), dst, m)
					if err == nil && dst[4321] != want {
						t.Error("wrong digest")
					}
					if err != nil && !errors.Is(err, keccak.ErrClosed) {
						t.Error(err)
					}
				}
			})
		}
		wg.Go(func() { h.Close() })
		wg.Wait()
	})
}

func TestHasherWidths(t *testing.T) {
	names := HasherWidths()
	require.Equal(t, Scalar, names[len(names)-1])
	h, err := NewHasher(HasherOptions{Workers: math.MaxInt})
	require.NoError(t, err)
	require.Equal(t, names[0], h.Width())
	require.Equal(t, maxHashWorkers-1, h.core.helpers)
	require.NoError(t, h.Close())
	_, err = NewHasher(HasherOptions{Width: "avx1024"})
	require.ErrorIs(t, err, backends.ErrUnavailable)
	var e *backends.Error
	require.ErrorAs(t, err, &e)
	require.ErrorContains(t, err, `"avx1024"`)
}
