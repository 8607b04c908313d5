package ntt

import (
	"fmt"
	"math/rand/v2"
)

// direction is one of the two transforms as the tests see it.
type direction struct {
	name      string
	run       transform // what users call
	reference transform // the textbook transform, row by row
	undo      transform // the textbook transform the other way
	undoStage func(r *Ring, a []uint64, stage int)
}

type transform func(r *Ring, dst, src []uint64)

var directions = []direction{
	{"forward", (*Ring).ForwardReduced, rowByRow((*Ring).forwardGeneric), rowByRow((*Ring).inverseGeneric), undoForwardStage},
	{"inverse", (*Ring).InverseReduced, rowByRow((*Ring).inverseGeneric), rowByRow((*Ring).forwardGeneric), undoInverseStage},
}

// rowByRow makes a transform of what transforms one row in place.
func rowByRow(f func(r *Ring, a []uint64)) transform {
	return func(r *Ring, dst, src []uint64) {
		copy(dst, src)
		for i := 0; i < len(dst); i += r.n {
			f(r, dst[i:i+r.n])
		}
	}
}

// undoForwardStage takes the residues of a row after the forward stage (from 0)
// to those before it.
func undoForwardStage(r *Ring, a []uint64, stage int) {
	m := 1 << stage
	half := newTwiddle((r.q+1)/2, r.q)
	eachButterfly(r, a, m, func(x, y *uint64, i int) {
		u, v := mulShoup(*x, half, r.q), mulShoup(*y, half, r.q)
		*x, *y = reduceOnce(u+v, r.q), mulShoup(subMod(u, v, r.q), r.inv[m+i], r.q)
	})
}

// undoInverseStage takes the residues of a row after the inverse stage (from 0)
// to those before it.
func undoInverseStage(r *Ring, a []uint64, stage int) {
	m := r.n / 2 >> stage
	half := newTwiddle((r.q+1)/2, r.q)
	eachButterfly(r, a, m, func(x, y *uint64, i int) {
		u, v := mulShoup(*x, half, r.q), mulShoup(mulShoup(*y, half, r.q), r.fwd[m+i], r.q)
		*x, *y = reduceOnce(u+v, r.q), subMod(u, v, r.q)
	})
}

func eachButterfly(r *Ring, a []uint64, m int, f func(x, y *uint64, i int)) {
	t := r.n / 2 / m
	for i := range m {
		for j := 2 * i * t; j < 2*i*t+t; j++ {
			f(&a[j], &a[j+t], i)
		}
	}
}

// structuredRows returns rows that random ones do not reach, and a name for
// each: rows at the ends of the range, rows whose transform is sparse and so
// holds 0, 1 and q-1, and rows that are at the ends of the range, as residues,
// when a stage begins. Random rows alone miss errors such as > for >= in a
// reduction.
func structuredRows(r *Ring, d direction, rng *rand.Rand) (rows []uint64, names []string) {
	add := func(row []uint64, name string, args ...any) {
		rows, names = append(rows, row...), append(names, fmt.Sprintf(name, args...))
	}
	extremes := []struct {
		name string
		at   func(i int) uint64
	}{
		{"all q-1", func(int) uint64 { return r.q - 1 }},
		{"0 and q-1 in turn", func(i int) uint64 { return (r.q - 1) * uint64(i&1) }},
		{"q-1, then 0", func(i int) uint64 { return (r.q - 1) * uint64(1-i/(r.n/2)) }},
		{"0, then q-1", func(i int) uint64 { return (r.q - 1) * uint64(i/(r.n/2)) }},
		{"0 or q-1 at random", func(int) uint64 { return (r.q - 1) * (rng.Uint64() & 1) }},
	}
	add(make([]uint64, r.n), "all 0")
	few := r.n > 2048 // where each row costs milliseconds
	for _, i := range []int{0, 1, r.n / 2, r.n - 1} {
		for _, x := range []uint64{1, r.q - 1} {
			if few && (i != r.n-1 || x == 1) {
				continue
			}
			row := make([]uint64, r.n)
			row[i] = x
			add(row, "%d at %d", x, i)
		}
	}
	for k := 1; k <= r.n; k *= 4 {
		if few && k != 64 {
			continue
		}
		row := make([]uint64, r.n)
		for range k {
			row[rng.IntN(r.n)] = []uint64{1, r.q - 1}[rng.IntN(2)]
		}
		d.undo(r, row, row)
		add(row, "to at most %d coefficients 1 or q-1", k)
	}
	for _, e := range extremes {
		for stage := range r.logN + 1 {
			if few && stage != 1 && stage != r.logN-4 {
				continue
			}
			row := make([]uint64, r.n)
			for i := range row {
				row[i] = e.at(i)
			}
			for s := stage - 1; s >= 0; s-- {
				d.undoStage(r, row, s)
			}
			add(row, "%s as stage %d begins", e.name, stage)
		}
	}
	return rows, names
}

// checkTransform compares run with the reference of d on every row of src, out
// of place and in place, and says where they differ. It also wants the words
// around the arguments, and src, to be left alone.
func checkTransform(r *Ring, d direction, run transform, src []uint64) error {
	want := make([]uint64, len(src))
	d.reference(r, want, src)
	in, inIntact := guarded(len(src))
	copy(in, src)
	out, outIntact := guarded(len(src))
	run(r, out, in)
	if err := sameRows(r, out, want); err != nil {
		return fmt.Errorf("out of place: %w", err)
	}
	if err := sameRows(r, in, src); err != nil {
		return fmt.Errorf("src changed: %w", err)
	}
	run(r, in, in)
	if err := sameRows(r, in, want); err != nil {
		return fmt.Errorf("in place: %w", err)
	}
	if !inIntact() || !outIntact() {
		return fmt.Errorf("wrote outside dst")
	}
	return nil
}

func sameRows(r *Ring, got, want []uint64) error {
	for i := range want {
		if got[i] != want[i] {
			return &differenceError{i / r.n, i % r.n, got[i], want[i]}
		}
	}
	return nil
}

// differenceError says where two batches differ first.
type differenceError struct {
	row, index int
	got, want  uint64
}

func (e *differenceError) Error() string {
	return fmt.Sprintf("row %d, coefficient %d: got %d, want %d", e.row, e.index, e.got, e.want)
}
