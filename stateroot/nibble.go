package stateroot

import (
	"encoding/binary"
	"math/bits"
)

// nibble returns nibble i of key: the high half of byte i/2 for an even i.
// i is in [0, 2*len(key)).
func nibble(key []byte, i int) byte {
	return key[i>>1] >> (^i & 1 << 2) & 15
}

// commonNibbles returns the length in nibbles of the longest common prefix of
// two keys.
func commonNibbles(a, b []byte) int {
	n := min(len(a), len(b))
	i := 0
	for ; i+8 <= n; i += 8 {
		if d := binary.BigEndian.Uint64(a[i:]) ^ binary.BigEndian.Uint64(b[i:]); d != 0 {
			return 2*i + bits.LeadingZeros64(d)/4
		}
	}
	for ; i < n; i++ {
		if d := a[i] ^ b[i]; d != 0 {
			return 2*i + bits.LeadingZeros8(d)/4
		}
	}
	return 2 * n
}

// appendNibbles appends nibbles [0, n) of key to path, one to a byte.
func appendNibbles(path, key []byte, n int) []byte {
	for i := range n {
		path = append(path, nibble(key, i))
	}
	return path
}

// Flags of a hex-prefix encoded path (yellow paper, appendix C): the high nibble
// of its first byte. With flagOdd set the low nibble is the path's first one.
const (
	flagOdd  = 1
	flagLeaf = 2
)

// pathSize returns the length of the RLP string of the hex-prefix encoding of a
// path of n nibbles.
func pathSize(n int) int {
	l := n/2 + 1
	if l == 1 {
		return 1 // a flag byte alone is below 0x80, so it is its own RLP
	}
	return headSize(l) + l
}

// putPath writes the RLP string of the hex-prefix encoding of nibbles [from, to)
// of key to dst, and returns its length, pathSize(to-from). flag is flagLeaf or 0.
func putPath(dst, key []byte, from, to int, flag byte) int {
	n := to - from
	p := 0
	if l := n/2 + 1; l > 1 {
		p = putHead(dst, rlpString, l)
	}
	if n&1 != 0 {
		dst[p] = (flag|flagOdd)<<4 | nibble(key, from)
		from++
	} else {
		dst[p] = flag << 4
	}
	p++
	if from&1 == 0 { // whole bytes, as in every leaf of whole-byte keys
		return p + copy(dst[p:], key[from>>1:to>>1])
	}
	for ; from < to; from += 2 {
		dst[p] = nibble(key, from)<<4 | nibble(key, from+1)
		p++
	}
	return p
}
