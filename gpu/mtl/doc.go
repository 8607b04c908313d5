// Package mtl is the gpu.Device over Apple's Metal. It is built on macOS, and
// elsewhere with the tag metalsim over a simulator of Metal, which is never
// offered as anything else; both need cgo. Programs are in MSL.
//
// A small bridge in Objective-C (bridge.h) is the only cgo: it retains and
// releases by hand, drains its own autorelease pools, and decides nothing.
//
// # Memory
//
// Host and device share every buffer, so that there is nothing to copy where
// nobody is in the way. A Write to a buffer that no submission uses any more is a
// plain copy to it, and a read that the caller calls Still is a view of it.
// Otherwise data crosses through pooled staging buffers: the next command buffer
// begins with the writes, and ends with the reads.
//
// # Submissions
//
// A Submit commits one command buffer with one serial compute encoder, or none at
// all where it has nothing to do for the device. No other object of Metal's is
// made for it. Parameters and constants go with setBytes, so that a dispatch
// never reads those of another.
//
// # Waiting
//
// Metal calls a handler when a command buffer is done. A Wait looks for that
// without sleeping for spinFor, and then sleeps as a goroutine until a handler
// wakes it: no thread blocks for it. (waitUntilCompleted takes a thread; and
// the shared events of Metal may be seen earlier, but do not say whether the
// commands failed.)
package mtl
