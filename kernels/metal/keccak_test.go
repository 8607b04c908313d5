//go:build (darwin || metalsim) && cgo

package metal

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/gpu"
	"github.com/crosspoint-kernels/crosspoint/keccak"
)

// random returns n bytes that depend on n and seed.
func random(n, seed int) []byte {
	rng := rand.New(rand.NewPCG(uint64(n), uint64(seed)))
	p := make([]byte, n)
	for i := range p {
		p[i] = byte(rng.Uint32())
	}
	return p
}

// digestGuard fills the digests that a kernel must not write.
const digestGuard = 0xa5

// batch is messages for the hash kernel and where its digests go.
type batch struct {
	messages [][]byte
	prefix   int // a byte before each, or -1
	out      int // the index of the first digest
	shift    int // bytes of data before the first message, beyond the head
}

// data lays the messages out as the kernel takes them.
func (b batch) data() (data []byte, base int) {
	data = random(KeccakHead+b.shift, 1)
	base = len(data)
	for _, m := range b.messages {
		data = append(data, m...)
	}
	data = append(data, random(KeccakTail, 2)...)
	for len(data)%4 != 0 {
		data = append(data, 0x77)
	}
	return data, base
}

// params returns those that the two ways of placing messages share.
func (b batch) params(base int) [gpu.ParamWords]uint32 {
	p := [gpu.ParamWords]uint32{uint32(len(b.messages)), uint32(base), 0, uint32(b.out)}
	if b.prefix >= 0 {
		p[4] = 256 + uint32(b.prefix)
	}
	return p
}

// want returns all of the digests, guards included.
func (b batch) want() []byte {
	w := bytes.Repeat([]byte{digestGuard}, 32*(b.out+len(b.messages)+2))
	for i, m := range b.messages {
		if b.prefix >= 0 {
			m = append([]byte{byte(b.prefix)}, m...)
		}
		d := keccak.Sum256(m)
		copy(w[32*(b.out+i):], d[:])
	}
	return w
}

// fixed hashes the messages, which have one width. With lone it has what
// follows them promoted; data must be aligned then.
func (b batch) fixed(k *runner, lone bool) error {
	data, base := b.data()
	p, want := b.params(base), b.want()
	if len(b.messages) > 0 {
		p[2] = uint32(len(b.messages[0]))
	}
	n := len(b.messages)
	if lone {
		p[6] = p[0] + 1
		copy(want[32*(b.out+n):32*(b.out+n+1)], data[base+n*int(p[2]):])
		n++
	}
	return b.run(k, n, p, data, make([]byte, 4), want)
}

// ragged hashes the messages in a random order.
func (b batch) ragged(k *runner) error {
	data, base := b.data()
	p := b.params(base)
	p[5] = p[0]
	rng := rand.New(rand.NewPCG(uint64(len(data)), 3))
	var places []byte
	for _, i := range rng.Perm(len(b.messages)) {
		places = binary.LittleEndian.AppendUint32(places, uint32(i))
	}
	off := 0
	for _, m := range b.messages {
		places = binary.LittleEndian.AppendUint32(places, uint32(off))
		off += len(m)
	}
	places = binary.LittleEndian.AppendUint32(places, uint32(off))
	return b.run(k, len(b.messages), p, data, places, b.want())
}

// run runs the kernel for n invocations at least, and compares.
func (b batch) run(k *runner, n int, p [gpu.ParamWords]uint32, data, places, want []byte) error {
	got, err := k.run(max(1, n), p, n%2 == 0, bytes.Repeat([]byte{digestGuard}, len(want)), data, places)
	if err != nil {
		return err
	}
	return differ(4, decodeWords(8, got), decodeWords(8, want))
}

