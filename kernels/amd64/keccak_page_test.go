//go:build amd64 && !purego && unix

package amd64

import (
	"math/rand/v2"
	"syscall"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/keccak"
)

// lastPage returns a page of memory after which there is none that can be read.
func lastPage(t *testing.T) (page []byte, free func()) {
	size := syscall.Getpagesize()
	m, err := syscall.Mmap(-1, 0, 2*size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	require.NoError(t, err)
	require.NoError(t, syscall.Mprotect(m[size:], syscall.PROT_NONE))
	return m[:size], func() { require.NoError(t, syscall.Munmap(m)) }
}

// TestKeccakAtTheEndOfMemory has messages that end where memory ends, so that a
// read beyond one would be a fault.
func TestKeccakAtTheEndOfMemory(t *testing.T) {
	needKeccak(t)
	page, free := lastPage(t)
	defer free()
	r := rand.New(rand.NewPCG(7, 8))
	copy(page, randomMessage(r, len(page)))
	for n := 1; n < 300; n++ {
		var (
			dst  [8]*[32]byte
			msg  [8]*byte
			tail [8]uint64
			out  [8][32]byte
		)
		m := page[len(page)-n:]
		for j := range dst {
			dst[j], msg[j], tail[j] = &out[j], unsafe.SliceData(m), uint64(n%136)
		}
		Keccak256x8(&dst, &msg, &tail, uint64(n/136), tail[0])
		require.Equal(t, keccak.Sum256(m), out[7], "%d bytes", n)
	}
}
