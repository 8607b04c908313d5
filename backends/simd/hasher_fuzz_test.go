package simd

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/keccak"
)

// FuzzHasher cuts data into messages and hashes them with every width.
func FuzzHasher(f *testing.F) {
	var hashers []*Hasher
	for _, w := range HasherWidths() {
		h, err := NewHasher(HasherOptions{Width: w})
		require.NoError(f, err)
		hashers = append(hashers, h)
	}
	f.Add([]byte("a few bytes to be cut"), []byte{3, 0, 5, 200})
	f.Add(slices.Repeat([]byte{0xff}, 900), []byte{135, 136, 137, 0, 1, 255, 2, 3, 4, 136})
	f.Fuzz(func(t *testing.T, data, cuts []byte) {
		m := keccak.Messages{Data: data, Off: []uint32{0}}
		for _, c := range cuts {
			m.Off = append(m.Off, uint32(min(len(data), int(m.Off[len(m.Off)-1])+int(c))))
		}
		for _, h := range hashers {
			check(t, h, m)
		}
	})
}
