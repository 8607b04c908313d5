package cpu

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/keccak"
)

const (
	// chunkBlocks is how many blocks of messages a worker hashes at once: about
	// 10 µs, as for transforms.
	chunkBlocks = 32
	rate        = 136 // bytes of a block
)

// hasher spreads messages over the backend's workers. It is safe for concurrent
// use and holds nothing of its own.
type hasher struct {
	backend *backend
	closed  atomic.Bool
}

func (h *hasher) Close() error {
	h.closed.Store(true)
	return nil
}

func (h *hasher) Sum256(ctx context.Context, dst [][32]byte, m keccak.Messages) error {
	start := now(ctx)
	if err := keccak.CheckSum256(dst, m); err != nil {
		return &keccak.Error{Op: "sum256", Err: err}
	}
	bytes := 0
	if n := m.Len(); n > 0 {
		bytes = int(m.Off[n] - m.Off[0])
	}
	return h.timed(ctx, "sum256", call{digests: dst, messages: m}, bytes, start)
}

func (h *hasher) SumFixed(ctx context.Context, dst [][32]byte, data []byte, width int) error {
	start := now(ctx)
	if err := keccak.CheckSumFixed(dst, data, width); err != nil {
		return &keccak.Error{Op: "sumfixed", Err: err}
	}
	return h.timed(ctx, "sumfixed", call{digests: dst, data: data, width: width}, len(data), start)
}

// timed hashes the messages of a checked call, of that many bytes together, and
// reports the timing to whoever asked for it.
func (h *hasher) timed(ctx context.Context, op string, c call, bytes int, start time.Time) error {
	checked := now(ctx)
	done, err := h.run(ctx, c, bytes)
	if f := backends.TimingFrom(ctx); f != nil {
		f(backends.Timing{Op: string(backends.Keccak), Rows: done, Upload: checked.Sub(start),
			Kernel: time.Since(checked), Total: time.Since(start)})
	}
	if err != nil {
		return &keccak.Error{Op: op, Done: done, Err: err}
	}
	return nil
}

// run returns how many messages it hashed, all of them without an error. What
// fits one chunk is hashed here and now: handing it out costs as much as a hash.
func (h *hasher) run(ctx context.Context, c call, bytes int) (int, error) {
	if h.closed.Load() || h.backend.closed.Load() {
		return 0, backends.ErrClosed
	}
	n := len(c.digests)
	chunk := max(1, chunkBlocks*n/(n+bytes/rate+1))
	if n > chunk {
		done, _, err := h.backend.pool.do(ctx, c, n, chunk, hash)
		return done, err
	}
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	hash(&c, 0, n)
	return n, nil
}
