package main

import (
	"context"

	"github.com/crosspoint-kernels/crosspoint/keccak"
)

func (b *dressed) Keccak() (keccak.Hasher, error) {
	if b.noHash != nil {
		return nil, b.noHash
	}
	h, err := b.Backend.Keccak()
	return &dressedHasher{h, b}, err
}

// dressedHasher takes virtual time, and can be told to be wrong.
type dressedHasher struct {
	keccak.Hasher
	b *dressed
}

func (h *dressedHasher) do(dst [][32]byte, op func() error) error {
	if h.b.onCall != nil {
		h.b.onCall(len(dst))
	}
	h.b.spend(len(dst))
	err := op()
	if h.b.spoil != nil && len(dst) > 0 {
		h.b.spoil(dst)
	}
	return err
}

func (h *dressedHasher) Sum256(ctx context.Context, dst [][32]byte, m keccak.Messages) error {
	return h.do(dst, func() error { return h.Hasher.Sum256(ctx, dst, m) })
}

func (h *dressedHasher) SumFixed(ctx context.Context, dst [][32]byte, data []byte, width int) error {
	return h.do(dst, func() error { return h.Hasher.SumFixed(ctx, dst, data, width) })
}
