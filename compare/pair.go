package main

import (
	"context"
	"fmt"
)

// side is one way of doing a piece of work.
type side struct {
	name  string
	units float64 // polynomials, products, ... that one run does
	run   func(ctx context.Context) error
	// output returns the result of the last run as flat rows.
	output func() []uint64
}

// pair is the same work done twice.
type pair struct {
	work        string
	ours, rival side
}

// verify runs both sides once and compares what they give, over the rows that
// both have.
func (p pair) verify(ctx context.Context) error {
	if err := p.ours.run(ctx); err != nil {
		return err
	}
	ours := append([]uint64(nil), p.ours.output()...)
	if err := p.rival.run(ctx); err != nil {
		return err
	}
	rival := p.rival.output()
	n := min(len(ours), len(rival))
	if n == 0 {
		return fmt.Errorf("nothing to compare: %d and %d coefficients", len(ours), len(rival))
	}
	for i := range n {
		if ours[i] != rival[i] {
			return fmt.Errorf("coefficient %d: %s gives %d, %s gives %d", i, p.ours.name, ours[i], p.rival.name, rival[i])
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
