package stateroot

import (
	"context"
	"runtime"

	"github.com/crosspoint-kernels/crosspoint/keccak"
)

// Options say who hashes and how many goroutines work. The zero value is a
// scalar Hasher and all processors. No option changes a root.
type Options struct {
	// Big hashes batches of at least Threshold messages, Small the others.
	// Without Big, Small hashes all; without Small, keccak.Scalar is Small.
	// Either is given a batch as a whole, so that it is for the Hasher to use
	// several cores, as keccak.NewParallel does.
	Big, Small keccak.Hasher
	// Threshold is DefaultThreshold if it is not positive.
	Threshold int
	// Workers is how many goroutines sort, build, pack and encode at a time:
	// GOMAXPROCS if it is not positive.
	Workers int
	// Emit, if it is set, is given each hashed node of a trie that a Builder
	// builds, in no particular order and from one goroutine at a time: its
	// path, one nibble to a byte, and its encoding, both valid only until it
	// returns. The root is among them, whatever its length. An error of Emit
	// ends the build.
	Emit func(path, enc []byte) error
}

// DefaultThreshold is the batch from which Big is worth its fixed cost. 1,024
// messages of 32 bytes take keccak.Scalar 0.29 ms (make compare on an AMD EPYC,
// Zen 4). A submission to a software device costs 0.04 ms there (see
// kernels/wgsl/README.md), and to a GPU from 0.15 to 1.5 ms, as others report of
// Metal (JuliaGPU/Metal.jl#783, gfx-rs/wgpu#7712); sweep keccak finds the number
// for a machine. Levels of a trie narrow fast: of the eight of the known answer of
// 50,000 storage slots, the upper five have 1,040, 258, 41, 15 and 1 nodes.
const DefaultThreshold = 1024

// router sends a batch to one of two Hashers.
type router struct {
	big, small keccak.Hasher
	threshold  int
	workers    int
}

func newRouter(o Options) router {
	r := router{big: o.Big, small: o.Small, threshold: o.Threshold, workers: o.Workers}
	if r.small == nil {
		r.small = keccak.Scalar()
	}
	if r.threshold <= 0 {
		r.threshold = DefaultThreshold
	}
	if r.workers <= 0 {
		r.workers = runtime.GOMAXPROCS(0)
	}
	return r
}

// large says whether a batch of n messages is for big.
func (r *router) large(n int) bool { return r.big != nil && n >= r.threshold }

func (r *router) hasher(n int) keccak.Hasher {
	if r.large(n) {
		return r.big
	}
	return r.small
}

// sum256 sets dst[i] to the digest of message i.
func (r *router) sum256(ctx context.Context, dst [][32]byte, m keccak.Messages) error {
	return r.hasher(len(dst)).Sum256(ctx, dst, m)
}

// sumFixed sets dst[i] to the digest of data[i*width:(i+1)*width].
func (r *router) sumFixed(ctx context.Context, dst [][32]byte, data []byte, width int) error {
	return r.hasher(len(dst)).SumFixed(ctx, dst, data, width)
}
