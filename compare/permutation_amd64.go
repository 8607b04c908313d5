//go:build !purego

package main

import (
	"context"
	"encoding/binary"
	"io"

	"github.com/cloudflare/circl/simd/keccakf1600"
	"golang.org/x/crypto/sha3"

	"github.com/crosspoint-kernels/crosspoint/keccak"
	"github.com/crosspoint-kernels/crosspoint/kernels/amd64"
)

// permuted is how many permutations of one state follow each other in a run.
const permuted = 64

// permutations compares Keccak-f[1600] of eight states with circl's of four, and with
// the blocks that SHAKE128 squeezes, which are permutations and a copy: no library
// has that of one state alone.
func permutations() []pair {
	if !amd64.HasKeccak() {
		return nil
	}
	const work = "simd: keccak-f[1600], one thread"
	return []pair{
		{work, eightStates(), squeezed("ours, scalar SHAKE128", keccak.NewSHAKE128())},
		{work, eightStates(), squeezed("x/crypto SHAKE128", sha3.NewShake128())},
		{work, eightStates(), fourStates()},
	}
}

// The first and last word of the block of an empty message for SHAKE128.
const (
	firstWord = 0x1f
	lastWord  = 1 << 63
	shakeRate = 168
)

func eightStates() side {
	var a [25][8]uint64
	for j := range 8 {
		a[0][j], a[shakeRate/8-1][j] = firstWord, lastWord
	}
	return side{"ours", 8 * permuted, func(context.Context) error {
		for range permuted {
			amd64.KeccakF1600x8(&a)
		}
		return nil
	}, func() (out []byte) {
		for i := range shakeRate / 8 {
			out = binary.LittleEndian.AppendUint64(out, a[i][5])
		}
		return out
	}}
}

func fourStates() side {
	var perm keccakf1600.StateX4
	a := perm.Initialize(false)
	for j := range 4 {
		a[j], a[4*(shakeRate/8-1)+j] = firstWord, lastWord
	}
	return side{"circl v1.6.5 StateX4", 4 * permuted, func(context.Context) error {
		for range permuted {
			perm.Permute()
		}
		return nil
	}, func() (out []byte) {
		for i := range shakeRate / 8 {
			out = binary.LittleEndian.AppendUint64(out, a[4*i+3])
		}
		return out
	}}
}

func squeezed(name string, xof io.Reader) side {
	var block [shakeRate]byte
	return side{name, permuted, func(context.Context) error {
		for range permuted {
			if _, err := xof.Read(block[:]); err != nil {
				return err
			}
		}
		return nil
	}, func() []byte { return block[:] }}
}
