package backendtest

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/backends/katrun"
	"github.com/crosspoint-kernels/crosspoint/kat"
	"github.com/crosspoint-kernels/crosspoint/keccak"
)

// errNoHasher is returned by the checks of a Hasher where the backend says that
// it has none. Run makes a skip of it, since that is no failure and no success.
var errNoHasher = errors.New("the backend has no Hasher")

// hasher returns the Hasher that the checks share.
func (e *env) hasher() (keccak.Hasher, error) {
	if e.shared != nil {
		return e.shared, nil
	}
	h, err := e.backend.Keccak()
	if errors.Is(err, backends.ErrUnsupported) {
		return nil, fmt.Errorf("%w: %w", errNoHasher, err)
	}
	if err == nil {
		e.shared = h
	}
	return h, err
}

// checkHasher holds what the backend says of its Hasher to what it gives: a
// device's computes whole trees too.
func checkHasher(_ context.Context, e *env) error {
	supports := e.backend.Supports(backends.Op{Kind: backends.Keccak, Rows: 1})
	h, err := e.hasher()
	switch {
	case (err == nil) != (supports == nil):
		return fmt.Errorf("supports says %v, and keccak %v", supports, err)
	case err != nil:
		_, bad := e.expect(err, backends.ErrUnsupported)
		return errors.Join(err, bad)
	}
	if _, tree := h.(keccak.TreeHasher); !tree && e.backend.Info().Workers == 0 {
		return errors.New("the Hasher of a device is no TreeHasher")
	}
	return nil
}

// checkDigests runs the known answers.
func checkDigests(ctx context.Context, e *env) error {
	if _, err := e.hasher(); err != nil {
		return err
	}
	files, err := kat.Files()
	if err != nil {
		return err
	}
	for _, o := range katrun.CheckHashes(ctx, e.backend, files) {
		if o.Err != nil {
			return fmt.Errorf("%s: %s: %w", o.File, o.Vector, o.Err)
		}
	}
	return nil
}

// checkLengths hashes messages of every length up to more than two blocks, and
// those around the ends of more blocks: ascending, descending, in no order, and
// by themselves.
func checkLengths(ctx context.Context, e *env) error {
	h, err := e.hasher()
	if err != nil {
		return err
	}
	var lengths []int
	for n := range 301 {
		lengths = append(lengths, n)
	}
	for _, blocks := range []int{3, 4, 5, 8, 16, 30} {
		lengths = append(lengths, 136*blocks-1, 136*blocks, 136*blocks+1)
	}
	messages := messagesOf(lengths, 1)
	for lead := range 4 {
		if err := compareDigests(ctx, h, batchOf(messages, lead)); err != nil {
			return err
		}
		shuffle(messages, uint64(lead))
	}
	slices.SortFunc(messages, func(a, b []byte) int { return len(b) - len(a) })
	if err := compareDigests(ctx, h, batchOf(messages, 0)); err != nil {
		return fmt.Errorf("descending: %w", err)
	}
	for i, msg := range messages {
		if err := compareDigests(ctx, h, batchOf([][]byte{msg}, i%4)); err != nil {
			return err
		}
	}
	return nil
}

// shuffle puts messages into an order that the seed decides.
func shuffle(messages [][]byte, seed uint64) {
	s := kat.NewSplitMix64(seed)
	for i := len(messages) - 1; i > 0; i-- {
		j := int(s.Uint64() % uint64(i+1))
		messages[i], messages[j] = messages[j], messages[i]
	}
}

// checkMessages hashes batches of every size from 1 on, and some large ones, of
// messages of mixed lengths.
func checkMessages(ctx context.Context, e *env) error {
	h, err := e.hasher()
	if err != nil {
		return err
	}
	sizes := slices.Clone(e.scale.messages)
	for n := range e.scale.sizes {
		sizes = append(sizes, n+1)
	}
	for _, n := range sizes {
		messages := messagesOf(mixedLengths(n, uint64(n)), uint64(n))
		if err := compareDigests(ctx, h, batchOf(messages, n%4)); err != nil {
			return err
		}
	}
	return nil
}

// checkFixed hashes messages of one width.
func checkFixed(ctx context.Context, e *env) error {
	h, err := e.hasher()
	if err != nil {
		return err
	}
	s := kat.NewSplitMix64(2)
	for _, width := range []int{0, 1, 31, 32, 64, 135, 136, 137, 532} {
		for i, n := range append([]int{0, 1, 2, 3, 31, 32, 33, 63, 64, 65, 70}, e.scale.messages...) {
			if err := compareDigests(ctx, h, fixedOf(n, width, i%4, s)); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkHashChunks hashes more than a device takes at a time: by the number of
// messages, by their bytes, and by the bytes of one of them. It goes on until the
// backend says that it took a second chunk; a CPU reports none.
func checkHashChunks(ctx context.Context, e *env) error {
	h, err := e.hasher()
	if err != nil {
		return err
	}
	chunks := 0
	timed := backends.WithTiming(ctx, func(t backends.Timing) { chunks = t.Chunks })
	for n := e.scale.late; ; n = 2*n - 1 {
		if err := compareDigests(timed, h, batchOf(messagesOf(mixedLengths(n, 3), 3), 1)); err != nil {
			return err
		}
		if err := compareDigests(timed, h, fixedOf(n, 136, 0, kat.NewSplitMix64(4))); err != nil {
			return err
		}
		if chunks != 1 || 2*n-1 > e.scale.most {
			break
		}
	}
	if err := compareDigests(ctx, h, fixedOf(e.scale.wide, 1, 0, kat.NewSplitMix64(5))); err != nil {
		return err
	}
	lengths := []int{7, e.scale.long, 136, 1<<16 - 1, 1 << 16, 1<<16 + 1, 0, 135}
	return compareDigests(ctx, h, batchOf(messagesOf(lengths, 6), 3))
}
