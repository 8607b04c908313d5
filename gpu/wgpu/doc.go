// Package wgpu is the gpu.Device over WebGPU as github.com/gogpu/wgpu
// implements it in Go: Vulkan, Metal and DX12, without cgo.
//
// It drives that module's hardware layer (package hal) rather than its WebGPU
// face, for three reasons. An adapter can be chosen by name there. The face
// makes a staging buffer for every large write, and well over a hundred small
// allocations for a submission. And barriers can be stated exactly: the face
// puts none between a queue's write and the kernel that reads it. What the face
// validates is therefore validated here, before anything reaches the driver,
// since hal takes a wrong argument for no operation and says nothing.
//
// Two adapters of that module are never used. Its software adapter ignores
// workgroup barriers and so returns wrong results without an error; Mesa's
// lavapipe is the CPU device that can be trusted. Its OpenGL adapter ties a
// device to the thread that made it and reports limits that are not the
// driver's.
//
// # How work reaches the queue
//
// Writes, clears and a submission's own commands are recorded into one batch,
// which Submit ends and hands to the queue. Data crosses through staging memory
// that belongs to the batch until the device has done it; that memory, the
// command encoders and the bind groups are pooled, so that a submission in the
// steady state makes none of them.
//
// The parameters of a dispatch travel the same way: they are copied, in queue
// order, to a slot of a uniform buffer. A slot is thus never written while a
// dispatch that was submitted before can still read it. The slots are bound at
// fixed offsets, one bind group each, because dynamic offsets are ignored on
// DX12.
package wgpu
