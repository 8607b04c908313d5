package wgpu

import (
	"fmt"
	"runtime"
)

// steadyFrame is what onSteadyStack takes of a stack: more than a call of hal
// needs beside it.
const steadyFrame = 64 << 10

// onSteadyStack runs f, a call of hal, where the stack stays in its place.
//
// hal's Vulkan gives the driver the address of a variable on its stack as a
// number, which the Go runtime does not know of when it moves the stack: for
// where vkMapMemory is to put its result, and for the name of a pipeline's entry
// point. With the garbage collector at work beside it such a call fails now and
// then, and what the driver wrote went elsewhere. A stack moves when it must
// grow, or when less than a quarter of it is in use. That of a new goroutine with
// a frame so large does neither.
func onSteadyStack(f func() error) (err error) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			if r := recover(); r != nil {
				err = fmt.Errorf("the driver panicked: %v", r)
			}
		}()
		var frame [steadyFrame]byte
		err = f()
		runtime.KeepAlive(&frame)
	}()
	<-done
	return err
}
