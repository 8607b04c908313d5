package backendtest

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"github.com/crosspoint-kernels/crosspoint/kat"
	"github.com/crosspoint-kernels/crosspoint/keccak"
)

// hashing is one call of a Hasher: the messages in their buffer, and where their
// digests go.
type hashing struct {
	data  *fenced[byte]
	off   *fenced[uint32] // nil where the messages have a width
	width int
	dst   *fenced[[32]byte]
	want  [][32]byte // by the reference
}

// batchOf puts messages into a buffer with lead bytes before and after them that
// belong to none, so that they begin anywhere in a word.
func batchOf(messages [][]byte, lead int) *hashing {
	m := keccak.Messages{Data: slices.Repeat([]byte{0xee}, lead)}
	x := &hashing{}
	for _, msg := range messages {
		if err := m.Append(msg); err != nil {
			panic(err) // batches of this package are small
		}
		x.want = append(x.want, keccak.Sum256(msg))
	}
	data := append(m.Data, slices.Repeat([]byte{0xee}, lead)...)
	x.data = fence("data", data, 0x67)
	x.off = fence("off", m.Off, 0x67616421)
	x.dst = fence("dst", poisonDigests(len(messages)), [32]byte{0x67})
	return x
}

// fixedOf returns n random messages of one width. lead says where in a word the
// first begins.
func fixedOf(n, width, lead int, s *kat.SplitMix64) *hashing {
	data := make([]byte, n*width)
	s.FillBytes(data)
	x := &hashing{width: width, data: fence("data", data, 0x67)}
	x.data.all = append(make([]byte, lead), x.data.all...)[lead:]
	for i := range n {
		x.want = append(x.want, keccak.Sum256(data[i*width:(i+1)*width]))
	}
	x.dst = fence("dst", poisonDigests(n), [32]byte{0x67})
	return x
}

// poisonDigests returns n digests that no message has, so that one that was never
// written shows.
func poisonDigests(n int) [][32]byte {
	d := make([][32]byte, n)
	for i := range d {
		d[i] = [32]byte([]byte("no message has this for a digest"))
	}
	return d
}

// call hashes the messages.
func (x *hashing) call(ctx context.Context, h keccak.Hasher) error {
	if x.off == nil {
		return h.SumFixed(ctx, x.dst.slice(), x.data.slice(), x.width)
	}
	return h.Sum256(ctx, x.dst.slice(), keccak.Messages{Data: x.data.slice(), Off: x.off.slice()})
}

// length returns the length of message i.
func (x *hashing) length(i int) int {
	if x.off == nil {
		return x.width
	}
	return int(x.off.want[i+1] - x.off.want[i])
}

// finished returns an error unless digests [0, done) are right, the others were
// not written, and nothing else was.
func (x *hashing) finished(done int) error {
	for i, got := range x.dst.slice() {
		switch {
		case i < done && got != x.want[i]:
			return fmt.Errorf("message %d, of %d bytes: got %s, want %s",
				i, x.length(i), hex.EncodeToString(got[:]), hex.EncodeToString(x.want[i][:]))
		case i >= done && got != x.dst.want[i]:
			return fmt.Errorf("with %d digests done, digest %d was written", done, i)
		}
	}
	if err := x.dst.check(); err != nil {
		return err
	}
	if x.off != nil {
		if err := x.off.unchanged(); err != nil {
			return err
		}
	}
	return x.data.unchanged()
}

// compareDigests hashes messages and holds the digests to the reference.
func compareDigests(ctx context.Context, h keccak.Hasher, x *hashing) error {
	err := x.call(ctx, h)
	if err == nil {
		err = x.finished(len(x.want))
	}
	if err != nil {
		op := "sum256"
		if x.off == nil {
			op = fmt.Sprintf("sumfixed, width %d,", x.width)
		}
		return fmt.Errorf("%s of %d messages: %w", op, len(x.want), err)
	}
	return nil
}

// messagesOf returns a message of each length. They differ wherever their
// lengths do not.
func messagesOf(lengths []int, seed uint64) [][]byte {
	s := kat.NewSplitMix64(seed)
	messages := make([][]byte, len(lengths))
	for i, n := range lengths {
		messages[i] = make([]byte, n)
		s.FillBytes(messages[i])
	}
	return messages
}

// mixedLengths returns n lengths: around whole blocks, short and empty ones.
func mixedLengths(n int, seed uint64) []int {
	s := kat.NewSplitMix64(seed)
	lengths := make([]int, n)
	for i := range lengths {
		switch x := s.Uint64(); x % 4 {
		case 0:
			lengths[i] = int(x / 4 % 5 * 136)
		case 1:
			lengths[i] = int(x/4%5*136 + 135)
		case 2:
			lengths[i] = int(x / 4 % 70)
		default:
			lengths[i] = int(x / 4 % 700)
		}
	}
	return lengths
}

// expectHash returns an error unless err wraps want and is a *keccak.Error, which
// it returns.
func expectHash(err, want error) (*keccak.Error, error) {
	var he *keccak.Error
	switch {
	case !errors.Is(err, want):
		return nil, fmt.Errorf("got error %v, want %v", err, want)
	case !errors.As(err, &he):
		return nil, fmt.Errorf("error %v is not a *keccak.Error", err)
	case he.Op == "":
		return nil, fmt.Errorf("error %v does not say which operation failed", err)
	}
	return he, nil
}
