package kat

import "fmt"

// Probe holds edge pairs of the single operations modulo the q of a ring, for
// a device's probe kernels. They reach what transforms of random rows do not:
// results of exactly 0 and q-1, and operands at the limb boundaries of the
// representations that kernels use.
type Probe struct {
	Ring  Ring
	Cases []ProbeCase
}

// ProbeCase is one pair a, b in [0, q) with its results in [0, q): a+b, a-b,
// a*b and a*b/2^64 modulo q, as math/big computes them.
type ProbeCase struct{ A, B, Add, Sub, Mul, MulMont uint64 }

func (j probeJSON) parse(rings map[string]Ring) (Probe, error) {
	ring, ok := rings[j.Ring]
	if !ok {
		return Probe{}, fmt.Errorf("%w: ring %q is not in the file", ErrRing, j.Ring)
	}
	p := Probe{Ring: ring, Cases: make([]ProbeCase, len(j.Cases))}
	for i, s := range j.Cases {
		w, err := parseWords(s)
		if err == nil && len(w) != 6 {
			err = fmt.Errorf("%w: %d values, want 6", ErrLength, len(w))
		}
		if err == nil {
			err = checkRange(w, ring.Q)
		}
		if err != nil {
			return p, fmt.Errorf("cases[%d]: %w", i, err)
		}
		p.Cases[i] = ProbeCase{A: w[0], B: w[1], Add: w[2], Sub: w[3], Mul: w[4], MulMont: w[5]}
	}
	if len(p.Cases) == 0 {
		return p, fmt.Errorf("%w: no cases", ErrLength)
	}
	return p, nil
}

// Vectors returns the cases as vectors of the pointwise operations, packed into
// whole rows and padded with zeros, so that the pairs reach a backend that has
// no probe: a*b, a*b/2^64, a + b*1 and a + b*(q-1).
func (p Probe) Vectors() []Vector {
	n := p.Ring.N
	rows := (len(p.Cases) + n - 1) / n
	column := func(of func(ProbeCase) uint64) operand {
		words := make([]uint64, rows*n)
		for i, c := range p.Cases {
			words[i] = of(c)
		}
		return operand{values: words}
	}
	constant := func(x uint64) operand { return operand{gen: genPeriodic, values: []uint64{x}} }
	a := column(func(c ProbeCase) uint64 { return c.A })
	b := column(func(c ProbeCase) uint64 { return c.B })
	vector := func(name string, op Op, want func(ProbeCase) uint64, in ...operand) Vector {
		full := column(want)
		return Vector{Name: p.Ring.Name + "/probe/" + name, Ring: p.Ring, Op: op, Rows: rows,
			inputs: in, output: output{full: &full}}
	}
	return []Vector{
		vector("mul", Mul, func(c ProbeCase) uint64 { return c.Mul }, a, b),
		vector("mulmont", MulMont, func(c ProbeCase) uint64 { return c.MulMont }, a, b),
		vector("add", MulAdd, func(c ProbeCase) uint64 { return c.Add }, a, b, constant(1)),
		vector("sub", MulAdd, func(c ProbeCase) uint64 { return c.Sub }, a, b, constant(p.Ring.Q-1)),
	}
}
