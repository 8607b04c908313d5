package main

import (
	"slices"
	"strconv"
	"strings"
)

// ops are the operations of the vectors with their number of operands.
var ops = []struct {
	name     string
	operands int
}{
	{"forward", 1}, {"inverse", 1}, {"mul", 2}, {"muladd", 3},
	{"mulmont", 2}, {"muladdmont", 3}, {"mform", 1}, {"imform", 1},
}

// newFile returns a file without vectors.
func newFile(name, note string) file {
	f := file{Name: name, Provenance: provenance{
		Source:   "github.com/tuneinsight/lattigo/v6 v6.1.1, package ring; spot-checked with math/big",
		Licence:  "Apache-2.0 (lattigo)",
		Command:  "cd kat/_gen && go run .",
		Versions: "Go 1.26, github.com/tuneinsight/lattigo/v6 v6.1.1",
		Note:     note,
	}}
	for _, o := range oracles {
		f.Rings = append(f.Rings, o.record())
	}
	return f
}

// add appends the vector of op on the inputs, with the output that the oracle
// computes.
func (f *file) add(o *oracle, name, op string, rows int, in ...operand) {
	batches := make([][]uint64, len(in))
	for i := range in {
		batches[i] = o.expand(in[i], rows)
	}
	out := o.apply(op, batches)
	f.Vectors = append(f.Vectors, vector{
		Name: o.name + "/" + op + "/" + name, Ring: o.name, Op: op, Rows: rows,
		Inputs: in, Output: o.summary(out),
	})
}

// summary keeps an output as short as it can be without losing a coefficient,
// where that is short enough, and else its digest and both ends.
func (o *oracle) summary(out []uint64) output {
	switch {
	case len(slices.Compact(slices.Clone(out))) == 1:
		return output{operand: periodic(out[0])}
	case o.small():
		return output{operand: operand{Rows: rowsOf(out, o.N)}}
	}
	return digestOf(out)
}

// small reports whether rows of the ring are written out.
func (o *oracle) small() bool { return o.N <= 16 && o.Modulus < 1<<16 }

func digestOf(out []uint64) output {
	return output{operand: operand{SHA3: sha3Of(out)}, First: words(out[:8]), Last: words(out[len(out)-4:])}
}

// rows is how many rows the vectors of a ring have: more than the groups that
// kernels make of them, few where they are written out.
func (o *oracle) rows() int {
	if o.small() {
		return 3
	}
	return 9
}

// randomFile holds random operands.
func randomFile() file {
	f := newFile("random", "operands are splitmix64 streams modulo q")
	for _, o := range oracles {
		for _, op := range ops {
			in := make([]operand, op.operands)
			for i := range in {
				in[i] = random(seedOf(o.name + op.name + strconv.Itoa(i)))
			}
			f.add(o, "random", op.name, o.rows(), in...)
		}
	}
	return f
}

// structuredFile holds operands by which outputs hold 0 and q-1, where a wrong
// last reduction shows.
func structuredFile() file {
	f := newFile("structured", "outputs hold 0 and q-1")
	for _, o := range oracles {
		q, rows := o.Modulus, o.rows()
		r := o.exp(2, 64)
		rInv := o.inverse(r)
		f.addForwardToSparse(o)
		f.add(o, "sparse", "inverse", rows, sparse(seedOf(o.name+"inverse")))
		f.add(o, "sparse", "mul", rows, sparse(1), sparse(2))
		f.add(o, "sparse", "muladd", rows, periodic(q-1), sparse(1), sparse(2))
		f.add(o, "times-R", "mulmont", rows, sparse(3), periodic(r))
		f.add(o, "times-R", "muladdmont", rows, periodic(q-1, 0, 1), sparse(3), periodic(r))
		f.add(o, "0-1-max", "mform", rows, periodic(0, rInv, q-rInv))
		f.add(o, "0-1-max", "imform", rows, periodic(0, r, q-r))
	}
	return f
}

// addForwardToSparse appends a forward transform whose output is sparse; its
// input is written out.
func (f *file) addForwardToSparse(o *oracle) {
	if o == q60 {
		return // 16 kB a row
	}
	rows := 1
	if o.N <= 16 {
		rows = 3
	}
	want := sparse(seedOf(o.name + "forward"))
	in := o.apply("inverse", [][]uint64{o.expand(want, rows)})
	o.apply("forward", [][]uint64{in}) // checks in, by its definition
	f.Vectors = append(f.Vectors, vector{
		Name: o.name + "/forward/to-sparse", Ring: o.name, Op: "forward", Rows: rows,
		Inputs: []operand{{Rows: rowsOf(in, o.N)}}, Output: output{operand: want},
	})
}

// edgeFile holds the largest operands and the places where rows begin and end.
func edgeFile() file {
	f := newFile("edge", "operands are 0 and q-1")
	for _, o := range oracles {
		top := o.Modulus - 1
		for _, op := range ops[:2] {
			f.add(o, "all-max", op.name, 2, periodic(top))
			f.add(o, "alternating", op.name, 2, periodic(0, top))
			f.add(o, "max-at-first", op.name, 2, delta(0, top))
			f.add(o, "max-at-last", op.name, 2, delta(o.N-1, top))
		}
		for _, op := range ops[2:] {
			f.add(o, "all-max", op.name, 2, slices.Repeat([]operand{periodic(top)}, op.operands)...)
		}
	}
	return f
}

// parse reads what words writes.
func parse(s string) []uint64 {
	var ws []uint64
	for _, f := range strings.Fields(s) {
		w, err := strconv.ParseUint(f, 16, 64)
		if err != nil {
			panic(err) // words wrote it
		}
		ws = append(ws, w)
	}
	return ws
}
