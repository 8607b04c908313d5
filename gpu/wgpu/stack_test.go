package wgpu

import (
	"runtime"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// use calls itself until it has used that many frames of the stack.
//
//go:noinline
func use(frames int) byte {
	var frame [128]byte
	if frames > 0 {
		frame[frames%128] = use(frames - 1)
	}
	return frame[(frames+1)%128]
}

// moved reports whether the garbage collector moves the stack of its caller,
// of which a little is used after much has been.
//
//go:noinline
func moved() bool {
	use(100)
	var x int
	before := uintptr(unsafe.Pointer(&x))
	runtime.GC()
	return uintptr(unsafe.Pointer(&x)) != before
}

func TestSteadyStack(t *testing.T) {
	plain, steady := make(chan bool), false
	go func() { plain <- moved() }()
	require.True(t, <-plain, "the test sees nothing")
	for range 2 {
		require.NoError(t, onSteadyStack(func() error {
			steady = moved()
			return nil
		}))
		require.False(t, steady)
	}
	require.Equal(t, errDriver, onSteadyStack(func() error { return errDriver }))
	require.ErrorContains(t, onSteadyStack(func() error { panic(errDriver) }), errDriver.Error())
}
