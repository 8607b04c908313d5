package pipeline

import (
	"context"
	"unsafe"

	"github.com/crosspoint-kernels/crosspoint/keccak"
	"github.com/crosspoint-kernels/crosspoint/stateroot"
)

// rooter makes a root of leaves. It keeps its memory between calls.
type rooter struct {
	kind    Kind
	options stateroot.Options
	builder *stateroot.Builder
	small   keccak.Hasher
	sorter  sorter
	state   stateroot.State
	pairs   []stateroot.Pair
	arena   []byte // values of pairs
}

func newRooter(kind Kind, o stateroot.Options) rooter {
	r := rooter{kind: kind, options: o, builder: stateroot.NewBuilder(o), small: o.Small}
	if r.small == nil {
		r.small = keccak.Scalar()
	}
	return r
}

// serialLeaves is the number of leaves up to which one goroutine sorts and places
// them. Two take 151 µs instead of 115 to sort 4,096, and 275 instead of 302 for
// 8,192 (BenchmarkSort on an AMD EPYC with two cores).
const serialLeaves = 6_000

func (r *rooter) workers(n int) int {
	if n <= serialLeaves {
		return 1
	}
	return r.options.Workers
}

// root returns the root of the leaves that are present.
func (r *rooter) root(ctx context.Context, l *leaves) ([32]byte, error) {
	if r.kind == Flat {
		r.state = grow(r.state, l.len())
		parallel(r.workers(l.len()), l.len(), 1<<11, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				r.state[i] = stateroot.Entry{Key: l.keys[i], Value: l.values[i]}
			}
		})
		return r.builder.Flat(ctx, r.state)
	}
	if err := r.hashKeys(ctx, l, false); err != nil {
		return [32]byte{}, err
	}
	order := r.sorter.sort(l, r.workers(l.len()))
	if r.kind == Merkle {
		return r.merkle(ctx, l, order)
	}
	return r.mpt(ctx, l, order)
}

// hashKeys hashes the keys that are not, where the root needs it. On the worker
// that commits there is no other to help.
func (r *rooter) hashKeys(ctx context.Context, l *leaves, committing bool) error {
	from, n := len(l.paths), l.len()
	if r.kind == Flat || from == n {
		return nil
	}
	if cap(l.paths) < n {
		l.paths = append(make([][32]byte, 0, n+n/2), l.paths...)
	}
	h := r.small
	if big := r.options.Big; !committing && big != nil && n-from >= r.threshold() {
		h = big
	}
	dst := l.paths[from:n]
	if err := h.SumFixed(ctx, dst, flatten(l.keys[from:n]), keccak.Size); err != nil {
		return &stateroot.HashError{What: "keys", Level: -1, Err: err}
	}
	l.paths = l.paths[:n]
	return nil
}

func (r *rooter) threshold() int {
	if r.options.Threshold > 0 {
		return r.options.Threshold
	}
	return stateroot.DefaultThreshold
}

func (r *rooter) merkle(ctx context.Context, l *leaves, order []uint32) ([32]byte, error) {
	r.state = grow(r.state, len(order))
	parallel(r.workers(len(order)), len(order), 1<<11, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			at := order[i]
			r.state[i] = stateroot.Entry{Key: l.paths[at], Value: l.values[at]}
		}
	})
	return r.builder.Merkle(ctx, r.state)
}

// mpt gives the trie pairs whose keys are hashed already.
func (r *rooter) mpt(ctx context.Context, l *leaves, order []uint32) ([32]byte, error) {
	const stride = 1 + keccak.Size
	r.pairs = grow(r.pairs, len(order))
	r.arena = grow(r.arena, stride*len(order))
	parallel(r.workers(len(order)), len(order), 1<<11, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			at := order[i]
			slot := r.arena[stride*i : stride*(i+1)]
			r.pairs[i] = stateroot.Pair{Key: l.paths[at][:], Value: slot[:putNumber(slot, &l.values[at])]}
		}
	})
	return r.builder.MPT(ctx, r.pairs)
}

// putNumber writes the RLP of a number that is not zero, as Ethereum's storage
// tries have it, and returns its length: a string without leading zeros (yellow
// paper, appendix B).
func putNumber(dst []byte, number *[32]byte) int {
	first := 0
	for first < len(number)-1 && number[first] == 0 {
		first++
	}
	digits := number[first:]
	if len(digits) == 1 && digits[0] < 0x80 {
		dst[0] = digits[0]
		return 1
	}
	dst[0] = 0x80 + byte(len(digits))
	return 1 + copy(dst[1:], digits)
}

// flatten returns keys as one slice, which is keys itself.
func flatten(keys [][32]byte) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(keys))), keccak.Size*len(keys))
}
