package cpu

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/backends/internal/host"
	"github.com/crosspoint-kernels/crosspoint/keccak"
)

// hashing is the backend's Hasher, which all handles share.
type hashing struct {
	closed *atomic.Bool // the backend
	shared keccak.Hasher
}

func (h *hashing) Hasher() keccak.Hasher { return &hasher{hashing: h} }

func (h *hashing) Close() error { return h.shared.Close() }

// hasher is a caller's hold on the backend's Hasher: the workers are shared, and
// go with the backend, so that a hasher that nobody closes leaves none behind.
type hasher struct {
	*hashing
	closed atomic.Bool
}

func (h *hasher) Sum256(ctx context.Context, dst [][32]byte, m keccak.Messages) error {
	start := host.Start(ctx)
	err := h.usable("sum256")
	if err == nil {
		err = h.shared.Sum256(ctx, dst, m)
	}
	report(ctx, start, len(dst), err)
	return err
}

func (h *hasher) SumFixed(ctx context.Context, dst [][32]byte, data []byte, width int) error {
	start := host.Start(ctx)
	err := h.usable("sumfixed")
	if err == nil {
		err = h.shared.SumFixed(ctx, dst, data, width)
	}
	report(ctx, start, len(dst), err)
	return err
}

func (h *hasher) Close() error {
	if h.closed.Swap(true) {
		return &keccak.Error{Op: "close", Err: backends.ErrClosed}
	}
	return nil
}

func (h *hasher) usable(op string) error {
	if h.closed.Load() || h.hashing.closed.Load() {
		return &keccak.Error{Op: op, Err: backends.ErrClosed}
	}
	return nil
}

// report gives the timing of a call to whoever asked for it. All of it is
// hashing: what a call checks depends on lengths alone.
func report(ctx context.Context, start time.Time, messages int, err error) {
	f := backends.TimingFrom(ctx)
	if f == nil {
		return
	}
	if e, ok := err.(*keccak.Error); ok { // of which a Hasher's errors are
		messages = e.Done
	}
	t := time.Since(start)
	f(backends.Timing{Op: string(backends.Keccak), Rows: messages, Kernel: t, Total: t})
}
