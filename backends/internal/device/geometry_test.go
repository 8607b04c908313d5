package device

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/gpu"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

func TestGrid(t *testing.T) {
	for _, d := range []struct {
		count, perGroup int
		limit           uint32
		want            [3]uint32 // zero where it is ErrLimit
	}{
		{1, 1, 65535, [3]uint32{1, 1, 1}},
		{4, 4, 65535, [3]uint32{1, 1, 1}},
		{5, 4, 65535, [3]uint32{2, 1, 1}},
		{65535, 1, 65535, [3]uint32{65535, 1, 1}},
		{65536, 1, 65535, [3]uint32{32768, 2, 1}},
		{65537, 1, 65535, [3]uint32{32769, 2, 1}},
		{131070, 1, 65535, [3]uint32{65535, 2, 1}},
		{131071, 1, 65535, [3]uint32{43691, 3, 1}},
		{65535*4 + 1, 4, 65535, [3]uint32{32768, 2, 1}},
		{maxItems, 256, 65535, [3]uint32{64528, 65, 1}}, // ceil(2^22/65) a row
		{maxItems, 1, 65535, [3]uint32{65533, 16385, 1}},
		{maxItems + 1, 1, 65535, [3]uint32{}},
		{16, 1, 4, [3]uint32{4, 4, 1}},
		{17, 1, 4, [3]uint32{}},
		{1 << 30, 1 << 31, 65535, [3]uint32{1, 1, 1}},
		{1 << 30, 1 << 32, 65535, [3]uint32{}}, // the next group's index overflows
		{math.MaxInt, 1, math.MaxUint32, [3]uint32{}},
		{math.MaxInt, math.MaxInt, 1, [3]uint32{}},
		{1, math.MaxInt, 1, [3]uint32{}},
		{0, 1, 1, [3]uint32{}},
		{1, 0, 1, [3]uint32{}},
		{1, 1, 0, [3]uint32{}},
	} {
		got, err := grid(d.count, d.perGroup, d.limit)
		require.Equal(t, d.want == [3]uint32{}, err != nil, "%+v: %v %v", d, got, err)
		if err != nil {
			require.ErrorIs(t, err, gpu.ErrLimit)
			continue
		}
		require.Equal(t, d.want, got, "%+v", d)
	}
}

// TestGridCovers: every item has a group, no dimension is beyond the limit, and
// fewer than one group a row of groups is idle.
func TestGridCovers(t *testing.T) {
	for limit := uint32(1); limit < 9; limit++ {
		for perGroup := 1; perGroup < 5; perGroup++ {
			for count := 1; count < 300; count++ {
				g, err := grid(count, perGroup, limit)
				groups := (count + perGroup - 1) / perGroup
				if groups > int(limit*limit) {
					require.ErrorIs(t, err, gpu.ErrLimit)
					continue
				}
				require.NoError(t, err)
				require.True(t, g[0] <= limit && g[1] <= limit && g[2] == 1)
				idle := int(g[0]*g[1]) - groups
				require.True(t, idle >= 0 && idle < int(g[1]), "%d/%d in %v", count, perGroup, g)
			}
		}
	}
}

func TestLayout(t *testing.T) {
	limits := gpu.Limits{MaxBufferSize: 128 << 20, MaxGroups: 65535}
	pulsar, small := ring(t, "pulsar"), ring(t, "mldsa")
	for _, d := range []struct {
		ring           *ntt.Ring
		word, chunk    int
		buffer         int
		rows, ofChunks int
	}{
		{pulsar, 8, 0, 128 << 20, 65536, 1024}, // a batch of 65,536 fits exactly
		{pulsar, 8, 0, 128<<20 - 4, 65535, 1024},
		{small, 4, 0, 128 << 20, 131072, 2048},
		{pulsar, 8, 0, 1 << 20, 512, 512},
		{pulsar, 8, 100, 128 << 20, 65536, 100},
		{ring(t, tiny8), 8, 0, math.MaxInt, maxItems / 8, 32768},
	} {
		limits.MaxBufferSize = d.buffer
		lay, err := newLayout(d.ring, d.word, d.chunk, limits)
		require.NoError(t, err)
		require.Equal(t, d.rows, lay.maxRows)
		require.Equal(t, d.ofChunks, lay.chunkRows)
		require.Equal(t, 1, lay.slotRows(1))
		require.Equal(t, min(4, d.ofChunks), lay.slotRows(3))
		require.Equal(t, d.ofChunks, lay.slotRows(d.ofChunks))
	}
	limits.MaxBufferSize = 2047
	_, err := newLayout(pulsar, 8, 0, limits)
	require.ErrorIs(t, err, gpu.ErrLimit)
}
