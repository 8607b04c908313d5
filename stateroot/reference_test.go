package stateroot

import (
	"bytes"
	"slices"

	"github.com/crosspoint-kernels/crosspoint/keccak"
)

// The trie as the yellow paper defines it (appendices B to D), by recursion over
// sets of pairs: the oracle of this package's tests. It shares no code with the
// package.

// refPair is a key as a list of nibbles, and its value.
type refPair struct {
	key   []byte
	value []byte
}

// refRoot is TRIE(J): the hash of c(J, 0), whatever its length.
func refRoot(pairs []Pair) [32]byte {
	j := refSet(pairs)
	if len(j) == 0 {
		return keccak.Sum256(refString(nil))
	}
	return keccak.Sum256(refNode(j, 0))
}

// refSet applies the pairs in order and returns what is left, sorted.
func refSet(pairs []Pair) []refPair {
	set := map[string][]byte{}
	for _, p := range pairs {
		if len(p.Value) == 0 {
			delete(set, string(p.Key))
		} else {
			set[string(p.Key)] = p.Value
		}
	}
	var j []refPair
	for k, v := range set {
		var key []byte
		for _, b := range []byte(k) {
			key = append(key, b/16, b%16)
		}
		j = append(j, refPair{key, v})
	}
	slices.SortFunc(j, func(a, b refPair) int { return bytes.Compare(a.key, b.key) })
	return j
}

// refNode is c(J, i): the encoding of the node over J, whose keys share their
// first i nibbles.
func refNode(j []refPair, i int) []byte {
	if len(j) == 1 {
		return refList(refString(refHP(j[0].key[i:], true)), refString(j[0].value))
	}
	shared := i
	for all := true; all; {
		for _, p := range j {
			all = all && len(p.key) > shared && p.key[shared] == j[0].key[min(shared, len(j[0].key)-1)]
		}
		if all {
			shared++
		}
	}
	if shared > i {
		return refList(refString(refHP(j[0].key[i:shared], false)), refReference(j, shared))
	}
	var items [][]byte
	for nibble := range byte(16) {
		var below []refPair
		for _, p := range j {
			if len(p.key) > i && p.key[i] == nibble {
				below = append(below, p)
			}
		}
		items = append(items, refReference(below, i+1))
	}
	var value []byte
	for _, p := range j {
		if len(p.key) == i {
			value = p.value
		}
	}
	return refList(append(items, refString(value))...)
}

// refReference is n(J, i): nothing, the node, or its hash.
func refReference(j []refPair, i int) []byte {
	if len(j) == 0 {
		return refString(nil)
	}
	enc := refNode(j, i)
	if len(enc) < 32 {
		return enc
	}
	h := keccak.Sum256(enc)
	return refString(h[:])
}

// refHP is the hex-prefix encoding of nibbles.
func refHP(nibbles []byte, leaf bool) []byte {
	flag := byte(0)
	if leaf {
		flag = 2
	}
	var out []byte
	if len(nibbles)%2 == 1 {
		out = []byte{16*(flag+1) + nibbles[0]}
		nibbles = nibbles[1:]
	} else {
		out = []byte{16 * flag}
	}
	for i := 0; i < len(nibbles); i += 2 {
		out = append(out, 16*nibbles[i]+nibbles[i+1])
	}
	return out
}

func refString(s []byte) []byte {
	if len(s) == 1 && s[0] < 128 {
		return s
	}
	return append(refHead(128, len(s)), s...)
}

func refList(items ...[]byte) []byte {
	payload := bytes.Join(items, nil)
	return append(refHead(192, len(payload)), payload...)
}

func refHead(kind, n int) []byte {
	if n < 56 {
		return []byte{byte(kind + n)}
	}
	var be []byte
	for ; n > 0; n /= 256 {
		be = append([]byte{byte(n)}, be...)
	}
	return append([]byte{byte(kind + 55 + len(be))}, be...)
}
