package gputest

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/crosspoint-kernels/crosspoint/gpu"
)

// check is one case of the suite. It says by its error what the device got
// wrong, so that it can be run against a device that is known to be flawed.
type check struct {
	name string
	run  func(*rig) error
}

// rig is what a check works with: a device of its own.
type rig struct {
	dev      gpu.Device
	programs Programs
}

// checks returns the suite.
func checks() []check {
	var all []check
	for _, part := range [][]check{bufferChecks, orderChecks, argumentChecks, lifetimeChecks, waitChecks} {
		all = append(all, part...)
	}
	return all
}

// TestDevice runs the conformance suite against a WebGPU device. open is called
// for each case; the suite closes what it returns.
func TestDevice(t *testing.T, open func() (gpu.Device, error)) {
	TestDeviceWith(t, open, WGSL())
}

// TestDeviceWith is TestDevice for a device of another language.
func TestDeviceWith(t *testing.T, open func() (gpu.Device, error), programs Programs) {
	for _, c := range checks() {
		t.Run(c.name, func(t *testing.T) {
			dev, err := open()
			if err != nil {
				t.Fatal(err)
			}
			if err := c.run(&rig{dev: dev, programs: programs}); err != nil {
				t.Error(err)
			}
			if err := dev.Close(); err != nil {
				t.Errorf("Close: %v", err)
			}
		})
	}
}

// bound is a kernel bound to buffers. Close of the device releases them.
func (r *rig) bound(src gpu.Source, buffers ...gpu.Buffer) (gpu.Binding, error) {
	k, err := r.dev.NewKernel(src)
	if err != nil {
		return nil, fmt.Errorf("NewKernel(%s): %w", src.Name, err)
	}
	b, err := r.dev.Bind(k, buffers...)
	if err != nil {
		return nil, fmt.Errorf("Bind(%s): %w", src.Name, err)
	}
	return b, nil
}

// words makes a buffer that holds what f says of each index.
func (r *rig) words(n int, f func(i int) uint32) (gpu.Buffer, error) {
	b, err := r.dev.NewBuffer("words", 4*n)
	if err != nil {
		return nil, fmt.Errorf("NewBuffer: %w", err)
	}
	if f == nil {
		return b, nil
	}
	if err := b.Write(0, pack(n, f)); err != nil {
		return nil, fmt.Errorf("Write: %w", err)
	}
	return b, nil
}

// pack makes bytes of words.
func pack(n int, f func(i int) uint32) []byte {
	p := make([]byte, 4*n)
	for i := range n {
		setWord(p, i, f(i))
	}
	return p
}

// do submits work, waits, and hands the views on while they are valid.
func (r *rig) do(w gpu.Work, use func(p gpu.Pending) error) error {
	p, err := r.dev.Submit(w)
	if err != nil {
		return fmt.Errorf("Submit: %w", err)
	}
	defer p.Release()
	if err := p.Wait(context.Background()); err != nil {
		return fmt.Errorf("Wait: %w", err)
	}
	if use == nil {
		return nil
	}
	return use(p)
}

// expect reads a buffer and compares its words.
func (r *rig) expect(what string, b gpu.Buffer, f func(i int) uint32) error {
	n := b.Size() &^ 7
	w := gpu.Work{Reads: []gpu.Range{{Buffer: b, Size: n}}}
	return r.do(w, func(p gpu.Pending) error { return compare(what, p.View(0), n/4, f) })
}

func compare(what string, view []byte, n int, f func(i int) uint32) error {
	if len(view) != 4*n {
		return fmt.Errorf("%s: a view of %d bytes, want %d", what, len(view), 4*n)
	}
	for i := range n {
		if got, want := word(view, i), f(i); got != want {
			return fmt.Errorf("%s: word %d is %#x, want %#x", what, i, got, want)
		}
	}
	return nil
}

// wrapped checks that err is of a kind and says more than that.
func wrapped(what string, err, kind error) error {
	if err == nil {
		return fmt.Errorf("%s: no error, want one that wraps %q", what, kind)
	}
	if !errors.Is(err, kind) {
		return fmt.Errorf("%s: %v, want an error that wraps %q", what, err, kind)
	}
	var e *gpu.Error
	if !errors.As(err, &e) || e.Op == "" {
		return fmt.Errorf("%s: %v is not a *gpu.Error with an operation", what, err)
	}
	return nil
}

// each runs steps up to the first error.
func each(steps ...func() error) error {
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}
