package suite

import (
	"context"
	"time"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/keccak"
)

func (f *fake) Keccak() (keccak.Hasher, error) {
	if f.noHasher != nil {
		return nil, f.noHasher
	}
	f.hashers++
	return &fakeHasher{f}, nil
}

// fakeHasher takes the time D + tau·messages. It hashes by the scalar Hasher,
// unless the first digest is right already and no check can have poisoned it.
type fakeHasher struct{ *fake }

func (h *fakeHasher) Close() error { h.hashers--; return nil }

func (h *fakeHasher) do(ctx context.Context, dst [][keccak.Size]byte, first []byte, op func() error) error {
	n := len(dst)
	h.calls++
	if h.onCall != nil {
		h.onCall(n)
	}
	if err := ctx.Err(); err != nil {
		return &keccak.Error{Op: "fake", Err: err}
	}
	if h.failure != nil && n == h.failAt {
		return h.failure
	}
	h.spend(n, h.d, h.tau)
	if f := backends.TimingFrom(ctx); f != nil {
		bus := time.Duration(h.bus * float64(n))
		f(backends.Timing{Op: string(backends.Keccak), Rows: n, Upload: 3 * bus, Kernel: time.Duration(h.d), Download: bus})
	}
	if h.idle || h.lazy && dst[0] == keccak.Sum256(first) {
		return nil
	}
	err := op()
	if h.spoil != nil {
		h.spoil(dst)
	}
	return err
}

func (h *fakeHasher) Sum256(ctx context.Context, dst [][keccak.Size]byte, m keccak.Messages) error {
	if len(dst) == 0 {
		return nil
	}
	return h.do(ctx, dst, m.At(0), func() error { return keccak.Scalar().Sum256(ctx, dst, m) })
}

func (h *fakeHasher) SumFixed(ctx context.Context, dst [][keccak.Size]byte, data []byte, width int) error {
	return h.do(ctx, dst, data[:width], func() error { return keccak.Scalar().SumFixed(ctx, dst, data, width) })
}
