//go:build amd64 && !purego

package amd64

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/kat"
	"github.com/crosspoint-kernels/crosspoint/keccak"
)

// needKeccak skips a test on a machine without the instructions.
func needKeccak(t testing.TB) {
	if !HasKeccak() {
		t.Skip("this machine lacks AVX-512 F, BW, DQ or VL, or BMI2")
	}
}

// sumX8 hashes messages of equally many blocks, eight or fewer, by Keccak256x8,
// each between guards that are looked at afterwards.
func sumX8(t testing.TB, messages [][]byte) [][32]byte {
	const guard = 64
	var (
		dst  [8]*[32]byte
		msg  [8]*byte
		tail [8]uint64
		most uint64
	)
	fence := bytes.Repeat([]byte{0xa5}, guard)
	whole := len(messages[0]) / 136
	held := make([][]byte, len(messages))
	out := make([][]byte, 8)
	for j := range dst {
		i := min(j, len(messages)-1)
		require.Equal(t, whole, len(messages[i])/136)
		if j == i {
			held[i] = append(append(append([]byte{}, fence...), messages[i]...), fence...)
		}
		out[j] = bytes.Repeat([]byte{0x5a}, 2*guard+32)
		msg[j], dst[j] = &held[i][guard], (*[32]byte)(out[j][guard:])
		tail[j] = uint64(len(messages[i]) % 136)
		most = max(most, tail[j])
	}
	Keccak256x8(&dst, &msg, &tail, uint64(whole), most)
	digests := make([][32]byte, len(messages))
	for i, m := range messages {
		require.True(t, bytes.Equal(held[i], append(append(append([]byte{}, fence...), m...), fence...)), "message %d was written to", i)
		for _, side := range [][]byte{out[i][:guard], out[i][guard+32:]} {
			require.Equal(t, bytes.Repeat([]byte{0x5a}, guard), side, "beside digest %d", i)
		}
		digests[i] = *dst[i]
	}
	return digests
}

// randomMessage returns n random bytes.
func randomMessage(r *rand.Rand, n int) []byte {
	m := make([]byte, n)
	for i := range m {
		m[i] = byte(r.Uint32())
	}
	return m
}

func checkX8(t testing.TB, messages [][]byte) {
	for j, got := range sumX8(t, messages) {
		require.Equal(t, keccak.Sum256(messages[j]), got, "message %d of %d bytes", j, len(messages[j]))
	}
}

func TestKeccakF1600x8(t *testing.T) {
	needKeccak(t)
	// The zero state, and one that differs in every lane and state from others; a
	// permutation of the latter is seen in the digests below.
	var a [25][8]uint64
	KeccakF1600x8(&a)
	for j := range 8 {
		require.EqualValues(t, uint64(0xf1258f7940e1dde7), a[0][j])
		require.EqualValues(t, uint64(0x84d5ccf933c0478a), a[1][j])
		require.EqualValues(t, uint64(0xeaf1ff7b5ceca249), a[24][j])
	}
	KeccakF1600x8(&a)
	require.EqualValues(t, uint64(0x2d5c954df96ecb3c), a[0][7])
	require.EqualValues(t, uint64(0x20d06cd26a8fbf5c), a[24][0])
}

// TestKeccakStates permutes eight different states, which only messages make, as
// package keccak gives no other access to its permutation.
func TestKeccakStates(t *testing.T) {
	needKeccak(t)
	r := rand.New(rand.NewPCG(1, 2))
	var a [25][8]uint64
	var messages [8][]byte
	for j := range messages {
		messages[j] = randomMessage(r, 135)
		block := append(bytes.Clone(messages[j]), 0x81)
		for i := range 17 {
			for k := range 8 {
				a[i][j] |= uint64(block[8*i+k]) << (8 * k)
			}
		}
	}
	KeccakF1600x8(&a)
	for j, m := range messages {
		want := keccak.Sum256(m)
		for i := range 32 {
			require.Equal(t, want[i], byte(a[i/8][j]>>(i%8*8)), "state %d", j)
		}
	}
}

