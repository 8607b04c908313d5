package stateroot

import (
	"context"

	"github.com/crosspoint-kernels/crosspoint/keccak"
)

// flatStride is how many bytes Flat hashes between two looks at the context.
const flatStride = 1 << 20

// Flat returns the Keccak-256 over key ‖ value of the entries that are present,
// in ascending key order; for none, that of nothing. It is one sponge, which no
// Hasher can cut into a batch: it runs on the calling goroutine.
func (b *Builder) Flat(ctx context.Context, s State) ([32]byte, error) {
	if err := checkCount(len(s)); err != nil {
		return [32]byte{}, err
	}
	w := newWatch(ctx, "flat")
	rest := b.ordered(s).bytes()
	w.mark(sortPhase)
	var sponge keccak.State
	for {
		if err := ctx.Err(); err != nil {
			return [32]byte{}, &HashError{What: "flat", Level: -1, Err: err}
		}
		n := min(len(rest), flatStride)
		sponge.Write(rest[:n])
		if rest = rest[n:]; len(rest) == 0 {
			break
		}
	}
	root := sponge.Sum256()
	w.mark(hashPhase)
	w.done()
	return root, nil
}

// ordered returns the entries of s that are present in strictly ascending key
// order: s itself where it is so already, or else a copy that lasts until the
// next call.
func (b *Builder) ordered(s State) State {
	if s.canonical() {
		return s
	}
	order := b.sorter.sort(entries(s), b.workers)
	b.state = grow(b.state, len(order))
	parallel(b.workers, len(order), 1<<12, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			b.state[i] = s[order[i]]
		}
	})
	return b.state
}
