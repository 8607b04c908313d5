package keccak

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMessages(t *testing.T) {
	var m Messages
	require.Zero(t, m.Len())
	require.NoError(t, m.Check())
	for round := range 2 {
		for n := range 200 {
			require.NoError(t, m.Append(message(n)))
			require.Equal(t, n+1, m.Len())
		}
		require.NoError(t, m.Check())
		for n := range 200 {
			require.Equal(t, message(n), m.At(n), "round %d", round)
		}
		m.Reset()
		require.Zero(t, m.Len())
		require.NoError(t, m.Check())
	}
	require.Zero(t, testing.AllocsPerRun(10, func() {
		m.Reset()
		for range 20 {
			m.Append(m.Data[:30])
		}
	}))
}

// TestMessagesAt appends to a message, which must not reach the next one.
func TestMessagesAt(t *testing.T) {
	m := Messages{Data: []byte("abcd"), Off: []uint32{1, 2, 3}}
	require.Equal(t, 2, m.Len())
	_ = append(m.At(0), 'x')
	require.Equal(t, []byte("c"), m.At(1))
}

func TestMessagesAppendRefuses(t *testing.T) {
	var shape *ShapeError

	m := Messages{Data: []byte("abcd"), Off: []uint32{0, 3}}
	require.ErrorAs(t, m.Append(nil), &shape)
	require.Equal(t, "off", shape.Arg)
	require.Equal(t, Messages{Data: []byte("abcd"), Off: []uint32{0, 3}}, m)

	// What is in Data already belongs to no message.
	m = Messages{Data: []byte("abcd")}
	require.NoError(t, m.Append([]byte("e")))
	require.Equal(t, []byte("e"), m.At(0))

	// 4 GiB is more than an offset can say; a slice of that many bytes is more
	// than a test should ask for.
	require.NoError(t, checkSize(math.MaxUint32))
	err := checkSize(math.MaxUint32 + 1)
	require.ErrorIs(t, err, ErrShape)
	require.ErrorAs(t, err, &shape)
	require.Equal(t, "data", shape.Arg)
}

func TestMessagesCheck(t *testing.T) {
	data := make([]byte, 10)
	for _, c := range []struct {
		name string
		m    Messages
		ok   bool
	}{
		{"nothing", Messages{}, true},
		{"data without offsets", Messages{Data: data}, true},
		{"one offset, no message", Messages{Off: []uint32{0}}, true},
		{"one offset within", Messages{Data: data, Off: []uint32{10}}, true},
		{"empty messages of nil", Messages{Off: []uint32{0, 0, 0}}, true},
		{"the whole", Messages{Data: data, Off: []uint32{0, 10}}, true},
		{"a part", Messages{Data: data, Off: []uint32{3, 5, 5, 9}}, true},
		{"one offset beyond", Messages{Data: data, Off: []uint32{11}}, false},
		{"first beyond", Messages{Data: data, Off: []uint32{11, 12}}, false},
		{"last beyond", Messages{Data: data, Off: []uint32{0, 11}}, false},
		{"far beyond", Messages{Data: data, Off: []uint32{0, math.MaxUint32}}, false},
		{"beyond nil", Messages{Off: []uint32{0, 1}}, false},
		{"descending", Messages{Data: data, Off: []uint32{0, 5, 4, 10}}, false},
		{"descending at the end", Messages{Data: data, Off: []uint32{0, 5, 4}}, false},
		{"first beyond, then back", Messages{Data: data, Off: []uint32{11, 4}}, false},
		{"beyond and back", Messages{Data: data, Off: []uint32{0, 11, 10}}, false},
	} {
		err := c.m.Check()
		if c.ok {
			require.NoError(t, err, c.name)
			continue
		}
		var shape *ShapeError
		require.ErrorAs(t, err, &shape, c.name)
		require.ErrorIs(t, err, ErrShape, c.name)
		require.Equal(t, "off", shape.Arg, c.name)
	}
}

// FuzzMessages checks that every message of a batch that Check accepts can be
// read, and that no other batch is read by a Hasher.
func FuzzMessages(f *testing.F) {
	f.Add(uint16(10), []byte{0, 3, 10})
	f.Add(uint16(0), []byte{0, 0})
	f.Add(uint16(4), []byte{3, 2, 5})
	f.Fuzz(func(t *testing.T, size uint16, offsets []byte) {
		m := Messages{Data: message(int(size))}
		for _, o := range offsets {
			m.Off = append(m.Off, uint32(o))
		}
		dst := make([][32]byte, m.Len())
		err := m.Check()
		sumErr := Scalar().Sum256(t.Context(), dst, m)
		if err != nil {
			require.ErrorIs(t, err, ErrShape)
			require.ErrorIs(t, sumErr, ErrShape)
			require.Equal(t, make([][32]byte, m.Len()), dst)
			return
		}
		require.NoError(t, sumErr)
		for i, d := range dst {
			require.Equal(t, m.Data[offsets[i]:offsets[i+1]], m.At(i))
			require.Equal(t, Sum256(m.At(i)), d)
		}
	})
}
