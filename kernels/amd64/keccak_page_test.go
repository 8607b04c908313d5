//go:build amd64 && !purego && unix

package amd64

import (
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// lastPage returns a page of memory after which there is none that can be read.
func lastPage(t *testing.T) (page []byte, free func()) {
	size := syscall.Getpagesize()
	m, err := syscall.Mmap(-1, 0, 2*size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	require.NoError(t, err)
	require.NoError(t, syscall.Mprotect(m[size:], syscall.PROT_NONE))
	return m[:size], func() { require.NoError(t, syscall.Munmap(m)) }
}