// TestKeccakLengths has every length up to 1,100, alone in all eight places and
// beside others of the same number of blocks.
func TestKeccakLengths(t *testing.T) {
	needKeccak(t)
	r := rand.New(rand.NewPCG(3, 4))
	for n := range 1101 {
		first := n / 136 * 136
		messages := [][]byte{randomMessage(r, n)}
		for range 7 {
			messages = append(messages, randomMessage(r, first+r.IntN(136)))
		}
		r.Shuffle(8, func(i, j int) { messages[i], messages[j] = messages[j], messages[i] })
		checkX8(t, messages)
		checkX8(t, [][]byte{randomMessage(r, n)})
	}
}

// TestKeccakTails has the longest of eight tails, around which parts of the kernel
// are left out, in each place.
func TestKeccakTails(t *testing.T) {
	needKeccak(t)
	r := rand.New(rand.NewPCG(5, 6))
	for place := range 8 {
		for _, most := range []int{0, 7, 8, 63, 64, 65, 127, 128, 129, 135} {
			messages := make([][]byte, 8)
			for j := range messages {
				messages[j] = randomMessage(r, r.IntN(most+1))
			}
			messages[place] = randomMessage(r, most)
			checkX8(t, messages)
		}
	}
}

// TestKeccakStructured has bytes that are all alike, of which a mask that reaches
// too far or a padding that is added where a bit is set would be seen.
func TestKeccakStructured(t *testing.T) {
	needKeccak(t)
	for _, b := range []byte{0, 1, 0x80, 0xff} {
		for _, n := range []int{0, 1, 63, 64, 65, 127, 128, 134, 135, 136, 200, 271, 272, 544} {
			checkX8(t, [][]byte{bytes.Repeat([]byte{b}, n)})
		}
	}
}

func TestKeccakVectors(t *testing.T) {
	needKeccak(t)
	files, err := kat.Files()
	require.NoError(t, err)
	seen := 0
	for _, f := range files {
		for _, v := range f.Hashes {
			if v.Function != kat.Keccak256 {
				continue
			}
			var got []byte
			for _, m := range v.Messages() {
				seen++
				digest := sumX8(t, [][]byte{m})[0]
				got = append(got, digest[:]...)
			}
			require.NoError(t, v.Check(got), "%s: %s", f.Name, v.Name)
		}
	}
	require.Positive(t, seen)
}

func FuzzKeccak256x8(f *testing.F) {
	needKeccak(f)
	f.Add([]byte("crosspoint"), uint64(0))
	f.Add(bytes.Repeat([]byte{0xff}, 400), uint64(0x8765432101234567))
	f.Fuzz(func(t *testing.T, data []byte, cuts uint64) {
		whole := len(data) / 136
		messages := make([][]byte, 8)
		for j := range messages {
			n := 136*whole + int(cuts>>(8*j)&0xff)%(len(data)-136*whole+1)
			messages[j] = data[len(data)-n:]
		}
		checkX8(t, messages)
	})
}

func BenchmarkKeccak(b *testing.B) {
	needKeccak(b)
	b.Run("permutation", func(b *testing.B) {
		var a [25][8]uint64
		for b.Loop() {
			KeccakF1600x8(&a)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(8*b.N), "ns/state")
	})
	for _, n := range []int{32, 64, 110, 135, 136, 532} {
		data := make([]byte, 8*n)
		var (
			dst  [8]*[32]byte
			msg  [8]*byte
			tail [8]uint64
			out  [8][32]byte
		)
		for j := range dst {
			dst[j], msg[j], tail[j] = &out[j], &data[j*n], uint64(n%136)
		}
		b.Run(fmt.Sprintf("width=avx512/len=%d", n), func(b *testing.B) {
			for b.Loop() {
				Keccak256x8(&dst, &msg, &tail, uint64(n/136), tail[0])
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(8*b.N), "ns/hash")
		})
		b.Run(fmt.Sprintf("width=scalar/len=%d", n), func(b *testing.B) {
			for b.Loop() {
				keccak.Sum256(data[:n])
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N), "ns/hash")
		})
	}
}
