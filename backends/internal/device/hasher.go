package device

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"sync"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/keccak"
)

// hasher is Keccak-256 on a backend. Its locks are those of a plan.
type hasher struct {
	backend *backend
	engine  *hashEngine
	pool    *pool[*hashSlot]

	life   sync.RWMutex // held for reading by every call
	closed bool
}

var _ keccak.TreeHasher = (*hasher)(nil)

func newHasher(b *backend, e *hashEngine) *hasher {
	return &hasher{backend: b, engine: e, pool: newPool(func() *hashSlot { return new(hashSlot) })}
}

func (h *hasher) Sum256(ctx context.Context, dst [][keccak.Size]byte, m keccak.Messages) error {
	return h.run(ctx, "sum256", dst, keccak.CheckSum256(dst, m), source{data: m.Data, off: m.Off})
}

func (h *hasher) SumFixed(ctx context.Context, dst [][keccak.Size]byte, data []byte, width int) error {
	return h.run(ctx, "sumfixed", dst, keccak.CheckSumFixed(dst, data, width), source{data: data, width: width})
}

// run is both of them; invalid is what is wrong with their arguments.
func (h *hasher) run(ctx context.Context, op string, dst [][keccak.Size]byte, invalid error, src source) error {
	watch := newStopwatch(ctx, h.backend.cfg.now, string(backends.Keccak))
	done, err := h.transfer(ctx, dst, invalid, src, watch)
	watch.stop(done) // after the locks are gone: it may call anything
	return h.fail(op, done, err)
}

func (h *hasher) transfer(ctx context.Context, dst [][keccak.Size]byte, invalid error, src source, watch *stopwatch) (int, error) {
	h.life.RLock()
	defer h.life.RUnlock()
	switch {
	case h.closed:
		return 0, backends.ErrClosed
	case invalid != nil:
		return 0, invalid
	case len(dst) == 0:
		return 0, nil
	}
	s, err := h.slot(ctx, len(src.span(0, len(dst))), len(dst))
	if err != nil {
		return 0, err
	}
	defer h.put(s)
	c := hashCall{
		receiver: receiver{ctx: ctx, watch: watch, sink: sink{digests: dst}},
		hasher:   h, slot: s, source: src, count: len(dst),
	}
	err = c.run()
	return c.done, err
}

// MerkleRoot keeps all of the tree on the device. The error of a call that fails
// is a *keccak.Error, of which Done is 0.
func (h *hasher) MerkleRoot(ctx context.Context, leaves []byte, width int) ([keccak.Size]byte, error) {
	watch := newStopwatch(ctx, h.backend.cfg.now, string(backends.Keccak))
	root, n, err := h.root(ctx, leaves, width, watch)
	watch.stop(n)
	return root, h.fail("merkleroot", 0, err)
}

func (h *hasher) root(ctx context.Context, leaves []byte, width int, watch *stopwatch) (root [keccak.Size]byte, n int, err error) {
	h.life.RLock()
	defer h.life.RUnlock()
	switch {
	case h.closed:
		return root, 0, backends.ErrClosed
	case width < 1:
		return root, 0, &keccak.ShapeError{Arg: "width", Reason: fmt.Sprintf("%d is not positive", width)}
	case len(leaves)%width != 0:
		return root, 0, &keccak.ShapeError{Arg: "leaves", Reason: fmt.Sprintf("length %d is no multiple of width %d", len(leaves), width)}
	case len(leaves) == 0:
		return keccak.Sum256(nil), 0, nil
	}
	s, err := h.slot(ctx, len(leaves), 1) // digests don't go through it
	if err != nil {
		return root, 0, err
	}
	defer h.put(s)
	c := treeCall{ctx: ctx, hasher: h, slot: s, queue: queue{watch: watch}, leaves: leaves, width: width}
	if root, err = c.run(len(leaves) / width); err != nil {
		return [keccak.Size]byte{}, 0, err
	}
	return root, len(leaves) / width, nil
}

// slot lends a slot for that many bytes of messages and digests, or for a chunk
// of them.
func (h *hasher) slot(ctx context.Context, bytes, digests int) (*hashSlot, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	need := h.engine.chunk
	if hi, lo := bits.Mul(uint(digests), nodeBytes); hi == 0 && max(uint(bytes), lo) < uint(need) {
		need = max(bytes, int(lo))
	}
	s, err := h.pool.get(ctx, need, true)
	if err != nil {
		return nil, err
	}
	if err := s.prepare(h.backend.dev, h.engine, need); err != nil {
		h.put(s)
		return nil, err
	}
	return s, nil
}

// put gives a slot back, without what a failed call left to submit.
func (h *hasher) put(s *hashSlot) {
	s.n = 0
	h.pool.put(s)
}

// fail makes the error of an operation of which done digests are final, or nil.
func (h *hasher) fail(op string, done int, err error) error {
	if err == nil {
		return nil
	}
	var shape *keccak.ShapeError
	if !errors.As(err, &shape) { // else the backend's names for it, and its own
		err = fmt.Errorf("%s: %w", h.backend.cfg.Name, errors.Unwrap(h.backend.fail(op, done, err)))
	}
	return &keccak.Error{Op: op, Done: done, Err: err}
}

// Close waits for the calls under way and frees the hasher's memory.
func (h *hasher) Close() error {
	if h.shut() {
		h.backend.drop(h)
	}
	return nil
}

// shut does the hasher's own part of Close; it reports whether there was any.
func (h *hasher) shut() bool {
	h.life.Lock()
	defer h.life.Unlock()
	if h.closed {
		return false
	}
	h.closed = true
	h.pool.release(h.backend.cfg.Options.Wipe)
	return true
}