// checkHash holds the hash kernel to package keccak.
func checkHash(k *runner, thorough bool) error {
	var lengths []int
	for n := range 1101 {
		if n <= 300 || (n+2)%136 < 5 {
			lengths = append(lengths, n)
		}
	}
	var all [][]byte
	for i, n := range lengths {
		all = append(all, random(n, i))
	}
	for _, prefix := range []int{-1, 0, 1} {
		b := batch{messages: all, prefix: prefix, out: 3, shift: 1}
		if err := b.ragged(k); err != nil {
			return fmt.Errorf("lengths %v, prefix %d: %w", lengths, prefix, err)
		}
	}
	for i, n := range lengths {
		if !thorough && i%17 != 0 && (n+2)%136 > 4 {
			continue
		}
		b := batch{prefix: i%4 - 1, out: i % 3, shift: i / 4 % 4}
		for j := range 1 + i%5 {
			b.messages = append(b.messages, random(n, j))
		}
		if b.prefix > 1 {
			b.prefix = 255
		}
		if err := b.fixed(k, false); err != nil {
			return fmt.Errorf("%d messages of %d bytes, prefix %d, shift %d: %w", len(b.messages), n, b.prefix, b.shift, err)
		}
	}
	for n := range 71 {
		b := batch{prefix: n%2 - 1}
		for j := range n {
			b.messages = append(b.messages, random(64, j))
		}
		if err := b.fixed(k, false); err != nil {
			return fmt.Errorf("%d nodes: %w", n, err)
		}
		if err := b.fixed(k, true); err != nil {
			return fmt.Errorf("%d nodes and a lone one: %w", n, err)
		}
		for j := range b.messages {
			b.messages[j] = random((n*37+j*j*29)%500, j)
		}
		if err := b.ragged(k); err != nil {
			return fmt.Errorf("%d messages of mixed lengths: %w", n, err)
		}
	}
	return nil
}

func TestKeccakHash(t *testing.T) {
	k := newRunner(t, open(t), Keccak().Hash)
	require.NoError(t, checkHash(k, !testing.Short()))
	// The most blocks that a dispatch may absorb.
	for _, n := range []int{136*KeccakMaxBlocks - 1, 136*KeccakMaxBlocks - 2} {
		b := batch{messages: [][]byte{random(n, 1), random(n, 2)}, prefix: n%2 - 1}
		require.NoError(t, b.fixed(k, false), "%d bytes", n)
	}
}

// checkStream cuts a message into pieces of so many bytes, the last one of any
// length, and absorbs them one dispatch after another.
func checkStream(k *runner, message []byte, prefix, out int, cuts ...int) error {
	whole := message
	digests := bytes.Repeat([]byte{digestGuard}, 32*(out+9))
	want := bytes.Clone(digests)
	var p [gpu.ParamWords]uint32
	if prefix >= 0 {
		p[4] = 256 + uint32(prefix)
		whole = append([]byte{byte(prefix)}, message...)
	}
	p[3] = uint32(out)
	for i := range len(cuts) + 1 {
		n := len(message)
		if i < len(cuts) {
			n, p[1] = cuts[i], 1
		} else {
			p[1] = 0
		}
		b := batch{messages: [][]byte{message[:n]}, shift: i % 4}
		data, base := b.data()
		p[0], p[2] = uint32(n), uint32(base)
		got, err := k.run(1, p, true, digests, data)
		if err != nil {
			return err
		}
		digests, message = got, message[n:]
		p[4], p[5] = 0, 1<<32-1
	}
	d := keccak.Sum256(whole)
	copy(want[32*out:], d[:])
	copy(want[32*out+32:], digests[32*out+32:32*out+200]) // what the state spoils
	return differ(4, decodeWords(8, digests), decodeWords(8, want))
}

func checkStreams(k *runner) error {
	for _, n := range []int{0, 1, 134, 135, 136, 137, 271, 272, 273, 700, 1000} {
		for _, prefix := range []int{-1, 0, 1} {
			lead := 0
			if prefix >= 0 {
				lead = 1
			}
			cuts := [][]int{nil}
			if n >= 136 {
				cuts = append(cuts, []int{136 - lead})
			}
			if n >= 680 {
				cuts = append(cuts, []int{408 - lead}, []int{136 - lead, 272, 272}, []int{272 - lead, 136, 136, 136})
			}
			for i, c := range cuts {
				if err := checkStream(k, random(n, i), prefix, i, c...); err != nil {
					return fmt.Errorf("%d bytes after a prefix of %d cut at %v: %w", n, prefix, c, err)
				}
			}
		}
	}
	return nil
}

