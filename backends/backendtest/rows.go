package backendtest

import (
	"slices"

	"github.com/crosspoint-kernels/crosspoint/kat"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// rowKinds make one row. Random rows alone miss reduction bugs: the others have
// 0 and q-1 among their coefficients or among the outputs of some operation.
var rowKinds = []func(r *ntt.Ring, row []uint64, s *kat.SplitMix64){
	func(r *ntt.Ring, row []uint64, s *kat.SplitMix64) { s.Fill(row, r.Q()) },
	sparse,
	func(r *ntt.Ring, row []uint64, s *kat.SplitMix64) { sparse(r, row, s); r.InverseReduced(row, row) },
	func(r *ntt.Ring, row []uint64, s *kat.SplitMix64) { sparse(r, row, s); r.ForwardReduced(row, row) },
	func(r *ntt.Ring, row []uint64, s *kat.SplitMix64) { sparse(r, row, s); r.MFormReduced(row, row) },
	func(r *ntt.Ring, row []uint64, s *kat.SplitMix64) { sparse(r, row, s); r.IMFormReduced(row, row) },
	func(r *ntt.Ring, row []uint64, _ *kat.SplitMix64) { kat.FillPeriodic(row, r.N(), r.Q()-1) },
	func(r *ntt.Ring, row []uint64, _ *kat.SplitMix64) { kat.FillPeriodic(row, r.N(), 0, r.Q()-1) },
	func(r *ntt.Ring, row []uint64, _ *kat.SplitMix64) { kat.FillDelta(row, r.N(), 0, r.Q()-1) },
	func(r *ntt.Ring, row []uint64, _ *kat.SplitMix64) { kat.FillDelta(row, r.N(), r.N()-1, r.Q()-1) },
}

func sparse(r *ntt.Ring, row []uint64, s *kat.SplitMix64) { s.FillSparse(row, r.Q()) }

// rows returns a batch of rows whose kinds and contents the seed decides. Half
// of them are random.
func rows(r *ntt.Ring, n int, seed uint64) []uint64 {
	s := kat.NewSplitMix64(seed)
	batch := make([]uint64, n*r.N())
	for row := range slices.Chunk(batch, r.N()) {
		kind := 0
		if x := s.Uint64(); x%2 == 0 {
			kind = int(x / 2 % uint64(len(rowKinds)))
		}
		rowKinds[kind](r, row, s)
	}
	return batch
}

// poison returns n words that are no residues, so that a coefficient that was
// never written shows.
func poison(n int) []uint64 { return slices.Repeat([]uint64{0xdead_dead_dead_dead}, n) }

// difference returns the first one between two equally long batches of rows of
// n coefficients, or nil.
func difference(n int, got, want []uint64) error {
	for i, w := range want {
		if g := got[i]; g != w {
			return &kat.Mismatch{Row: i / n, Index: i % n, Got: g, Want: w}
		}
	}
	return nil
}
