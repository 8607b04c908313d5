package device

import (
	"context"
	"fmt"

	"github.com/crosspoint-kernels/crosspoint/keccak"
)

// selfTestHash hashes messages whose digests package keccak knows, through the
// same code as any call. Drivers have compiled exactly this form, Keccak-f[1600]
// in pairs of 32-bit words, into wrong code and said nothing: Intel's did for the
// Arc B580, intel/intel-graphics-compiler issue 416.
func selfTestHash(b *backend, e *hashEngine) error {
	// Long messages, chunks and subtrees as small as to be met with little work.
	small := *e
	small.chunk, small.blocks, small.subtree = min(e.chunk, 1<<14), min(e.blocks, 3), min(e.subtree, 16)
	h := newHasher(b, &small)
	defer h.shut()
	t := hashTester{h, e.perGroup + 3} // a last group that is not full
	for _, width := range []int{0, 3, 32, 64, 135, 136, 137, 271, 272, 500} {
		if err := t.fixed(width); err != nil {
			return err
		}
	}
	if err := t.mixed(); err != nil {
		return err
	}
	for _, width := range []int{32, 135, 500} {
		if err := t.tree(width); err != nil {
			return err
		}
	}
	return nil
}

type hashTester struct {
	hasher *hasher
	count  int
}

// message returns bytes that depend on the seed.
func (t *hashTester) message(n, seed int) []byte {
	p := make([]byte, n)
	x := uint64(n + seed<<20)
	for i := range p {
		x = x*6364136223846793005 + 1442695040888963407 // Knuth's MMIX generator
		p[i] = byte(x >> 56)
	}
	return p
}

// fixed hashes messages of one width.
func (t *hashTester) fixed(width int) error {
	data := t.message(t.count*width, 1)
	got, want := make([][keccak.Size]byte, t.count), make([][keccak.Size]byte, t.count)
	for i := range want {
		want[i] = keccak.Sum256(data[i*width : (i+1)*width])
	}
	if err := t.hasher.SumFixed(context.Background(), got, data, width); err != nil {
		return err
	}
	return t.compare(fmt.Sprintf("messages of %d bytes", width), got, want)
}

// mixed hashes messages of all lengths up to more than two blocks.
func (t *hashTester) mixed() error {
	var m keccak.Messages
	var want [][keccak.Size]byte
	for i := range 281 {
		msg := t.message(i*97%281, i)
		if err := m.Append(msg); err != nil {
			return err
		}
		want = append(want, keccak.Sum256(msg))
	}
	got := make([][keccak.Size]byte, len(want))
	if err := t.hasher.Sum256(context.Background(), got, m); err != nil {
		return err
	}
	return t.compare("messages of mixed lengths", got, want)
}

// tree computes the root of a tree with lone nodes.
func (t *hashTester) tree(width int) error {
	const n = 43
	leaves := t.message(n*width, 2)
	var level [][keccak.Size]byte
	for i := range n {
		level = append(level, keccak.Sum256(append([]byte{0}, leaves[i*width:(i+1)*width]...)))
	}
	for len(level) > 1 {
		var up [][keccak.Size]byte
		for ; len(level) > 1; level = level[2:] {
			up = append(up, keccak.Sum256(append(append([]byte{1}, level[0][:]...), level[1][:]...)))
		}
		level = append(up, level...)
	}
	root, err := t.hasher.MerkleRoot(context.Background(), leaves, width)
	if err != nil {
		return err
	}
	return t.compare(fmt.Sprintf("tree of leaves of %d bytes", width), [][keccak.Size]byte{root}, level)
}

func (t *hashTester) compare(what string, got, want [][keccak.Size]byte) error {
	for i := range want {
		if got[i] != want[i] {
			info := t.hasher.backend.info
			return fmt.Errorf("%w: keccak on %q (%s), %s: digest %d is wrong", errSelfTest, info.Device, info.Driver, what, i)
		}
	}
	return nil
}
