package keccak

import "encoding/binary"

// The rates and domain bytes of the functions; see the package comment.
const (
	rate256 = 136 // Keccak-256, SHA3-256, SHAKE256
	rate128 = 168 // SHAKE128

	domainKeccak = 0x01
	domainSHA3   = 0x06
	domainSHAKE  = 0x1f
)

// Size is the length of a Keccak-256 or SHA3-256 digest in bytes.
const Size = 32

// Sum256 returns the Keccak-256 of data: the function Ethereum uses, which is
// not SHA3-256.
func Sum256(data []byte) (digest [Size]byte) {
	sum(&digest, data, domainKeccak)
	return digest
}

// SumSHA3256 returns the SHA3-256 of data.
func SumSHA3256(data []byte) (digest [Size]byte) {
	sum(&digest, data, domainSHA3)
	return digest
}

// SHAKE128 fills dst, of any length, with the output of SHAKE128 on data. They
// may overlap.
func SHAKE128(dst, data []byte) {
	x := XOF{short: true}
	x.Write(data)
	x.Read(dst)
}

// SHAKE256 fills dst, of any length, with the output of SHAKE256 on data. They
// may overlap.
func SHAKE256(dst, data []byte) {
	var x XOF
	x.Write(data)
	x.Read(dst)
}

// sum sets digest to the first 32 bytes squeezed at rate 136.
func sum(digest *[Size]byte, data []byte, domain byte) {
	var s sponge
	s.absorb(data, rate256)
	s.pad(rate256, domain)
	for i := range Size / 8 {
		binary.LittleEndian.PutUint64(digest[8*i:], s.a[i])
	}
}

// sponge is a state and the place in the block at hand.
type sponge struct {
	a  lanes
	at int // bytes of the block that are absorbed or squeezed, in [0, rate]
}

// absorb adds p to the state, block by block.
func (s *sponge) absorb(p []byte, rate int) {
	for _, b := range p {
		s.a[s.at/8] ^= uint64(b) << (8 * (s.at % 8))
		if s.at++; s.at == rate {
			s.a.permuteReference()
			s.at = 0
		}
	}
}

// pad ends the message and leaves the first block of output in the state.
func (s *sponge) pad(rate int, domain byte) {
	s.a[s.at/8] ^= uint64(domain) << (8 * (s.at % 8))
	s.a[rate/8-1] ^= 0x80 << 56
	s.a.permuteReference()
	s.at = 0
}

// squeeze fills p with output.
func (s *sponge) squeeze(p []byte, rate int) {
	for i := range p {
		if s.at == rate {
			s.a.permuteReference()
			s.at = 0
		}
		p[i] = byte(s.a[s.at/8] >> (8 * (s.at % 8)))
		s.at++
	}
}
