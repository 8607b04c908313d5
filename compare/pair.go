package main

import (
	"bytes"
	"context"
	"fmt"
	"unsafe"
)

// side is one way of doing a piece of work.
type side struct {
	name  string
	units float64 // polynomials, products, ... that one run does
	run   func(ctx context.Context) error
	// output returns the result of the last run.
	output func() []byte
}

// pair is the same work done twice.
type pair struct {
	work        string
	ours, rival side
}

// verify runs both sides once and compares what they give, as far as both go.
func (p pair) verify(ctx context.Context) error {
	if err := p.ours.run(ctx); err != nil {
		return err
	}
	ours := bytes.Clone(p.ours.output())
	if err := p.rival.run(ctx); err != nil {
		return err
	}
	rival := p.rival.output()
	n := min(len(ours), len(rival))
	if n == 0 {
		return fmt.Errorf("nothing to compare: %d and %d bytes", len(ours), len(rival))
	}
	for i := range n {
		if ours[i] != rival[i] {
			return fmt.Errorf("byte %d: %s gives %#02x, %s gives %#02x", i, p.ours.name, ours[i], p.rival.name, rival[i])
		}
	}
	return nil
}

// random returns n values below q, the same ones every time.
func random(n int, q uint64) []uint64 {
	s := make([]uint64, n)
	x := uint64(n)
	for i := range s {
		x = x*6364136223846793005 + 1442695040888963407
		s[i] = (x >> 3) % q
	}
	return s
}

// bytesOf views coefficients as the bytes that a little-endian machine stores.
func bytesOf(s []uint64) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), 8*len(s))
}
