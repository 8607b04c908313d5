package suite

import (
	"context"
	"fmt"

	"github.com/crosspoint-kernels/crosspoint/keccak"
	"github.com/crosspoint-kernels/crosspoint/stateroot"
)

// Pair is a key of a trie and its value.
type Pair = stateroot.Pair

// RootOf returns the Merkle-Patricia root of pairs, under the digests of their
// keys where secure is set. Every contestant computes it, and all of them have to
// agree with the scalar hasher: if one does not, the error wraps ErrMismatch.
// Those that could not compute it are listed, which is no error.
func RootOf(ctx context.Context, cs []Contestant, pairs []Pair, secure bool) ([32]byte, []Failure, error) {
	compute := func(o stateroot.Options) ([32]byte, error) {
		b := stateroot.NewBuilder(o)
		if secure {
			return b.SecureMPT(ctx, pairs)
		}
		return b.MPT(ctx, pairs)
	}
	want, err := compute(stateroot.Options{Small: keccak.Scalar(), Workers: 1})
	if err != nil {
		return want, nil, err
	}
	es := enterHashers(cs)
	defer closeAll(es)
	var failed []Failure
	for _, e := range es {
		root, err := want, e.err
		if err == nil {
			// Whatever the size of a level: this is no measurement, and each
			// contestant answers for its own digests.
			root, err = compute(stateroot.Options{Big: e.hasher, Threshold: 1})
		}
		switch {
		case ctx.Err() != nil:
			return want, failed, ctx.Err()
		case err != nil:
			failed = append(failed, Failure{e.Name, err})
		case root != want:
			return want, failed, fmt.Errorf("%s: %w: its root is %x, that of the scalar hasher %x", e.Name, ErrMismatch, root, want)
		}
	}
	return want, failed, nil
}
