package backendtest

import (
	"context"
	"errors"
	"slices"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/keccak"
)

// hashMutants are faults of Hashers.
var hashMutants = []plantedFault{
	{"0x06 for 0x01 in the padding", []string{"digests", "lengths", "messages", "fixed width", "hash chunks", "roots"}, func(m *mutant) {
		m.hash = wrongWhere(func(int) bool { return true })
	}},
	{"both ends of the padding in bytes of their own", []string{"digests", "lengths", "messages", "fixed width"}, func(m *mutant) {
		m.hash = wrongWhere(func(n int) bool { return n%136 == 135 })
	}},
	{"no block of padding after a whole block", []string{"digests", "lengths", "messages", "fixed width"}, func(m *mutant) {
		m.hash = wrongWhere(func(n int) bool { return n%136 == 0 })
	}},
	{"padding wrong where the lanes are a multiple of 17", []string{"digests", "lengths"}, func(m *mutant) {
		m.hash = wrongWhere(func(n int) bool { return n > 0 && (n+7)/8%17 == 0 })
	}},
	{"the boundary of a block one byte too early", []string{"digests", "lengths", "messages", "fixed width"}, func(m *mutant) {
		m.hash = wrongWhere(func(n int) bool { return n/136 != (n+1)/136 })
	}},
	{"a digest scattered to another's place", []string{"digests", "lengths", "messages"}, func(m *mutant) {
		m.hash = afterHash(func(c hashCall) {
			for i := 1; i < len(c.dst); i++ { // the first two that differ in blocks
				if len(c.m.At(i-1))/136 != len(c.m.At(i))/136 {
					c.dst[i-1], c.dst[i] = c.dst[i], c.dst[i-1]
					return
				}
			}
		})
	}},
	{"the last message of a batch left out", []string{"digests", "lengths", "messages", "fixed width", "hash chunks"}, func(m *mutant) {
		m.hash = func(c hashCall) error {
			n := len(c.dst)
			if n < 2 {
				return c.good()
			}
			last := c.dst[n-1]
			err := c.good()
			if err == nil {
				c.dst[n-1] = last
			}
			return err
		}
	}},
	{"the last message of the last chunk left out", []string{"hash chunks"}, func(m *mutant) {
		m.hash = afterHash(func(c hashCall) {
			if n := len(c.dst); n > chunkRows {
				c.dst[n-1] = [32]byte{}
			}
		})
	}},
	{"a digest of the previous call", []string{"messages", "fixed width", "lengths"}, func(m *mutant) { m.hash = staleDigest() }},
	{"a byte of the previous call behind a message", []string{"lengths", "messages"}, func(m *mutant) { m.hash = staleWord() }},
	{"data from its start, whatever the first offset", []string{"lengths", "messages"}, func(m *mutant) {
		m.hash = func(c hashCall) error {
			if !c.fixed && c.m.Len() > 0 && c.m.Check() == nil {
				off := slices.Clone(c.m.Off)
				for i := range off {
					off[i] -= c.m.Off[0]
				}
				c.m.Off = off
			}
			return c.good()
		}
	}},
	{"messages begin at whole words", []string{"digests", "lengths", "messages", "fixed width"}, func(m *mutant) {
		m.hash = afterHash(func(c hashCall) {
			for i := range c.dst {
				if from := c.m.Off[i]; from%4 != 0 {
					c.dst[i] = keccak.Sum256(c.m.Data[from&^3 : c.m.Off[i+1]])
				}
			}
		})
	}},
	{"lengths cut to 16 bits", []string{"hash chunks"}, func(m *mutant) {
		m.hash = eachDigest(func(msg []byte) ([32]byte, bool) {
			return keccak.Sum256(msg[:len(msg)&0xffff]), len(msg) > 0xffff
		})
	}},
	{"the width cut to 8 bits", []string{"fixed width"}, func(m *mutant) {
		m.hash = afterHash(func(c hashCall) {
			for i := range c.dst {
				if c.fixed && c.width > 255 {
					c.dst[i] = keccak.Sum256(c.m.At(i)[:c.width&255])
				}
			}
		})
	}},
	{"no digests of messages of no width", []string{"fixed width"}, func(m *mutant) {
		m.hash = func(c hashCall) error {
			if c.fixed && c.width == 0 && len(c.data) == 0 {
				return nil
			}
			return c.good()
		}
	}},
	{"a digest written past the end", []string{"lengths", "messages", "fixed width"}, func(m *mutant) {
		m.hash = afterHash(func(c hashCall) {
			if len(c.dst) < cap(c.dst) {
				c.dst[:len(c.dst)+1][len(c.dst)] = [32]byte{}
			}
		})
	}},
	{"a message clobbered", []string{"lengths", "messages", "fixed width"}, func(m *mutant) {
		m.hash = afterHash(func(c hashCall) {
			if len(c.data) > 0 {
				c.data[len(c.data)-1] ^= 1
			}
		})
	}},
	{"padding written behind a message", []string{"lengths", "fixed width"}, func(m *mutant) {
		m.hash = afterHash(func(c hashCall) {
			if len(c.data) < cap(c.data) {
				c.data[:len(c.data)+1][len(c.data)] = 0x01
			}
		})
	}},
	{"an offset clobbered", []string{"lengths", "messages"}, func(m *mutant) {
		m.hash = afterHash(func(c hashCall) {
			if !c.fixed && c.m.Len() > 0 {
				c.m.Off[c.m.Len()]++
			}
		})
	}},
	{"no messages refused", []string{"no messages"}, func(m *mutant) {
		m.hash = func(c hashCall) error {
			if len(c.dst) == 0 {
				return &keccak.Error{Op: "sum256", Err: keccak.ErrShape}
			}
			return c.good()
		}
	}},
	{"a digest of no messages", []string{"no messages"}, func(m *mutant) {
		m.hash = func(c hashCall) error {
			if !c.fixed && len(c.dst) == 0 && len(c.m.Off) < 2 && len(c.m.Data) > 0 {
				return &keccak.Error{Op: "sum256", Err: errors.New("data without offsets")}
			}
			return c.good()
		}
	}},
	{"hashing over an overlap", []string{"hash shape"}, func(m *mutant) {
		m.hash = func(c hashCall) error {
			err := c.good()
			var se *keccak.ShapeError
			if errors.As(err, &se) && se.Arg == "dst" && se.Reason == "overlaps data" {
				return nil
			}
			return err
		}
	}},
	{"data beside the digests refused", []string{"hash shape"}, func(m *mutant) {
		m.hash = func(c hashCall) error {
			if len(c.data) == 32 && len(c.dst) == 2 {
				return &keccak.Error{Op: "sum256", Err: &keccak.ShapeError{Arg: "dst", Reason: "too near"}}
			}
			return c.good()
		}
	}},
	{"digests written before shapes are checked", []string{"hash shape"}, func(m *mutant) {
		m.hash = func(c hashCall) error {
			err := c.good()
			if isShape(err) && len(c.dst) > 0 {
				c.dst[0][0] ^= 1
			}
			return err
		}
	}},
	{"a plain error of a Hasher", []string{"hash shape"}, func(m *mutant) {
		m.hash = func(c hashCall) error {
			if err := c.good(); err != nil {
				return errors.Unwrap(err)
			}
			return nil
		}
	}},
	{"the wrong argument in a ShapeError", []string{"hash shape"}, func(m *mutant) {
		m.hash = func(c hashCall) error {
			err := c.good()
			var se *keccak.ShapeError
			if errors.As(err, &se) {
				se.Arg = "dst"
			}
			return err
		}
	}},
	{"descending offsets let through", []string{"hash shape"}, func(m *mutant) {
		m.hash = func(c hashCall) error {
			err := c.good()
			var se *keccak.ShapeError
			if errors.As(err, &se) && se.Arg == "off" && c.m.Off[len(c.m.Off)-1] <= uint32(len(c.m.Data)) {
				return nil
			}
			return err
		}
	}},
	{"one digest too many said to be done", []string{"hash cancel"}, func(m *mutant) {
		m.hash = func(c hashCall) error {
			err := c.good()
			var he *keccak.Error
			if errors.As(err, &he) {
				he.Done++
			}
			return err
		}
	}},
	{"hashing goes on though cancelled", []string{"hash cancel"}, func(m *mutant) {
		m.hash = func(c hashCall) error {
			c.ctx = context.WithoutCancel(c.ctx)
			return c.good()
		}
	}},
	{"a digest written though cancelled", []string{"hash cancel"}, func(m *mutant) {
		m.hash = func(c hashCall) error {
			err := c.good()
			if errors.Is(err, context.Canceled) {
				c.dst[len(c.dst)-1][0] ^= 1
			}
			return err
		}
	}},
	{"two timings of a batch", []string{"hash timing"}, func(m *mutant) {
		m.hash = afterHash(func(c hashCall) {
			if f := backends.TimingFrom(c.ctx); f != nil {
				f(backends.Timing{Op: "keccak", Rows: 5})
			}
		})
	}},
	{"no timing of a batch", []string{"hash timing"}, func(m *mutant) {
		m.hash = func(c hashCall) error {
			c.ctx = backends.WithTiming(c.ctx, func(backends.Timing) {})
			return c.good()
		}
	}},
	{"no timing of a batch that fails", []string{"hash timing"}, func(m *mutant) {
		m.hash = func(c hashCall) error {
			report := backends.TimingFrom(c.ctx)
			if report == nil {
				return c.good()
			}
			var t backends.Timing
			c.ctx = backends.WithTiming(c.ctx, func(x backends.Timing) { t = x })
			err := c.good()
			if err == nil {
				report(t)
			}
			return err
		}
	}},
	{"all digests timed of a call that failed", []string{"hash timing"}, func(m *mutant) {
		m.hash = func(c hashCall) error {
			if report := backends.TimingFrom(c.ctx); report != nil {
				n := len(c.dst)
				c.ctx = backends.WithTiming(c.ctx, func(t backends.Timing) { t.Rows = n; report(t) })
			}
			return c.good()
		}
	}},
	{"scratch shared by batches", []string{"hash concurrent"}, func(m *mutant) { m.hash = sharedHash() }},
	{"wrong batches of one", []string{"digests", "lengths", "messages", "fixed width", "roots"}, func(m *mutant) {
		m.hash = afterHash(func(c hashCall) {
			if len(c.dst) == 1 {
				c.dst[0][31] ^= 0x80
			}
		})
	}},
	{"wrong messages of four blocks", []string{"digests", "lengths", "roots"}, func(m *mutant) {
		m.hash = wrongWhere(func(n int) bool { return n/136 == 3 })
	}},
	{"a Hasher, though there is none", []string{"hasher"}, func(m *mutant) {
		m.supports = func(error) error { return unsupported }
	}},
	{"no Hasher, though there is one", []string{"hasher"}, func(m *mutant) {
		m.keccak = func(*mutantHasher) (keccak.Hasher, error) { return nil, unsupported }
	}},
	{"no trees on a device", []string{"hasher"}, func(m *mutant) {
		m.info = func(i *backends.Info) { i.Workers = 0 }
		m.keccak = notTree
	}},
	{"close of a Hasher does nothing", []string{"hash closed"}, func(m *mutant) {
		m.keccak = func(h *mutantHasher) (keccak.Hasher, error) { return unclosed{h}, nil }
	}},
	{"one Hasher for all", []string{"hash closed"}, func(m *mutant) {
		var one keccak.Hasher
		m.keccak = func(h *mutantHasher) (keccak.Hasher, error) {
			if one == nil {
				one = h
			}
			return one, nil
		}
	}},
}

// unclosed is a Hasher that cannot be closed.
type unclosed struct{ *mutantHasher }

func (unclosed) Close() error { return nil }
