package pipeline

import (
	"bytes"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/stateroot"
)

func TestSort(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 2, 3, 255, 256, 5000} {
		for name, fill := range map[string]func(i int, path *[32]byte){
			"even":    func(_ int, p *[32]byte) { fillRandom(r, p[:]) },
			"whale":   func(_ int, p *[32]byte) { fillRandom(r, p[30:]) }, // one shard, one prefix
			"shards":  func(i int, p *[32]byte) { p[0] = byte(i); fillRandom(r, p[20:]) },
			"ordered": func(i int, p *[32]byte) { p[0], p[1], p[2] = byte(i>>16), byte(i>>8), byte(i) },
		} {
			l := &leaves{paths: make([][32]byte, n), values: make([][32]byte, n)}
			var want [][32]byte
			for i := range l.paths {
				fill(i, &l.paths[i])
				if r.IntN(4) > 0 {
					l.values[i][31] = 1
					want = append(want, l.paths[i])
				}
			}
			slices.SortFunc(want, func(a, b [32]byte) int { return bytes.Compare(a[:], b[:]) })
			var s sorter
			for _, workers := range []int{1, 2, 7} {
				var got [][32]byte
				for _, i := range s.sort(l, workers) {
					require.False(t, l.absent(int(i)))
					got = append(got, l.paths[i])
				}
				require.Equal(t, want, got, name)
			}
		}
	}
}

func fillRandom(r *rand.Rand, b []byte) {
	for i := range b {
		b[i] = byte(r.Uint32())
	}
}

// Every piece is done once, and never more at a time than there are workers.
func TestParallelCovers(t *testing.T) {
	for _, n := range []int{0, 1, 2, 99, 1000} {
		for _, workers := range []int{0, 1, 2, 5} {
			for _, grain := range []int{1, 7, 5000} {
				seen := make([]atomic.Int32, n)
				var at, most, longest atomic.Int64
				parallel(workers, n, grain, func(lo, hi int) {
					raise(&most, at.Add(1))
					raise(&longest, int64(hi-lo))
					runtime.Gosched()
					for i := lo; i < hi; i++ {
						seen[i].Add(1)
					}
					at.Add(-1)
				})
				require.LessOrEqual(t, most.Load(), int64(max(workers, 1)))
				require.LessOrEqual(t, longest.Load(), int64(grain))
				for i := range seen {
					require.EqualValues(t, 1, seen[i].Load())
				}
			}
		}
	}
}

// raise makes a number at least x.
func raise(a *atomic.Int64, x int64) {
	for old := a.Load(); old < x && !a.CompareAndSwap(old, x); old = a.Load() {
	}
}

// The trie of one leaf has the RLP of its value in it, so that its root tells
// numbers from one another as stateroot writes them.
func TestNumbers(t *testing.T) {
	for _, number := range [][]byte{{1}, {0x7f}, {0x80}, {0xff}, {1, 0}, bytes.Repeat([]byte{0xff}, 31), bytes.Repeat([]byte{0x80}, 32)} {
		l := &leaves{keys: make([][32]byte, 1), values: make([][32]byte, 1)}
		copy(l.values[0][32-len(number):], number)
		r := newRooter(MPT, stateroot.Options{})
		got, err := r.root(t.Context(), l)
		require.NoError(t, err)
		want, err := stateroot.StateMPT(t.Context(), stateroot.State{{Value: l.values[0]}}, stateroot.Options{})
		require.NoError(t, err)
		require.Equal(t, want, got, "%x", number)
	}
}
