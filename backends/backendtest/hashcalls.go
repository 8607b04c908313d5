package backendtest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/kat"
	"github.com/crosspoint-kernels/crosspoint/keccak"
)

// checkNoMessages hashes nothing: no messages, and offsets of none.
func checkNoMessages(ctx context.Context, e *env) error {
	h, err := e.hasher()
	if err != nil {
		return err
	}
	data := []byte("bytes of no message")
	for name, err := range map[string]error{
		"the zero value":      h.Sum256(ctx, nil, keccak.Messages{}),
		"data and no offsets": h.Sum256(ctx, nil, keccak.Messages{Data: data}),
		"one offset":          h.Sum256(ctx, [][32]byte{}, keccak.Messages{Data: data, Off: []uint32{5}}),
		"width 0":             h.SumFixed(ctx, nil, nil, 0),
		"width 32":            h.SumFixed(ctx, nil, nil, 32),
	} {
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// checkHashShape gives a Hasher wrong lengths, offsets and overlaps, and expects
// ErrShape, the name of the argument, and nothing written.
func checkHashShape(ctx context.Context, e *env) error {
	h, err := e.hasher()
	if err != nil {
		return err
	}
	for _, c := range []struct {
		name, arg  string
		dst, bytes int
		off        []uint32
		fixed      bool
		width      int
	}{
		{name: "dst short", arg: "dst", dst: 1, bytes: 80, off: []uint32{0, 40, 80}},
		{name: "dst long", arg: "dst", dst: 3, bytes: 80, off: []uint32{0, 40, 80}},
		{name: "dst empty", arg: "dst", dst: 0, bytes: 80, off: []uint32{0, 40, 80}},
		{name: "no offsets", arg: "dst", dst: 2, bytes: 80},
		{name: "one offset", arg: "dst", dst: 1, bytes: 80, off: []uint32{3}},
		{name: "offsets descend", arg: "off", dst: 2, bytes: 80, off: []uint32{0, 60, 40}},
		{name: "the first descends", arg: "off", dst: 2, bytes: 80, off: []uint32{50, 40, 80}},
		{name: "offset past the data", arg: "off", dst: 2, bytes: 80, off: []uint32{0, 40, 81}},
		{name: "offset far past it", arg: "off", dst: 2, bytes: 80, off: []uint32{0, 40, 1<<32 - 1}},
		{name: "width negative", arg: "width", dst: 2, bytes: 80, fixed: true, width: -1},
		{name: "width 0 of data", arg: "data", dst: 2, bytes: 80, fixed: true},
		{name: "no whole messages", arg: "data", dst: 2, bytes: 81, fixed: true, width: 40},
		{name: "width past the data", arg: "data", dst: 1, bytes: 39, fixed: true, width: 40},
		{name: "fixed, dst short", arg: "dst", dst: 1, bytes: 80, fixed: true, width: 40},
		{name: "fixed, dst long", arg: "dst", dst: 3, bytes: 80, fixed: true, width: 40},
		{name: "fixed, dst empty", arg: "dst", dst: 0, bytes: 80, fixed: true, width: 40},
	} {
		dst := fence("dst", poisonDigests(c.dst), [32]byte{0x67})
		data := fence("data", messagesOf([]int{c.bytes}, 7)[0], 0x67)
		if c.fixed {
			err = h.SumFixed(ctx, dst.slice(), data.slice(), c.width)
		} else {
			err = h.Sum256(ctx, dst.slice(), keccak.Messages{Data: data.slice(), Off: c.off})
		}
		if err = refused(err, c.arg); err == nil {
			err = errors.Join(dst.unchanged(), data.unchanged())
		}
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
	}
	return checkHashOverlap(ctx, h)
}

// refused returns an error unless err is a *keccak.ShapeError of that argument.
func refused(err error, arg string) error {
	if _, err := expectHash(err, keccak.ErrShape); err != nil {
		return err
	}
	var se *keccak.ShapeError
	if !errors.As(err, &se) || se.Arg != arg {
		return fmt.Errorf("got %v, want one of %q", err, arg)
	}
	return nil
}

// checkHashOverlap hashes two messages that lie where their digests go, and two
// that lie right beside them, which is allowed.
func checkHashOverlap(ctx context.Context, h keccak.Hasher) error {
	const at = 3 // the digests are the buffer's 3 and 4
	for name, c := range map[string]struct {
		from, to, of int // bytes of one digest of the buffer
		allowed      bool
	}{
		"on the first":    {0, 32, at, false},
		"on the last":     {0, 32, at + 1, false},
		"on its end":      {30, 32, at + 1, false},
		"on the start":    {0, 2, at, false},
		"right before it": {0, 32, at - 1, true},
		"right after it":  {0, 32, at + 2, true},
	} {
		for _, fixed := range []bool{true, false} {
			buffer := fence("the buffer", poisonDigests(8), [32]byte{0x67})
			s := buffer.slice()
			dst, data := s[at:at+2], s[c.of][c.from:c.to]
			half := len(data) / 2
			want := slices.Clone(s)
			var err error
			if fixed {
				err = h.SumFixed(ctx, dst, data, half)
			} else {
				err = h.Sum256(ctx, dst, keccak.Messages{Data: data, Off: []uint32{0, uint32(half), uint32(2 * half)}})
			}
			if c.allowed {
				want[at], want[at+1] = keccak.Sum256(data[:half]), keccak.Sum256(data[half:])
				buffer.want = want
			} else {
				err = refused(err, "dst")
			}
			if err == nil {
				err = buffer.unchanged()
			}
			if err != nil {
				return fmt.Errorf("data %s: %w", name, err)
			}
		}
	}
	return nil
}

// checkHashCancel cancels calls before they start and on the way, and expects as
// many digests as the error says, and the others untouched.
func checkHashCancel(ctx context.Context, e *env) error {
	h, err := e.hasher()
	if err != nil {
		return err
	}
	for _, looks := range []int{0, 1, 2, 3, 5, 9} {
		for _, n := range []int{70, e.scale.late} {
			for _, x := range []*hashing{
				batchOf(messagesOf(mixedLengths(n, 8), 8), 2),
				fixedOf(n, 137, 0, kat.NewSplitMix64(9)),
			} {
				if err := x.cancelled(ctx, h, looks); err != nil {
					return fmt.Errorf("%d messages, cancelled at look %d: %w", n, looks, err)
				}
			}
		}
	}
	return nil
}

// cancelled hashes under a context with so many looks left.
func (x *hashing) cancelled(ctx context.Context, h keccak.Hasher, looks int) error {
	limited := newCountdown(ctx, looks)
	defer limited.cancel()
	err := x.call(limited, h)
	done := len(x.want)
	if err != nil || looks == 0 {
		he, err := expectHash(err, context.Canceled)
		if err != nil {
			return err
		}
		done = he.Done
	}
	switch {
	case done < 0 || done > len(x.want):
		return fmt.Errorf("%d digests are said to be done", done)
	case looks == 0 && done != 0:
		return fmt.Errorf("%d digests were made under a context that had ended", done)
	}
	return x.finished(done)
}

// checkHashTiming expects one Timing per call, before the call returns, whatever
// it returns, with the digests that are final.
func checkHashTiming(ctx context.Context, e *env) error {
	h, err := e.hasher()
	if err != nil {
		return err
	}
	for _, x := range []*hashing{
		batchOf(messagesOf(mixedLengths(5, 10), 10), 0),
		fixedOf(5, 32, 0, kat.NewSplitMix64(11)),
	} {
		for name, c := range map[string]struct {
			want error
			done int
			call func(ctx context.Context) error
		}{
			"5 messages":               {nil, 5, func(ctx context.Context) error { return compareDigests(ctx, h, x) }},
			"a context that has ended": {context.Canceled, 0, func(ctx context.Context) error { return x.call(cancelledContext(ctx), h) }},
			"a shape": {keccak.ErrShape, 0, func(ctx context.Context) error {
				return h.SumFixed(ctx, make([][32]byte, 2), make([]byte, 63), 32)
			}},
		} {
			var got []backends.Timing
			err := c.call(backends.WithTiming(ctx, func(t backends.Timing) { got = append(got, t) }))
			if !errors.Is(err, c.want) {
				return fmt.Errorf("%s: got %v, want %v", name, err, c.want)
			}
			if len(got) != 1 {
				return fmt.Errorf("%s: %d timings of one call", name, len(got))
			}
			t := got[0]
			if t.Op != string(backends.Keccak) || t.Rows != c.done || t.Chunks < 0 || min(t.Upload, t.Kernel, t.Download, t.Total) < 0 {
				return fmt.Errorf("%s: timing %+v", name, t)
			}
		}
	}
	return nil
}

// checkHashConcurrent calls two Hashers from several goroutines at once.
func checkHashConcurrent(ctx context.Context, e *env) error {
	h, err := e.hasher()
	if err != nil {
		return err
	}
	other, err := e.backend.Keccak()
	if err != nil {
		return err
	}
	defer other.Close()
	const goroutines = 6
	errs := make([]error, goroutines)
	var wg sync.WaitGroup
	for g := range goroutines {
		wg.Go(func() {
			h := []keccak.Hasher{h, h, other}[g%3]
			for i := range 8 {
				n, seed := 1+(7*g+11*i)%60, uint64(100*g+i)
				x := batchOf(messagesOf(mixedLengths(n, seed), seed), g%4)
				if i%2 == 0 {
					x = fixedOf(n, 32+g, i%4, kat.NewSplitMix64(seed))
				}
				if errs[g] = compareDigests(ctx, h, x); errs[g] != nil {
					return
				}
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

// checkHashClosed opens another backend, closes one of its Hashers, and expects
// ErrClosed from it, and from the backend when that is closed.
func checkHashClosed(ctx context.Context, e *env) error {
	if _, err := e.hasher(); err != nil {
		return err
	}
	b := e.open()
	h, err := b.Keccak()
	if err != nil {
		return err
	}
	other, err := b.Keccak()
	if err != nil {
		return err
	}
	if err := h.Close(); err != nil {
		return fmt.Errorf("close of a hasher: %w", err)
	}
	for _, x := range []*hashing{batchOf(messagesOf([]int{3, 200}, 12), 0), fixedOf(3, 32, 0, kat.NewSplitMix64(13))} {
		_, err := expectHash(x.call(ctx, h), keccak.ErrClosed)
		if err == nil {
			err = x.finished(0)
		}
		if err != nil {
			return fmt.Errorf("a closed hasher: %w", err)
		}
	}
	if tree, ok := h.(keccak.TreeHasher); ok {
		_, err := tree.MerkleRoot(ctx, make([]byte, 64), 32)
		if _, err := expectHash(err, keccak.ErrClosed); err != nil {
			return fmt.Errorf("a closed hasher, tree: %w", err)
		}
	}
	if err := compareDigests(ctx, other, batchOf(messagesOf([]int{3, 200}, 14), 0)); err != nil {
		return fmt.Errorf("beside a closed hasher: %w", err)
	}
	if err := errors.Join(other.Close(), b.Close()); err != nil {
		return fmt.Errorf("close: %w", err)
	}
	_, err = b.Keccak()
	if _, err := e.expect(err, backends.ErrClosed); err != nil {
		return fmt.Errorf("a closed backend, keccak: %w", err)
	}
	return nil
}