func TestKeccakStream(t *testing.T) {
	k := newRunner(t, open(t), Keccak().Stream)
	require.NoError(t, checkStreams(k))
	const most = 136 * KeccakMaxBlocks
	require.NoError(t, checkStream(k, random(2*most+5, 1), -1, 0, most, most))
	require.NoError(t, checkStream(k, random(2*most+5, 1), 0, 0, most-1, most))
}

// TestKeccakCatches plants faults in the kernels, each of which the checks above
// must notice.
func TestKeccakCatches(t *testing.T) {
	open(t)
	p := Keccak()
	hash := func(k *runner) error { return checkHash(k, false) }
	for _, m := range []struct {
		name, old, new string
		kernel         Kernel
		check          func(*runner) error
	}{
		{"rotation by one more", "rol(a[4] ^ d4, 27)", "rol(a[4] ^ d4, 28)", p.Hash, hash},
		{"lanes of pi exchanged", "a[22] ^ d2", "a[17] ^ d2", p.Hash, hash},
		{"theta's other neighbour", "d3 = c2 ^ rol(c4, 1)", "d3 = c4 ^ rol(c2, 1)", p.Hash, hash},
		{"chi without the complement", "(~b21 & b22)", "(b21 & b22)", p.Hash, hash},
		{"a bit of the last round constant", "0x8000000080008008", "0x0000000080008008", p.Hash, hash},
		{"23 rounds", "r < 24", "r < 23", p.Hash, hash},
		{"SHA-3's padding", "(w & (end - 1)) | end", "(w & (end - 1)) | 6 * end", p.Hash, hash},
		{"nothing masked", "(w & (end - 1)) | end", "w | end", p.Hash, hash},
		{"no end of the padding", "n < 136 ? 0x8000000000000000", "n < 136 ? 0", p.Hash, hash},
		{"the padding ends every block", "n < 136 ?", "n < 500 ?", p.Hash, hash},
		{"no block after a full one", "left < RATE + more", "left < RATE + 1 + more", p.Hash, hash},
		{"bytes not shifted", "const uint shift = 8 * (at & 3u);", "const uint shift = 0;", p.Hash, hash},
		{"no prefix", "low = prefix == 0 ? low", "low = prefix < 258 ? low", p.Hash, hash},
		{"a prefix before every block", "    prefix = 0;\n", "", p.Hash, hash},
		{"the prefix is not counted", "left += prefix >> 8;", "", p.Hash, hash},
		{"a message too many", "i >= count", "i >= count + 1", p.Hash, hash},
		{"a message too few", "i >= count", "i + 1 >= count", p.Hash, hash},
		{"lone digest left out", "i < lone", "i + 1 < lone", p.Hash, hash},
		{"another lone digest", "i < lone", "i <= lone", p.Hash, hash},
		{"digests in the order of the work", "ulong(out + message)", "ulong(out + i)", p.Hash, hash},
		{"groups of another grid", "group.y * grid.x) * HASH_GROUP", "group.y * grid.y) * HASH_GROUP", p.Hash, hash},
		{"state not kept", "    state[k] = a[k];", "    state[k] = k < 24 ? a[k] : state[k];", p.Stream, checkStreams},
		{"state not begun anew", " & keep", "", p.Stream, checkStreams},
		{"a piece too long", "RATE + more", "RATE", p.Stream, checkStreams},
	} {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			k := newRunner(t, fresh(t), mutate(t, m.kernel, "keccak.metal", m.old, m.new))
			require.Error(t, m.check(k))
		})
	}
}
