package keccak

import (
	"crypto/sha3"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestStateSplits cuts a message of three blocks in two at every place, and
// asks for the digest in the middle, which must not disturb the end.
func TestStateSplits(t *testing.T) {
	for _, n := range []int{1, 135, 136, 137, 271, 272, 273, 300} {
		msg := message(n)
		want := Sum256(msg)
		for cut := range n + 1 {
			var s State
			s.Write(msg[:cut])
			require.Equal(t, Sum256(msg[:cut]), s.Sum256())
			written, err := s.Write(msg[cut:])
			require.NoError(t, err)
			require.Equal(t, n-cut, written)
			require.Equal(t, want, s.Sum256(), "%d of %d bytes", cut, n)
			require.Equal(t, append([]byte("x"), want[:]...), s.Sum([]byte("x")))
		}
	}
}

func TestStatePieces(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var s State
	for range 300 {
		s.Reset()
		msg := message(r.IntN(1500))
		for rest := msg; len(rest) > 0; {
			n := min(len(rest), r.IntN([]int{3, 20, 140, 500}[r.IntN(4)]))
			s.Write(rest[:n])
			rest = rest[n:]
		}
		require.Equal(t, Sum256(msg), s.Sum256())
	}
}

func TestStateCopy(t *testing.T) {
	var s State
	s.Write(message(100))
	fork := s
	s.Write(message(50))
	require.Equal(t, Sum256(message(100)), fork.Sum256())
	require.Equal(t, 32, s.Size())
	require.Equal(t, 136, s.BlockSize())
	s.Reset()
	require.Equal(t, Sum256(nil), s.Sum256())
}

// TestXOFSteps writes and squeezes in steps of many lengths.
func TestXOFSteps(t *testing.T) {
	const n = 700
	msg := message(345)
	want := map[*XOF][]byte{
		NewSHAKE128(): sha3.SumSHAKE128(msg, n),
		NewSHAKE256(): sha3.SumSHAKE256(msg, n),
	}
	for x, out := range want {
		for _, step := range []int{1, 3, 7, 8, 9, 31, 64, 135, 136, 137, 167, 168, 169, 272, 699} {
			x.Reset()
			for rest := msg; len(rest) > 0; rest = rest[min(step, len(rest)):] {
				_, err := x.Write(rest[:min(step, len(rest))])
				require.NoError(t, err)
			}
			got := make([]byte, n)
			for rest := got; len(rest) > 0; rest = rest[min(step, len(rest)):] {
				read, err := x.Read(rest[:min(step, len(rest))])
				require.NoError(t, err)
				require.Equal(t, min(step, len(rest)), read)
			}
			require.Equal(t, out, got, "rate %d, steps of %d", x.BlockSize(), step)
		}
	}
}

func TestXOFEdges(t *testing.T) {
	x := NewSHAKE128()
	require.Equal(t, 168, x.BlockSize())
	read, err := x.Read(nil)
	require.NoError(t, err)
	require.Zero(t, read)
	written, err := x.Write([]byte("late"))
	require.ErrorIs(t, err, ErrSqueezing)
	require.Zero(t, written)
	out := make([]byte, 10)
	_, err = io.ReadFull(x, out)
	require.NoError(t, err)
	require.Equal(t, sha3.SumSHAKE128(nil, 10), out)

	var zero XOF
	fork := zero
	_, err = zero.Read(out)
	require.NoError(t, err)
	require.Equal(t, sha3.SumSHAKE256(nil, 10), out)
	_, err = fork.Write([]byte("on time"))
	require.NoError(t, err)
	require.Equal(t, 136, fork.BlockSize())
}

// FuzzState cuts a message where the fuzzer likes and compares with one piece.
func FuzzState(f *testing.F) {
	f.Add(message(300), uint(136), uint(1))
	f.Fuzz(func(t *testing.T, msg []byte, first, second uint) {
		a := int(first % uint(len(msg)+1))
		b := a + int(second%uint(len(msg)-a+1))
		var s State
		x := NewSHAKE128()
		for _, p := range [][]byte{msg[:a], msg[a:b], msg[b:]} {
			s.Write(p)
			x.Write(p)
		}
		d := keccakDesign()
		require.Equal(t, d.sum(msg), s.Sum256())
		require.Equal(t, d.sum(msg), Sum256(msg))
		require.Equal(t, sha3.Sum256(msg), SumSHA3256(msg))
		out := make([]byte, 200)
		x.Read(out[:a%201])
		x.Read(out[a%201:])
		require.Equal(t, sha3.SumSHAKE128(msg, 200), out)
	})
}
