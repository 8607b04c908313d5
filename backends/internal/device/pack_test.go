package device

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/gpu"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// TestPack compares the ways to the device and back with the definition: that
// of hosts whose byte order is not the device's too.
func TestPack(t *testing.T) {
	for _, d := range []struct {
		ring   string
		word   int
		direct bool
	}{{tiny4, 4, false}, {tiny8, 8, false}, {tiny8, 8, littleEndian()}, {"fhe27", 4, false}, {"pulsar", 8, false}} {
		r := ring(t, d.ring)
		lay, err := newLayout(r, d.word, 0, gpu.Limits{MaxBufferSize: 1 << 20})
		require.NoError(t, err)
		lay.direct = d.direct
		for _, rows := range []int{1, 2, 70, packCoefficients/r.N() + 1} {
			if rows > lay.chunkRows {
				continue
			}
			s := testRows(r, rows, 1)
			var want []byte
			for _, x := range s {
				want = append(want, binary.LittleEndian.AppendUint64(nil, x)[:d.word]...)
			}
			var scratch []byte
			got, err := lay.pack("src", s, &scratch)
			require.NoError(t, err)
			require.Equal(t, want, got)
			back := make([]uint64, len(s))
			lay.decode(back, got)
			require.Equal(t, s, back)

			for _, row := range []int{0, rows - 1} {
				bad := testRows(r, rows, 1)
				bad[row*r.N()+5] = r.Q()
				_, err := lay.pack("src", bad, &scratch)
				var out *ntt.RangeError
				require.ErrorAs(t, err, &out)
				require.Equal(t, ntt.RangeError{Arg: "src", Row: row, Index: 5}, *out)
			}
		}
	}
}

func TestScratchIsReused(t *testing.T) {
	lay, err := newLayout(ring(t, tiny4), 4, 16, gpu.Limits{MaxBufferSize: 1 << 20})
	require.NoError(t, err)
	var s []byte
	lay.scratch(&s, 3*8)
	require.Len(t, s, 4*32)
	first := &s[0]
	require.Len(t, lay.scratch(&s, 4*8), 4*32)
	require.Same(t, first, &s[0])
	require.Len(t, lay.scratch(&s, 16*8), 16*32)
}
