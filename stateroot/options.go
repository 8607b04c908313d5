package stateroot

import (
	"context"
	"runtime"
	"sync"

	"github.com/crosspoint-kernels/crosspoint/keccak"
)

// Options say who hashes and how many goroutines work. The zero value is a
// scalar Hasher and all processors. No option changes a root.
type Options struct {
	// Big hashes batches of at least Threshold messages, Small the others.
	// Without Big, Small hashes all; without Small, keccak.Scalar is Small.
	//
	// Big is given a batch as a whole. A batch for Small is shared out among
	// the workers, because a scalar Hasher runs on its caller's goroutine.
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

// DefaultThreshold is the batch from which Big is worth its fixed cost. Levels of
// a trie narrow fast: of the eight of 50,000 leaves the upper five have 1,040,
// 258, 41, 15 and 1 nodes.
const DefaultThreshold = 1024

// shardSize is the smallest number of messages worth a goroutine: some 64 x 300
// ns of hashing against about a microsecond to start one.
const shardSize = 64

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

// sum256 sets dst[i] to the digest of message i. With no messages it does nothing.
func (r *router) sum256(ctx context.Context, dst [][32]byte, m keccak.Messages) error {
	if r.large(len(dst)) {
		return r.big.Sum256(ctx, dst, m)
	}
	return r.share(len(dst), func(lo, hi int) error {
		// Offsets count from the start of Data, so a shard keeps all of it.
		return r.small.Sum256(ctx, dst[lo:hi], keccak.Messages{Data: m.Data, Off: m.Off[lo : hi+1]})
	})
}

// sumFixed sets dst[i] to the digest of data[i*width:(i+1)*width].
func (r *router) sumFixed(ctx context.Context, dst [][32]byte, data []byte, width int) error {
	if r.large(len(dst)) {
		return r.big.SumFixed(ctx, dst, data, width)
	}
	return r.share(len(dst), func(lo, hi int) error {
		return r.small.SumFixed(ctx, dst[lo:hi], data[lo*width:hi*width], width)
	})
}

// share cuts [0, n) into pieces for the workers and returns the first error.
func (r *router) share(n int, f func(lo, hi int) error) error {
	if n == 0 {
		return nil
	}
	if r.workers == 1 || n < 2*shardSize {
		return f(0, n)
	}
	grain := max(shardSize, n/(4*r.workers))
	var mu sync.Mutex
	var first error
	parallel(r.workers, n, grain, func(_, lo, hi int) {
		if err := f(lo, hi); err != nil {
			mu.Lock()
			defer mu.Unlock()
			if first == nil {
				first = err
			}
		}
	})
	return first
}
