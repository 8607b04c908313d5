package simd

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/keccak"
)

// Width names how a Hasher computes: with which instructions, on how many messages
// at once.
type Width string

// The widths of a Hasher.
const (
	AVX512  Width = "avx512"  // eight messages, with package kernels/amd64
	AVX2    Width = "avx2"    // four, with circl's StateX4
	ARM64x2 Width = "arm64x2" // two, with circl's StateX2
	Scalar  Width = "scalar"  // one, with package keccak
)

// HasherWidths returns the widths that this machine has, the widest first. Scalar
// is always the last.
func HasherWidths() (names []Width) {
	for _, w := range hashWidths() {
		names = append(names, w.name)
	}
	return names
}

// HasherOptions say how a Hasher works. The zero value is the widest there is, on
// one thread.
type HasherOptions struct {
	// Width forces a width; empty takes the widest that the machine has.
	Width Width
	// Workers is how many threads a call may use, the caller's among them; fewer
	// than one are one, and more than 1,024 as many.
	Workers int
	// Wipe zeroes the memory that messages went through after each call.
	Wipe bool
}

// Hasher is a keccak.Hasher and a keccak.TreeHasher on the vector units of the CPU.
// A batch too small to share is hashed by the caller alone, with full width. A call
// allocates nothing but what calls that overlap need the first time, and a tree its
// levels, which are kept. The context is looked at between chunks: about 1,024
// blocks, or one message that has more.
type Hasher struct {
	core   *hashCore
	owner  bool // of core
	closed atomic.Bool
}

var (
	_ keccak.Hasher     = (*Hasher)(nil)
	_ keccak.TreeHasher = (*Hasher)(nil)
)

// NewHasher returns a Hasher with workers of its own. The error wraps
// backends.ErrUnavailable where the machine lacks the width that is asked for.
func NewHasher(o HasherOptions) (*Hasher, error) {
	core, err := newHashCore(o)
	if err != nil {
		return nil, &backends.Error{Backend: "simd", Op: "keccak", Err: err}
	}
	return &Hasher{core: core, owner: true}, nil
}

// findWidth returns a width of this machine, the widest for no name.
func findWidth(name Width) (hashWidth, error) {
	all := hashWidths()
	if name == "" {
		return all[0], nil
	}
	i := slices.IndexFunc(all, func(w hashWidth) bool { return w.name == name })
	if i < 0 {
		return hashWidth{}, fmt.Errorf("%w: this machine has no width %q, but %q", backends.ErrUnavailable, name, HasherWidths())
	}
	return all[i], nil
}

// Width returns the width that was chosen.
func (h *Hasher) Width() Width { return h.core.width.name }

// Sum256 is keccak.Hasher's.
func (h *Hasher) Sum256(ctx context.Context, dst [][32]byte, m keccak.Messages) error {
	start := hashStart(ctx)
	done, err := 0, h.usable()
	if err == nil {
		err = keccak.CheckSum256(dst, m)
	}
	if err == nil {
		done, err = h.core.do(ctx, hashBatch{dst: dst, data: m.Data, off: m.Off, prefix: noPrefix})
	}
	return hashEnd(ctx, start, "sum256", len(dst), done, err)
}

// SumFixed is keccak.Hasher's.
func (h *Hasher) SumFixed(ctx context.Context, dst [][32]byte, data []byte, width int) error {
	start := hashStart(ctx)
	done, err := 0, h.usable()
	if err == nil {
		err = keccak.CheckSumFixed(dst, data, width)
	}
	if err == nil {
		done, err = h.core.do(ctx, hashBatch{dst: dst, data: data, width: width, prefix: noPrefix})
	}
	return hashEnd(ctx, start, "sumfixed", len(dst), done, err)
}

// MerkleRoot is keccak.TreeHasher's.
func (h *Hasher) MerkleRoot(ctx context.Context, leaves []byte, width int) (root [32]byte, err error) {
	start := hashStart(ctx)
	n := 0
	if err = h.usable(); err == nil {
		n, err = countLeaves(leaves, width)
	}
	if err == nil {
		root, err = h.core.root(ctx, leaves, width, n)
	}
	return root, hashEnd(ctx, start, "merkleroot", n, 0, err)
}

// Close ends the workers, if they are the Hasher's own. A call that is under way is
// finished by its caller. Closing twice is no error.
func (h *Hasher) Close() error {
	h.closed.Store(true)
	if h.owner {
		h.core.close()
	}
	return nil
}

func (h *Hasher) usable() error {
	if h.closed.Load() || h.core.closed.Load() {
		return keccak.ErrClosed
	}
	return nil
}

// hashStart returns the time if someone wants a Timing.
func hashStart(ctx context.Context) (start time.Time) {
	if backends.TimingFrom(ctx) != nil {
		start = time.Now()
	}
	return start
}

// hashEnd makes the error of a call of which done of all digests are final, and
// reports its timing. All of it is hashing: what is checked are lengths alone.
func hashEnd(ctx context.Context, start time.Time, op string, all, done int, err error) error {
	if err != nil {
		err = &keccak.Error{Op: op, Done: done, Err: err}
		all = done
	}
	if report := backends.TimingFrom(ctx); report != nil {
		t := time.Since(start)
		report(backends.Timing{Op: string(backends.Keccak), Rows: all, Kernel: t, Total: t})
	}
	return err
}
