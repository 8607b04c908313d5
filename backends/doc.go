// Package backends is what callers use: a Backend opened by name, a Plan for
// one ring on it, and a Batch of rows that stay on its device.
//
// A backend is a choice of speed, never of result: every one of them gives the
// same bytes, and package backendtest holds them to it. Nothing here ever
// replaces one backend by another. A backend that cannot do a thing says so
// with a typed error. Package auto is a backend whose purpose is to choose among the
// others; it tells what it chose.
//
// Import the backends wanted, or all of them, for their registration:
//
//	import _ "github.com/crosspoint-kernels/crosspoint/backends/all"
package backends
