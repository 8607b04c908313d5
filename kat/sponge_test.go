package kat

import (
	"crypto/sha3"
	"encoding/binary"
	"math/bits"
	"testing"

	"github.com/cloudflare/circl/simd/keccakf1600"
	"github.com/stretchr/testify/require"
)

// The tests of this file compute every hash vector once more: from the text of
// FIPS 202, whose tables are made here rather than copied, by Go's library, and
// by circl's permutation of four states at once.

// permute is Keccak-f[1600] as sections 3.2 and 3.3 of FIPS 202 write it.
func permute(a *[5][5]uint64) { // a[x][y]
	lfsr := byte(1)
	for range 24 {
		var c [5]uint64
		for x := range 5 { // theta
			c[x] = a[x][0] ^ a[x][1] ^ a[x][2] ^ a[x][3] ^ a[x][4]
		}
		for x := range 5 {
			for y := range 5 {
				a[x][y] ^= c[(x+4)%5] ^ bits.RotateLeft64(c[(x+1)%5], 1)
			}
		}
		var b [5][5]uint64
		b[0][0] = a[0][0]
		x, y := 1, 0
		for t := range 24 { // rho, then pi: lane (x, y) goes to (y, 2x+3y)
			lane := bits.RotateLeft64(a[x][y], (t+1)*(t+2)/2)
			x, y = y, (2*x+3*y)%5
			b[x][y] = lane
		}
		for x := range 5 { // chi
			for y := range 5 {
				a[x][y] = b[x][y] ^ ^b[(x+1)%5][y]&b[(x+2)%5][y]
			}
		}
		for j := range 7 { // iota: bit 2^j-1 is the next one of rc(t)
			a[0][0] ^= uint64(lfsr&1) << (1<<j - 1)
			carry := lfsr >> 7
			lfsr = lfsr<<1 ^ carry*0x71
		}
	}
}

// padded returns a message with the padding of a function, whole blocks long,
// and the function's rate.
func padded(f Function, msg []byte) ([]byte, int) {
	rate, domain := 136, map[Function]byte{Keccak256: 0x01, SHA3256: 0x06, SHAKE128: 0x1f, SHAKE256: 0x1f}[f]
	if f == SHAKE128 {
		rate = 168
	}
	p := append(append([]byte{}, msg...), make([]byte, rate-len(msg)%rate)...)
	p[len(msg)] ^= domain
	p[len(p)-1] ^= 0x80
	return p, rate
}

// sponge returns size bytes of a function's output by the definition.
func sponge(f Function, size int, msg []byte) []byte {
	var a [5][5]uint64
	p, rate := padded(f, msg)
	for ; len(p) > 0; p = p[rate:] {
		for i := range rate / 8 {
			a[i%5][i/5] ^= binary.LittleEndian.Uint64(p[8*i:])
		}
		permute(&a)
	}
	var out []byte
	for {
		for i := range rate / 8 {
			out = binary.LittleEndian.AppendUint64(out, a[i%5][i/5])
		}
		if len(out) >= size {
			return out[:size]
		}
		permute(&a)
	}
}

// library returns the output by Go's crypto/sha3, and by its permutation under
// this package's padding for Keccak-256.
func library(f Function, size int, msg []byte) []byte {
	switch f {
	case SHAKE128:
		return sha3.SumSHAKE128(msg, size)
	case SHAKE256:
		return sha3.SumSHAKE256(msg, size)
	case SHA3256:
		d := sha3.Sum256(msg)
		return d[:]
	}
	d := keccak256(msg)
	return d[:]
}

// hashFiles returns every hash vector by the name of its file.
func hashFiles(t *testing.T) map[string][]HashVector {
	t.Helper()
	files, err := Files()
	require.NoError(t, err)
	vectors := map[string][]HashVector{}
	for _, f := range files {
		if len(f.Hashes) > 0 {
			vectors[f.Name] = f.Hashes
		}
	}
	return vectors
}

func TestHashesByDefinition(t *testing.T) {
	for file, vectors := range hashFiles(t) {
		for _, v := range vectors {
			var defined, lib []byte
			for _, msg := range v.Messages() {
				defined = append(defined, sponge(v.Function, v.Size, msg)...)
				lib = append(lib, library(v.Function, v.Size, msg)...)
			}
			require.NoError(t, v.Check(defined), "%s: %s", file, v.Name)
			require.NoError(t, v.Check(lib), "%s: %s", file, v.Name)
		}
	}
}

func TestPermutationsByDefinition(t *testing.T) {
	files, err := Files()
	require.NoError(t, err)
	seen := 0
	for _, f := range files {
		for _, p := range f.Permutations {
			seen++
			var a [5][5]uint64
			for i, lane := range p.In {
				a[i%5][i/5] = lane
			}
			for range p.Times {
				permute(&a)
			}
			for i, lane := range p.Out {
				require.Equal(t, lane, a[i%5][i/5], "%s: lane %d", p.Name, i)
			}
		}
	}
	require.Equal(t, 2, seen)
}

// TestHashesByCircl hashes four copies of each message of up to four blocks in
// the lanes of circl's vector permutation.
func TestHashesByCircl(t *testing.T) {
	for file, vectors := range hashFiles(t) {
		for _, v := range vectors {
			if v.Size > 64 || v.Len() > 1 || len(v.Messages()[0]) > 545 {
				continue
			}
			p, rate := padded(v.Function, v.Messages()[0])
			var s keccakf1600.StateX4
			a := s.Initialize(false)
			for ; len(p) > 0; p = p[rate:] {
				for i := range rate / 8 {
					for lane := range 4 {
						a[4*i+lane] ^= binary.LittleEndian.Uint64(p[8*i:])
					}
				}
				s.Permute()
			}
			for lane := range 4 {
				var out []byte
				for i := range v.Size / 8 {
					out = binary.LittleEndian.AppendUint64(out, a[4*i+lane])
				}
				require.NoError(t, v.Check(out), "%s: %s, lane %d", file, v.Name, lane)
			}
		}
	}
}
