package device

import (
	"cmp"
	"fmt"
	"math/bits"

	"github.com/crosspoint-kernels/crosspoint/gpu"
	"github.com/crosspoint-kernels/crosspoint/keccak"
)

const (
	// rate is the length of a block in bytes.
	rate = 136
	// nodeBytes is the length of a digest, and of a node of a tree.
	nodeBytes = keccak.Size
	// stateNodes is how many digests the state of a long message takes.
	stateNodes = 7
)

// hashBytes bounds the messages of one submission, and their digests.
//
// On lavapipe 50,000 messages of 64 bytes took (ns each, minima interleaved within
// a run on two busy cores) 126 in chunks of 256 KiB, 117 of 512 KiB, 100 of 1 MiB
// and from 101 to 106 beyond; of 532 bytes 673, 543 and 595, then 388 in chunks of
// 2 MiB, 377 of 4 MiB, 743 of 8 MiB and 848 in one of 25 MiB. A discrete GPU wants
// chunks no smaller: one message is one invocation, and some 16,000 of them fill a
// large one.
const hashBytes = 4 << 20

// maxSubtree is the number of leaves, a power of four, of which the levels are in
// device memory at a time: 48 MiB of it.
const maxSubtree = 1 << 20

// minBuffer is the least that a device's buffers must hold. A subtree of sixteen
// leaves, and as many roots, then fit one.
const minBuffer = 4096

// hashEngine is the program of Keccak-256 on a device, and how work is cut for
// it. Every hasher of a backend shares one.
type hashEngine struct {
	hash, stream gpu.Kernel
	perGroup     int
	head, tail   int
	maxGroups    uint32

	chunk   int // bytes of the messages of one submission, and of their digests, at most
	blocks  int // that a message may have to be hashed by one dispatch; chunk holds them
	subtree int // leaves, a power of four
	nodes   int // that one buffer holds
}

// newHashEngine compiles the program. After an error nothing is left behind.
func newHashEngine(dev gpu.Device, p *HashProgram, cut hashCut) (*hashEngine, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	e := &hashEngine{perGroup: p.Hash.PerGroup, head: p.Head, tail: p.Tail}
	if err := e.cut(cut, p.MaxBlocks, dev.Limits()); err != nil {
		return nil, err
	}
	var err error
	if e.hash, err = dev.NewKernel(p.Hash.Source); err != nil {
		return nil, fmt.Errorf("keccak kernel: %w", err)
	}
	if e.stream, err = dev.NewKernel(p.Stream.Source); err != nil {
		e.release()
		return nil, fmt.Errorf("keccak stream kernel: %w", err)
	}
	return e, nil
}

// hashCut says how work is cut; 0 stands for what the constants above say.
type hashCut struct{ bytes, blocks, subtree int }

// cut fits the sizes to the limits of a device.
func (e *hashEngine) cut(c hashCut, maxBlocks int, l gpu.Limits) error {
	if l.MaxBufferSize < minBuffer {
		return fmt.Errorf("%w: a buffer takes %d bytes", gpu.ErrLimit, l.MaxBufferSize)
	}
	e.maxGroups = l.MaxGroups
	e.chunk = min(cmp.Or(c.bytes, hashBytes), l.MaxBufferSize-e.head-e.tail) / nodeBytes * nodeBytes
	e.blocks = min(cmp.Or(c.blocks, maxBlocks), maxBlocks, e.chunk/rate)
	e.nodes = l.MaxBufferSize / nodeBytes
	e.subtree = cmp.Or(c.subtree, maxSubtree)
	for e.nodeCount(e.subtree, 0) > e.nodes/2 { // leaving as much for the roots
		e.subtree /= 4
	}
	return nil
}

// long reports whether a message of n bytes, the prefix included, has more
// blocks than one dispatch absorbs.
func (e *hashEngine) long(n int) bool { return n/rate >= e.blocks }

// slotBytes returns the capacity of a slot for that many bytes: the next power
// of two, so that sizes are few.
func (e *hashEngine) slotBytes(need int) int {
	return min(e.chunk, max(minSlot, 1<<bits.Len(uint(need-1))))
}

// dispatch is the launch of Hash.
func (e *hashEngine) dispatch(b gpu.Binding, h hashing) (gpu.Dispatch, error) {
	n := h.messages
	if h.lone {
		n++
	}
	groups, err := grid(n, e.perGroup, e.maxGroups)
	return gpu.Dispatch{Binding: b, Params: h.params(), Groups: groups}, err
}

// dispatchPiece is the launch of Stream.
func (e *hashEngine) dispatchPiece(b gpu.Binding, s piece) gpu.Dispatch {
	return gpu.Dispatch{Binding: b, Params: s.params(), Groups: [3]uint32{1, 1, 1}}
}

func (e *hashEngine) release() {
	for _, k := range []gpu.Kernel{e.hash, e.stream} {
		if k != nil {
			k.Release()
		}
	}
}
