package backendtest

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/keccak"
)

// mutantHasher is a Hasher that goes wrong where a hook of its mutant says so. It
// computes trees as well, which the CPU's does not.
type mutantHasher struct {
	keccak.Hasher
	m      *mutant
	closed atomic.Bool
}

func (m *mutant) Keccak() (keccak.Hasher, error) {
	inner, err := m.Backend.Keccak()
	if err != nil {
		return nil, err
	}
	h := &mutantHasher{Hasher: inner, m: m}
	if m.keccak != nil {
		return m.keccak(h)
	}
	return h, nil
}

func (h *mutantHasher) Close() error {
	h.closed.Store(true)
	return h.Hasher.Close()
}

// hashCall is one call of a Hasher, with what a sound one would do.
type hashCall struct {
	ctx   context.Context
	h     keccak.Hasher
	dst   [][32]byte
	m     keccak.Messages // for sumfixed, the same messages if they are sound
	fixed bool
	data  []byte
	width int
}

func (c hashCall) good() error {
	if c.fixed {
		return c.h.SumFixed(c.ctx, c.dst, c.data, c.width)
	}
	return c.h.Sum256(c.ctx, c.dst, c.m)
}

func (h *mutantHasher) do(c hashCall) error {
	if h.m.hash != nil {
		return h.m.hash(c)
	}
	return c.good()
}

func (h *mutantHasher) Sum256(ctx context.Context, dst [][32]byte, m keccak.Messages) error {
	return h.do(hashCall{ctx: ctx, h: h.Hasher, dst: dst, m: m, data: m.Data})
}

func (h *mutantHasher) SumFixed(ctx context.Context, dst [][32]byte, data []byte, width int) error {
	c := hashCall{ctx: ctx, h: h.Hasher, dst: dst, fixed: true, data: data, width: width}
	if keccak.CheckSumFixed(dst, data, width) == nil {
		c.m = keccak.Messages{Data: data, Off: []uint32{0}}
		for i := range dst {
			c.m.Off = append(c.m.Off, uint32((i+1)*width))
		}
	}
	return h.do(c)
}

// afterHash returns a hook that spoils the digests of a call that succeeded.
func afterHash(spoil func(c hashCall)) func(hashCall) error {
	return func(c hashCall) error {
		err := c.good()
		if err == nil {
			spoil(c)
		}
		return err
	}
}

// eachDigest returns a hook that replaces digests by what other makes of their
// messages, where it makes something.
func eachDigest(other func(msg []byte) (digest [32]byte, wrong bool)) func(hashCall) error {
	return afterHash(func(c hashCall) {
		for i := range c.dst {
			if d, wrong := other(c.m.At(i)); wrong {
				c.dst[i] = d
			}
		}
	})
}

// wrongWhere returns a hook that makes other digests of the messages of some
// lengths: those of SHA3-256, which differ in the padding.
func wrongWhere(length func(n int) bool) func(hashCall) error {
	return eachDigest(func(msg []byte) ([32]byte, bool) { return keccak.SumSHA3256(msg), length(len(msg)) })
}

// staleDigest keeps a device's buffer from call to call, and reads one digest
// too few back into it.
func staleDigest() func(hashCall) error {
	var buffer [][32]byte
	return afterHash(func(c hashCall) {
		if n := len(c.dst); n > 1 {
			fresh := slices.Clone(c.dst)
			if len(buffer) >= n {
				c.dst[n-1] = buffer[n-1]
			}
			buffer = fresh
		}
	})
}

// staleWord leaves what an earlier call had in the last word of a message: the
// bytes after its end, where the padding goes.
func staleWord() func(hashCall) error {
	var buffer []byte
	return afterHash(func(c hashCall) {
		for i := range c.dst {
			msg, end := c.m.At(i), int(c.m.Off[i+1])
			if last := len(msg) % 4; last != 0 && i == len(c.dst)-1 && end < len(buffer) {
				c.dst[i] = keccak.Sum256(append(bytes.Clone(msg), buffer[end]))
			}
		}
		if len(c.data) > len(buffer) {
			buffer = bytes.Clone(c.data)
		}
	})
}

// sharedHash spoils calls that run while another one does.
func sharedHash() func(hashCall) error {
	var inFlight atomic.Int32
	return func(c hashCall) error {
		inFlight.Add(1)
		defer inFlight.Add(-1)
		time.Sleep(time.Millisecond)
		err := c.good()
		if inFlight.Load() > 1 && len(c.dst) > 0 {
			c.dst[0][0] ^= 1
		}
		return err
	}
}

// notTree hides that a Hasher computes trees.
func notTree(h *mutantHasher) (keccak.Hasher, error) { return struct{ keccak.Hasher }{h}, nil }

// unsupported is the error of a backend without a Hasher.
var unsupported = &backends.Error{Backend: "cpu", Op: "keccak", Err: backends.ErrUnsupported}

// isShape reports whether a call was refused for its shape.
func isShape(err error) bool { return errors.Is(err, keccak.ErrShape) }
