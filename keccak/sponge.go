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

// sponge is a state and the place in the block at hand. The rate is the
// caller's, so that the zero value is that of every function.
type sponge struct {
	a  lanes
	at int // bytes absorbed, in [0, rate), or squeezed, in [0, rate]
}

// absorb adds p to the message.
func (s *sponge) absorb(p []byte, rate int) {
	if s.at > 0 {
		n := min(rate-s.at, len(p))
		s.a.xorAt(s.at, p[:n])
		s.at += n
		if s.at < rate {
			return
		}
		s.a.permute()
		s.at, p = 0, p[n:]
	}
	for ; len(p) >= rate; p = p[rate:] {
		s.a.xor(p[:rate])
		s.a.permute()
	}
	s.a.xorAt(0, p)
	s.at = len(p)
}

// pad ends the message and leaves the first block of output in the state.
func (s *sponge) pad(rate int, domain byte) {
	s.a[s.at/8] ^= uint64(domain) << (s.at % 8 * 8)
	s.a[rate/8-1] ^= 0x80 << 56
	s.a.permute()
	s.at = 0
}

// squeeze fills p with the next bytes of output.
func (s *sponge) squeeze(p []byte, rate int) {
	for len(p) > 0 {
		if s.at == rate {
			s.a.permute()
			s.at = 0
		}
		n := min(rate-s.at, len(p))
		s.a.read(p[:n], s.at)
		s.at += n
		p = p[n:]
	}
}

// xor adds p, whole lanes of it, to the first lanes of the state.
func (a *lanes) xor(p []byte) {
	for i := range len(p) / 8 {
		a[i] ^= binary.LittleEndian.Uint64(p[8*i:])
	}
}

// xorAt adds p to the bytes of the state from byte at on.
func (a *lanes) xorAt(at int, p []byte) {
	for ; len(p) > 0 && at%8 != 0; at, p = at+1, p[1:] {
		a[at/8] ^= uint64(p[0]) << (at % 8 * 8)
	}
	for ; len(p) >= 8; at, p = at+8, p[8:] {
		a[at/8] ^= binary.LittleEndian.Uint64(p)
	}
	for i, b := range p {
		a[at/8] ^= uint64(b) << (i * 8)
	}
}

// read sets p to the bytes of the state from byte at on.
func (a *lanes) read(p []byte, at int) {
	for ; len(p) > 0 && at%8 != 0; at, p = at+1, p[1:] {
		p[0] = byte(a[at/8] >> (at % 8 * 8))
	}
	for ; len(p) >= 8; at, p = at+8, p[8:] {
		binary.LittleEndian.PutUint64(p, a[at/8])
	}
	for i := range p {
		p[i] = byte(a[at/8] >> (i * 8))
	}
}
