package device

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/keccak"
)

func hasherOf(t testing.TB, b backends.Backend) *hasher {
	t.Helper()
	h, err := b.Keccak()
	require.NoError(t, err)
	return h.(*hasher)
}

// messages returns messages of those lengths, with bytes of others around them.
func messages(lengths ...int) keccak.Messages {
	rng := rand.New(rand.NewPCG(uint64(len(lengths)), 1))
	m := keccak.Messages{Data: []byte("before")[:len(lengths)%6]}
	for _, n := range lengths {
		p := make([]byte, n)
		for i := range p {
			p[i] = byte(rng.Uint32())
		}
		if err := m.Append(p); err != nil {
			panic(err)
		}
	}
	if len(lengths)%2 == 1 {
		m.Data = append(m.Data, "after"...)
	}
	return m
}

// mixed returns n lengths, of which some have no end in a chunk of the harness.
func mixed(n int) []int {
	rng := rand.New(rand.NewPCG(uint64(n), 2))
	lengths := make([]int, n)
	for i := range lengths {
		lengths[i] = [5]int{rng.IntN(40), rng.IntN(150), 134 + rng.IntN(4), rng.IntN(545), 136 * rng.IntN(20)}[rng.IntN(5)]
	}
	return lengths
}

func digestsOf(m keccak.Messages) [][32]byte {
	want := make([][32]byte, m.Len())
	for i := range want {
		want[i] = keccak.Sum256(m.At(i))
	}
	return want
}

// poisoned returns n digests that no call has written.
func poisoned(n int) [][32]byte {
	d := make([][32]byte, n)
	for i := range d {
		d[i] = [32]byte(bytes.Repeat([]byte{0x99}, 32))
	}
	return d
}

// hashes returns an error unless h hashes messages of these lengths rightly, and
// leaves what is around the digests alone.
func hashes(h keccak.Hasher, lengths ...int) error {
	m := messages(lengths...)
	all := poisoned(len(lengths) + 2)
	if err := h.Sum256(context.Background(), all[1:len(lengths)+1], m); err != nil {
		return err
	}
	return same(all, digestsOf(m))
}

// hashesFixed is hashes for n messages of one width.
func hashesFixed(h keccak.Hasher, n, width int) error {
	m := messages(repeat(width, n)...)
	var data []byte
	if n > 0 {
		data = m.Data[m.Off[0]:m.Off[n]]
	}
	all := poisoned(n + 2)
	if err := h.SumFixed(context.Background(), all[1:n+1], data, width); err != nil {
		return err
	}
	return same(all, digestsOf(m))
}

func repeat(x, n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = x
	}
	return s
}

// same compares the digests between the first and the last.
func same(all, want [][32]byte) error {
	p := poisoned(1)[0]
	if all[0] != p || all[len(all)-1] != p {
		return errors.New("a digest was written outside of dst")
	}
	for i, d := range all[1 : len(all)-1] {
		if d != want[i] {
			return fmt.Errorf("digest %d of %d differs", i, len(want))
		}
	}
	return nil
}

// mth is MTH of RFC 6962, section 2.1, with Keccak-256.
func mth(leaves []byte, width int) [32]byte {
	switch n := len(leaves) / width; n {
	case 0:
		return keccak.Sum256(nil)
	case 1:
		return keccak.Sum256(append([]byte{0}, leaves...))
	default:
		k := 1
		for 2*k < n {
			k *= 2
		}
		l, r := mth(leaves[:k*width], width), mth(leaves[k*width:], width)
		return keccak.Sum256(append(append([]byte{1}, l[:]...), r[:]...))
	}
}

// roots returns an error unless h computes the root of n leaves rightly.
func roots(h keccak.TreeHasher, n, width int) error {
	leaves := messages(n * width).Data[1:][:n*width]
	root, err := h.MerkleRoot(context.Background(), leaves, width)
	if err == nil && root != mth(leaves, width) {
		err = errors.New("the root differs")
	}
	if err != nil {
		return fmt.Errorf("%d leaves of %d bytes: %w", n, width, err)
	}
	return nil
}
