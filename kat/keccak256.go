package kat

import (
	"crypto/sha3"
	"fmt"
)

// rate256 is the rate of Keccak-256, SHA3-256 and SHAKE256, in bytes.
const rate256 = 136

// keccak256 returns the Keccak-256 of data, which Go's library does not have:
// its SHA3-256 is the same sponge with another padding. So data is padded here
// and written as whole blocks, and the digest is the start of the state after
// them. It is here to hash keys and to check digests of a file without package
// keccak, whose hashers these files check.
func keccak256(data []byte) [32]byte {
	h := sha3.New256()
	whole := len(data) - len(data)%rate256
	var last [rate256]byte
	last[copy(last[:], data[whole:])] ^= 0x01
	last[rate256-1] ^= 0x80
	h.Write(data[:whole])
	h.Write(last[:])
	state, err := h.MarshalBinary()
	// The encoding is four bytes that name it, the rate, then the state.
	if err != nil || len(state) < 5+200 || state[4] != rate256 {
		panic(fmt.Sprintf("kat: crypto/sha3 encodes its state in a way that is not known here: %v", err))
	}
	return [32]byte(state[5:])
}
