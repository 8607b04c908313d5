package cpu

import (
	"context"
	"time"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/keccak"
)

// hasher is one of package keccak's that knows its backend and reports timings.
type hasher struct {
	backend *backend
	keccak.Hasher
}

// newHasher returns a hasher with the backend's number of workers, the caller's
// goroutine among them. It starts the others itself: they wait for batches of
// messages, and the pool's for rows.
func newHasher(b *backend) *hasher { return &hasher{b, keccak.NewParallel(b.workers)} }

func (h *hasher) Sum256(ctx context.Context, dst [][32]byte, m keccak.Messages) error {
	start := now(ctx)
	err := h.usable("sum256")
	if err == nil {
		err = h.Hasher.Sum256(ctx, dst, m)
	}
	report(ctx, start, len(dst), err)
	return err
}

func (h *hasher) SumFixed(ctx context.Context, dst [][32]byte, data []byte, width int) error {
	start := now(ctx)
	err := h.usable("sumfixed")
	if err == nil {
		err = h.Hasher.SumFixed(ctx, dst, data, width)
	}
	report(ctx, start, len(dst), err)
	return err
}

func (h *hasher) usable(op string) error {
	if h.backend.closed.Load() {
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
