package auto

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"sync"
	"sync/atomic"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/keccak"
)

// rate is the bytes of a message that one permutation takes in.
const rate = 136

// classes are lengths of messages that are taken to cost alike: up to 1, 2, 4, ...,
// 4096 permutations a message, and more. What a batch takes depends on its lengths as
// well as on their number, but a device pays for both in other proportions than a CPU.
const classes = 13

// class is that of messages which take so many bytes together.
func class(messages, bytes int) int {
	mean := (bytes/messages)/rate + 1
	return min(bits.Len(uint(mean-1)), classes-1)
}

// width is the length of a message that stands for a class in its measurements.
func width(class int) int { return max(64, rate<<class-72) }

// HashOp is what a Table calls the hashing of messages of so many bytes each. Lengths
// that are taken to cost alike have the same name.
func HashOp(bytes int) string { return fmt.Sprintf("keccak/%d", width(class(1, bytes))) }

// hashes is what is known about hashing, shared by all hashers of a backend.
type hashes struct {
	batches, trees [classes]route
}

func (b *Backend) hashRoutes() *hashes {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.hashes == nil {
		b.hashes = &hashes{}
		for i := range classes {
			b.hashes.batches[i].init(b, HashOp(width(i)), "")
			b.hashes.trees[i].init(b, fmt.Sprintf("merkleroot/%d", width(i)), "")
			b.hashes.trees[i].whole = true
		}
	}
	return b.hashes
}

// hasher is a Hasher of every member that has one.
type hasher struct {
	b       *Backend
	hashers []keccak.Hasher // by member; nil: it has none
	routes  *hashes
	closed  atomic.Bool
	trees   sync.Pool // of *levels
}

var (
	_ keccak.Hasher     = (*hasher)(nil)
	_ keccak.TreeHasher = (*hasher)(nil)
)

// Keccak makes a Hasher on every backend that has one. It is a keccak.TreeHasher too.
// A device that has none, or whose kernels fail their known answers, is an event.
func (b *Backend) Keccak() (keccak.Hasher, error) {
	if b.closed.Load() {
		return nil, b.fail("keccak", 0, backends.ErrClosed)
	}
	h := &hasher{b: b, hashers: make([]keccak.Hasher, len(b.members)), routes: b.hashRoutes()}
	h.trees.New = func() any { return new(levels) }
	for i, m := range b.members {
		if m.lost.Load() {
			continue
		}
		x, err := m.Keccak()
		if err == nil {
			h.hashers[i] = x
			continue
		}
		if i == 0 {
			return nil, b.fail("keccak", 0, inner(err))
		}
		b.leftOut(m, "keccak", err)
	}
	return h, nil
}

func (h *hasher) Sum256(ctx context.Context, dst [][keccak.Size]byte, m keccak.Messages) error {
	return h.sum(ctx, "sum256", digests{hasher: h, dst: dst, messages: m})
}

func (h *hasher) SumFixed(ctx context.Context, dst [][keccak.Size]byte, data []byte, width int) error {
	return h.sum(ctx, "sumfixed", digests{hasher: h, dst: dst, messages: keccak.Messages{Data: data}, width: width, fixed: true})
}

// sum is both of them.
func (h *hasher) sum(ctx context.Context, op string, w digests) error {
	n := len(w.dst)
	if n > 0 {
		r := &h.routes.batches[class(n, w.bytes())]
		if d := r.decision.Load(); d != nil && n <= d.quickTo && r.calls.Add(1)%sampled != 0 && backends.TimingFrom(ctx) == nil {
			if m := d.at(n); h.hashers[m] != nil {
				err := w.part(ctx, m, 0, n)
				if err == nil {
					return nil
				}
				done, _ := doneOf(err)
				return h.fail(op, done, inner(err))
			}
		}
	}
	return h.measured(ctx, op, func(ctx context.Context, t *timing) (int, error) { return h.transform(ctx, w, t) })
}

// measured is a call whose time is taken.
func (h *hasher) measured(ctx context.Context, op string, f func(context.Context, *timing) (int, error)) error {
	start := h.b.now()
	inside, t := watch(ctx)
	done, err := f(inside, t)
	t.report(ctx, string(backends.Keccak), done, h.b.now()-start)
	return h.fail(op, done, err)
}

// has reports whether member m has a Hasher.
func (h *hasher) has(m int) bool { return h.hashers[m] != nil }

func (h *hasher) usable() error {
	if h.closed.Load() || h.b.closed.Load() {
		return backends.ErrClosed
	}
	return nil
}

