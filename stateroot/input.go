package stateroot

import (
	"context"

	"github.com/crosspoint-kernels/crosspoint/keccak"
)

// Pair is a key and its value, both of any length up to MaxBytes. An empty value
// means that the key is absent.
type Pair struct {
	Key, Value []byte
}

// rawPairs are pairs under their own keys.
type rawPairs []Pair

func (p rawPairs) size() int         { return len(p) }
func (p rawPairs) key(i int) []byte  { return p[i].Key }
func (p rawPairs) absent(i int) bool { return len(p[i].Value) == 0 }

// hashedPairs are pairs under the Keccak-256 of their keys.
type hashedPairs struct {
	pairs []Pair
	keys  [][32]byte
}

func (p *hashedPairs) size() int         { return len(p.pairs) }
func (p *hashedPairs) key(i int) []byte  { return p.keys[i][:] }
func (p *hashedPairs) absent(i int) bool { return len(p.pairs[i].Value) == 0 }

// entries are those of a state under their own keys.
type entries State

func (e entries) size() int         { return len(e) }
func (e entries) key(i int) []byte  { return e[i].Key[:] }
func (e entries) absent(i int) bool { return State(e)[i].absent() }

// check returns a *SizeError unless the lengths of pair i are within the limits.
func (p *Pair) check(i int) error {
	if n := len(p.Key); n > MaxBytes {
		return &SizeError{What: "key", Index: i, Size: n, Most: MaxBytes}
	}
	if n := len(p.Value); n > MaxBytes {
		return &SizeError{What: "value", Index: i, Size: n, Most: MaxBytes}
	}
	return nil
}

// checkCount returns a *SizeError if n pairs are too many.
func checkCount(n int) error {
	if n > MaxPairs {
		return &SizeError{What: "pairs", Size: n, Most: MaxPairs}
	}
	return nil
}

// keyHasher computes the keys of a secure trie. It keeps its memory between
// calls.
type keyHasher struct {
	data   []byte
	off    []uint32
	digest [][32]byte
}

// hash returns the Keccak-256 of the keys of pairs, batch by batch so that a
// batch has at most batchBytes bytes, or one key.
func (k *keyHasher) hash(ctx context.Context, r *router, pairs []Pair, batchBytes int, w *watch) ([][32]byte, error) {
	k.digest = grow(k.digest, len(pairs))
	for lo := 0; lo < len(pairs); {
		k.data, k.off = k.data[:0], append(k.off[:0], 0)
		hi, width := lo, len(pairs[lo].Key)
		for hi < len(pairs) && (hi == lo || len(k.data)+len(pairs[hi].Key) <= batchBytes) {
			if err := pairs[hi].check(hi); err != nil {
				return nil, err
			}
			if len(pairs[hi].Key) != width {
				width = -1
			}
			k.data = append(k.data, pairs[hi].Key...)
			k.off = append(k.off, uint32(len(k.data)))
			hi++
		}
		w.mark(packPhase)
		var err error
		if width > 0 {
			err = r.sumFixed(ctx, k.digest[lo:hi], k.data, width)
		} else {
			err = r.sum256(ctx, k.digest[lo:hi], keccak.Messages{Data: k.data, Off: k.off})
		}
		if err != nil {
			return nil, &HashError{What: "keys", Level: -1, Err: err}
		}
		w.mark(hashPhase)
		lo = hi
	}
	return k.digest, nil
}

// statePairs returns the entries of s as pairs: the key as it is, and the RLP of
// the value without leading zeros, or nothing for an absent one. The pairs refer
// to s and to arena, and both slices are used again if they are large enough.
func statePairs(dst []Pair, arena []byte, s State, workers int) ([]Pair, []byte) {
	const stride = 1 + digestSize
	dst = grow(dst, len(s))
	arena = grow(arena, stride*len(s))
	parallel(workers, len(s), 1<<12, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			e := &s[i]
			dst[i] = Pair{Key: e.Key[:]}
			if !e.absent() {
				value := arena[stride*i : stride*(i+1)]
				dst[i].Value = value[:putString(value, e.trimmed())]
			}
		}
	})
	return dst, arena
}
