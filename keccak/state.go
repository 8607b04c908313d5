package keccak

import "hash"

// State is Keccak-256 of one message that comes in parts. It implements
// hash.Hash, and the zero value is the state of an empty message. A copy of a
// State goes on from where it was taken.
type State struct{ s sponge }

var _ hash.Hash = (*State)(nil)

// Write adds p to the message. It never fails.
func (s *State) Write(p []byte) (int, error) {
	s.s.absorb(p, rate256)
	return len(p), nil
}

// Sum256 returns the digest of what was written so far. More may be written
// afterwards.
func (s *State) Sum256() (digest [Size]byte) {
	end := s.s
	end.pad(rate256, domainKeccak)
	end.squeeze(digest[:], rate256)
	return digest
}

// Sum appends the digest of what was written so far to b.
func (s *State) Sum(b []byte) []byte {
	digest := s.Sum256()
	return append(b, digest[:]...)
}

// Reset forgets what was written.
func (s *State) Reset() { *s = State{} }

// Size returns the length of a digest, 32.
func (s *State) Size() int { return Size }

// BlockSize returns the rate, 136.
func (s *State) BlockSize() int { return rate256 }