func (h *hasher) transform(ctx context.Context, w digests, t *timing) (int, error) {
	if err := h.usable(); err != nil {
		return 0, err
	}
	if err := w.checkShape(); err != nil {
		return 0, err
	}
	n := len(w.dst)
	if n == 0 {
		return 0, nil
	}
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	k := class(n, w.bytes())
	r := &h.routes.batches[k]
	c := run{route: r, work: &w, timing: t}
	return c.do(ctx, r.ready(func() rehearsal { return h.rehearse(k) }), n)
}

// fail makes the error of an operation of which done digests are final, or nil.
func (h *hasher) fail(op string, done int, err error) error {
	if err == nil {
		return nil
	}
	return &keccak.Error{Op: op, Done: done, Err: err}
}

// Close closes the hashers of the members. A second call does nothing.
func (h *hasher) Close() error {
	if h.closed.Swap(true) {
		return nil
	}
	var errs []error
	for i, x := range h.hashers {
		if x == nil {
			continue
		}
		if err := x.Close(); err != nil && !h.b.members[i].lost.Load() {
			errs = append(errs, inner(err))
		}
	}
	return h.fail("close", 0, errors.Join(errs...))
}

// digests is the work of a hasher's call.
type digests struct {
	*hasher
	dst      [][keccak.Size]byte
	messages keccak.Messages // without offsets where all are of one width
	width    int
	fixed    bool
}

// bytes is how many the messages have together, anything where their shape is wrong.
func (w *digests) bytes() int {
	off := w.messages.Off
	if w.fixed || len(off) == 0 {
		return len(w.messages.Data)
	}
	return max(0, int(off[len(off)-1])-int(off[0]))
}

func (w *digests) checkShape() error {
	if w.fixed {
		return keccak.CheckSumFixed(w.dst, w.messages.Data, w.width)
	}
	return keccak.CheckSum256(w.dst, w.messages)
}

// check finds nothing: any byte may be in a message.
func (w *digests) check() error { return nil }

func (w *digests) part(ctx context.Context, m, from, to int) error {
	h, whole := w.hashers[m], from == 0 && to == len(w.dst)
	switch {
	case w.fixed && whole:
		return h.SumFixed(ctx, w.dst, w.messages.Data, w.width)
	case w.fixed:
		return h.SumFixed(ctx, w.dst[from:to], w.messages.Data[from*w.width:to*w.width], w.width)
	case whole:
		return h.Sum256(ctx, w.dst, w.messages)
	}
	off := w.messages.Off[from : to+1]
	return h.Sum256(ctx, w.dst[from:to], keccak.Messages{Data: w.messages.Data, Off: off})
}

// rehearse returns calls on messages of a class's length.
func (h *hasher) rehearse(class int) rehearsal {
	w := width(class)
	sizes := rehearsalSizes(min(4096, 8*calibrationWords/w))
	dst, data := make([][keccak.Size]byte, sizes[len(sizes)-1]), make([]byte, sizes[len(sizes)-1]*w)
	return rehearsal{
		sizes: sizes,
		has:   h.has,
		call: func(ctx context.Context, m, n int) error {
			return h.hashers[m].SumFixed(ctx, dst[:n], data[:n*w], w)
		},
	}
}

// ExplainHash says where a call of a hasher with so many messages of so many bytes
// each would go now, as Explain does for a plan. tree asks about MerkleRoot, of so many
// leaves. Its errors are those of Explain; lengths that are negative are
// backends.ErrShape.
func ExplainHash(h keccak.Hasher, messages, bytes int, tree bool) (Choice, error) {
	x, ok := h.(*hasher)
	switch {
	case !ok:
		return Choice{}, &backends.Error{Backend: Name, Op: "explain",
			Err: fmt.Errorf("%w: not a hasher of this backend", backends.ErrUnsupported)}
	case x.usable() != nil:
		return Choice{}, x.b.fail("explain", 0, backends.ErrClosed)
	case messages < 1 || bytes < 0:
		return Choice{}, x.b.fail("explain", 0, fmt.Errorf("%w: %d messages of %d bytes", backends.ErrShape, messages, bytes))
	}
	if tree {
		k := class(1, bytes+1)
		r := &x.routes.trees[k]
		return r.explain(r.ready(func() rehearsal { return x.rehearseTree(k) }), messages, x.has), nil
	}
	k := class(1, bytes)
	r := &x.routes.batches[k]
	return r.explain(r.ready(func() rehearsal { return x.rehearse(k) }), messages, x.has), nil
}
