package backends

import (
	"context"
	"time"
)

// Timing is where the time of one call of a Plan or a Hasher went. On a backend
// that overlaps its phases they need not sum to Total.
type Timing struct {
	Op string // "keccak" for every call of a Hasher
	// Rows, or messages, or leaves, are those that are final: all, or as many as the
	// error of a call that failed says are done.
	Rows int
	// Chunks is the number of submissions to a device; 0 on a CPU.
	Chunks int
	// Upload is host time spent checking, packing and copying to the device;
	// Kernel is time spent waiting for the device, or computing on a CPU;
	// Download is host time spent copying back.
	Upload, Kernel, Download time.Duration
	Total                    time.Duration
	// Route is, of a backend that chooses among others, which of them did which rows,
	// and why: "wgsl [0, 4096): fastest". It is empty of every other one.
	Route string
}

type timingKey struct{}

// WithTiming returns a context under which each call of a Plan, and of a Hasher
// that a Backend made, reports its Timing to f, before it returns and on its
// goroutine, as net/http/httptrace does: once, whatever the call returns. A call
// without it takes no time stamps.
func WithTiming(ctx context.Context, f func(Timing)) context.Context {
	return context.WithValue(ctx, timingKey{}, f)
}

// TimingFrom returns the function given to WithTiming, or nil. It is for the
// packages that implement backends.
func TimingFrom(ctx context.Context) func(Timing) {
	f, _ := ctx.Value(timingKey{}).(func(Timing))
	return f
}
