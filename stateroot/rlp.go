package stateroot

import "math/bits"

// Offsets of the first byte of an RLP item (yellow paper, appendix B): the
// length of a short payload is added to it, or 55 and the number of bytes of the
// length of a long one.
const (
	rlpString = 0x80
	rlpList   = 0xc0
	rlpShort  = 55 // the longest short payload

	rlpEmpty  = rlpString              // the empty string
	rlpDigest = rlpString + digestSize // the first byte of a reference by hash
)

const digestSize = 32

// headSize returns the length of the head of an item with n bytes of payload.
func headSize(n int) int {
	if n <= rlpShort {
		return 1
	}
	return 1 + lengthSize(n)
}

// lengthSize returns the number of bytes of n without leading zeros; n > 0.
func lengthSize(n int) int {
	if n < 1<<8 {
		return 1 // as nearly always
	}
	return (bits.Len64(uint64(n)) + 7) / 8
}

// putHead writes the head of an item with n bytes of payload to dst and returns
// its length, headSize(n). kind is rlpString or rlpList.
func putHead(dst []byte, kind byte, n int) int {
	if n <= rlpShort {
		dst[0] = kind + byte(n)
		return 1
	}
	l := lengthSize(n)
	dst[0] = kind + rlpShort + byte(l)
	for i := l; i > 0; i-- {
		dst[i] = byte(n)
		n >>= 8
	}
	return 1 + l
}

// stringSize returns the length of the RLP string of s.
func stringSize(s []byte) int {
	if len(s) == 1 && s[0] < rlpString {
		return 1
	}
	return headSize(len(s)) + len(s)
}

// putString writes the RLP string of s to dst and returns its length,
// stringSize(s).
func putString(dst, s []byte) int {
	if len(s) == 1 && s[0] < rlpString {
		dst[0] = s[0]
		return 1
	}
	p := putHead(dst, rlpString, len(s))
	return p + copy(dst[p:], s)
}

// listSize returns the length of a list with n bytes of payload.
func listSize(n int) int { return headSize(n) + n }

// payloadSize undoes listSize: it returns the payload of a list of n bytes. No
// list has a length that listSize does not return.
func payloadSize(n int) int {
	if n <= 1+rlpShort {
		return n - 1
	}
	payload := n - 2
	for listSize(payload) > n {
		payload--
	}
	return payload
}
