package device

import (
	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/keccak"
)

// Keccak makes a hasher.
func (b *backend) Keccak() (keccak.Hasher, error) {
	return nil, b.fail("keccak", 0, backends.ErrUnsupported)
}
