package stateroot

import (
	"bytes"
	"slices"

	"github.com/crosspoint-kernels/crosspoint/keccak"
)

// The trie as the yellow paper defines it (appendices B to D), by recursion over
// sets of pairs: the oracle of this package's tests. It shares no code with the
// package.
//
// A field that is not zero makes it wrong in a way that implementations were.
type oracle struct {
	embedBelow   int  // instead of 32
	shortRoot    bool // a root shorter than 32 bytes stands for itself
	noLeafFlag   bool // leaves and extensions look alike
	noValue      bool // a branch forgets the value of the key that ends there
	firstWins    bool // of two equal keys
	emptyIgnored bool // an empty value leaves the key as it was
	emptyStored  bool // an empty value is a value
	longByte     bool // a single byte is written as any other string
	short55      bool // 55 bytes are written in the long form
	oddPadded    bool // the flags of an odd path are those of an even one
}

// refPair is a key as a list of nibbles, and its value.
type refPair struct {
	key   []byte
	value []byte
}

func refRoot(pairs []Pair) [32]byte { return oracle{}.root(pairs) }

// root is TRIE(J): the hash of c(J, 0), whatever its length.
func (o oracle) root(pairs []Pair) (root [32]byte) {
	j := o.set(pairs)
	if len(j) == 0 {
		return keccak.Sum256(o.str(nil))
	}
	enc := o.node(j, 0)
	if o.shortRoot && len(enc) < 32 {
		copy(root[:], enc)
		return root
	}
	return keccak.Sum256(enc)
}

// set applies the pairs in order and returns what is left, sorted.
func (o oracle) set(pairs []Pair) []refPair {
	set := map[string][]byte{}
	for _, p := range pairs {
		_, there := set[string(p.Key)]
		switch {
		case len(p.Value) > 0 && there && o.firstWins:
		case len(p.Value) > 0 || o.emptyStored:
			set[string(p.Key)] = p.Value
		case !o.emptyIgnored:
			delete(set, string(p.Key))
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

// node is c(J, i): the encoding of the node over J, whose keys share their first
// i nibbles.
func (o oracle) node(j []refPair, i int) []byte {
	if len(j) == 1 {
		return o.list(o.str(o.hp(j[0].key[i:], true)), o.str(j[0].value))
	}
	shared := i
	for same(j, shared) {
		shared++
	}
	if shared > i {
		return o.list(o.str(o.hp(j[0].key[i:shared], false)), o.reference(j, shared))
	}
	var items [][]byte
	for nibble := range byte(16) {
		var below []refPair
		for _, p := range j {
			if len(p.key) > i && p.key[i] == nibble {
				below = append(below, p)
			}
		}
		items = append(items, o.reference(below, i+1))
	}
	var value []byte
	for _, p := range j {
		if len(p.key) == i && !o.noValue {
			value = p.value
		}
	}
	return o.list(append(items, o.str(value))...)
}

// same says whether all keys have the same nibble at i.
func same(j []refPair, i int) bool {
	for _, p := range j {
		if len(p.key) <= i || p.key[i] != j[0].key[i] {
			return false
		}
	}
	return true
}

// reference is n(J, i): nothing, the node, or its hash.
func (o oracle) reference(j []refPair, i int) []byte {
	if len(j) == 0 {
		return o.str(nil)
	}
	limit := 32
	if o.embedBelow != 0 {
		limit = o.embedBelow
	}
	enc := o.node(j, i)
	if len(enc) < limit {
		return enc
	}
	h := keccak.Sum256(enc)
	return o.str(h[:])
}

// hp is the hex-prefix encoding of nibbles.
func (o oracle) hp(nibbles []byte, leaf bool) []byte {
	flag := byte(0)
	if leaf && !o.noLeafFlag {
		flag = 2
	}
	var out []byte
	if len(nibbles)%2 == 1 {
		odd := byte(1)
		if o.oddPadded {
			odd = 0
		}
		out = []byte{16*(flag+odd) + nibbles[0]}
		nibbles = nibbles[1:]
	} else {
		out = []byte{16 * flag}
	}
	for i := 0; i < len(nibbles); i += 2 {
		out = append(out, 16*nibbles[i]+nibbles[i+1])
	}
	return out
}

func (o oracle) str(s []byte) []byte {
	if len(s) == 1 && s[0] < 128 && !o.longByte {
		return s
	}
	return append(o.head(128, len(s)), s...)
}

func (o oracle) list(items ...[]byte) []byte {
	payload := bytes.Join(items, nil)
	return append(o.head(192, len(payload)), payload...)
}

func (o oracle) head(kind, n int) []byte {
	if n < 55 || n == 55 && !o.short55 {
		return []byte{byte(kind + n)}
	}
	var be []byte
	for ; n > 0; n /= 256 {
		be = append([]byte{byte(n)}, be...)
	}
	return append([]byte{byte(kind + 55 + len(be))}, be...)
}
