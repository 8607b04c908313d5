package keccak

import "io"

// XOF is SHAKE128 or SHAKE256 of a message that comes in parts, with output as
// long as one likes. The message is written first and the output read after it.
// The zero value is SHAKE256 of an empty message. A copy of an XOF goes on from
// where it was taken.
type XOF struct {
	s         sponge
	short     bool // SHAKE128
	squeezing bool
}

var _ io.ReadWriter = (*XOF)(nil)

// NewSHAKE128 returns a SHAKE128 of an empty message.
func NewSHAKE128() *XOF { return &XOF{short: true} }

// NewSHAKE256 returns a SHAKE256 of an empty message.
func NewSHAKE256() *XOF { return &XOF{} }

// Write adds p to the message. After the first Read it returns ErrSqueezing.
func (x *XOF) Write(p []byte) (int, error) {
	if x.squeezing {
		return 0, ErrSqueezing
	}
	x.s.absorb(p, x.BlockSize())
	return len(p), nil
}

// Read fills p with the next bytes of output. It never fails.
func (x *XOF) Read(p []byte) (int, error) {
	if !x.squeezing {
		x.squeezing = true
		x.s.pad(x.BlockSize(), domainSHAKE)
	}
	x.s.squeeze(p, x.BlockSize())
	return len(p), nil
}

// Reset forgets what was written and read.
func (x *XOF) Reset() { *x = XOF{short: x.short} }

// BlockSize returns the rate: 168 for SHAKE128, 136 for SHAKE256.
func (x *XOF) BlockSize() int {
	if x.short {
		return rate128
	}
	return rate256
}
