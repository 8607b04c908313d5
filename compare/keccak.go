package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash"
	"io"

	"github.com/cloudflare/circl/simd/keccakf1600"
	"github.com/ethereum/go-ethereum/crypto"
	"golang.org/x/crypto/sha3"

	"github.com/crosspoint-kernels/crosspoint/keccak"
)

// hashes is a batch that stays in the first-level cache.
const hashes = 64

// keccakGroup compares Keccak-256 of one message after the other, on one thread,
// with the rivals that do the same, and with circl's four at a time. (circl's
// scalar sponge is internal to it.)
func keccakGroup() ([]pair, func(), error) {
	h := keccak.Scalar()
	var pairs []pair
	for _, width := range []int{32, 64, 135, 136, 532} {
		work := fmt.Sprintf("keccak-256 of %d bytes, one thread", width)
		data := randomBytes(hashes * width)
		ours := hashSide("ours", data, width, func(ctx context.Context, dst [][32]byte) error {
			return h.SumFixed(ctx, dst, data, width)
		})
		pairs = append(pairs,
			pair{work, ours, hashSide("go-ethereum v1.17.10", data, width, each(data, width, func(dst *[32]byte, m []byte) {
				*dst = crypto.Keccak256Hash(m)
			}))},
			pair{work, ours, hashSide("x/crypto, reused", data, width, each(data, width, reused(sha3.NewLegacyKeccak256())))})
		if width < rate {
			pairs = append(pairs, pair{work, ours, hashSide("circl v1.6.5 StateX4", data, width, fourAtATime(data, width))})
		}
	}
	return pairs, func() { h.Close() }, nil
}

// hashSide hashes the messages of data, width bytes each.
func hashSide(name string, data []byte, width int, run func(ctx context.Context, dst [][32]byte) error) side {
	dst := make([][32]byte, len(data)/width)
	return side{name, float64(len(dst)), func(ctx context.Context) error {
		return run(ctx, dst)
	}, func() []byte {
		var out []byte
		for i := range dst {
			out = append(out, dst[i][:]...)
		}
		return out
	}}
}

// each hashes one message after the other.
func each(data []byte, width int, sum func(dst *[32]byte, m []byte)) func(context.Context, [][32]byte) error {
	return func(_ context.Context, dst [][32]byte) error {
		for i := range dst {
			sum(&dst[i], data[i*width:(i+1)*width])
		}
		return nil
	}
}

// reused reads the digest out of the state, which x/crypto does faster than its
// Sum, a copy of the state.
func reused(h hash.Hash) func(dst *[32]byte, m []byte) {
	return func(dst *[32]byte, m []byte) {
		h.Reset()
		h.Write(m)
		h.(io.Reader).Read(dst[:])
	}
}

// rate is the block of Keccak-256 in bytes.
const rate = 136

// fourAtATime hashes four messages of one block in each call of circl's
// permutation of four states, which lie interleaved word by word.
func fourAtATime(data []byte, width int) func(context.Context, [][32]byte) error {
	var perm keccakf1600.StateX4
	state := perm.Initialize(false)
	var block [rate]byte
	return func(_ context.Context, dst [][32]byte) error {
		for i := 0; i < len(dst); i += 4 {
			clear(state)
			for lane := range 4 {
				clear(block[:])
				copy(block[:], data[(i+lane)*width:(i+lane+1)*width])
				block[width] ^= 0x01
				block[rate-1] ^= 0x80
				for w := range rate / 8 {
					state[4*w+lane] = binary.LittleEndian.Uint64(block[8*w:])
				}
			}
			perm.Permute()
			for lane := range 4 {
				for w := range 4 {
					binary.LittleEndian.PutUint64(dst[i+lane][8*w:], state[4*w+lane])
				}
			}
		}
		return nil
	}
}

// randomBytes returns n bytes, the same ones every time.
func randomBytes(n int) []byte { return bytesOf(random((n+7)/8, 1<<61-1))[:n] }
