package main

import (
	"context"
	"fmt"

	"golang.org/x/crypto/sha3"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/keccak"
	"github.com/crosspoint-kernels/crosspoint/stateroot"
)

// simdHashes are batches of 64 messages of one block.
func simdHashes(one, _ backends.Backend) ([]pair, error) {
	h, err := one.Keccak()
	if err != nil {
		return nil, err
	}
	scalar := keccak.Scalar()
	pairs := permutations()
	for _, width := range []int{32, 64, 110, 135} {
		data := randomBytes(hashes * width)
		work := fmt.Sprintf("simd: keccak-256 of %d bytes, one thread", width)
		of := func(name string, h keccak.Hasher) side {
			return hashSide(name, data, width, func(ctx context.Context, dst [][32]byte) error { return h.SumFixed(ctx, dst, data, width) })
		}
		pairs = append(pairs,
			pair{work, of("ours", h), of("ours, scalar", scalar)},
			pair{work, of("ours", h), hashSide("x/crypto, reused", data, width, each(data, width, reused(sha3.NewLegacyKeccak256())))},
			pair{work, of("ours", h), hashSide("circl v1.6.5 StateX4", data, width, fourAtATime(data, width))})
	}
	return pairs, nil
}

// simdRoots are Ethereum's, of keys that are hashed and sorted.
func simdRoots(one, two backends.Backend) ([]pair, error) {
	raw, err := accountPairs(accounts)
	if err != nil {
		return nil, err
	}
	sorted := hashedAndSorted(raw)
	var pairs []pair
	for i, b := range []backends.Backend{one, two} {
		h, err := b.Keccak()
		if err != nil {
			return nil, err
		}
		pairs = append(pairs, pair{fmt.Sprintf("simd: root of %d accounts, sorted hashed keys, %d thread(s)", accounts, i+1),
			build(sorted, stateroot.Options{Workers: i + 1, Small: h}), stackTrie(sorted)})
	}
	return pairs, nil
}
