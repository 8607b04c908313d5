package wgsl

import (
	"fmt"
	"math/big"
)

// word is 2^32 or 2^64: the range of a lane of a plain field.
func (w *walker) word() *big.Int {
	if w.kind == "narrow" {
		return exp2(32)
	}
	return exp2(64)
}

// call returns the interval of a function's result, after checking what it takes.
func (w *walker) call(name string, v []interval) interval {
	zero, one := big.NewInt(0), big.NewInt(1)
	switch name {
	case "add":
		return w.lane(span(sum(v[0].lo, v[1].lo), sum(v[0].hi, v[1].hi)))
	case "sub":
		return w.lane(span(new(big.Int).Sub(v[0].lo, v[1].hi), new(big.Int).Sub(v[0].hi, v[1].lo)))
	case "pack", "lazy_out":
		return v[0]
	case "reduce": // x in [0, 2m) to [0, m)
		w.need(name, v[0], zero, product(big.NewInt(2), v[1].lo))
		return span(zero, new(big.Int).Sub(v[1].lo, one))
	case "mul_lazy":
		return w.product(4)
	case "mul_exact":
		return w.product(2)
	case "mul_strict":
		return w.product(1)
	}
	if w.kind == "sliced" {
		return w.callSliced(name, v[0])
	}
	switch name {
	case "mul_by":
		return w.product(4)
	case "divide": // (0, q + v/N]
		return w.lane(span(one, sum(w.q, new(big.Int).Rsh(v[0].hi, w.logN))))
	}
	w.err = fmt.Errorf("unknown function %s", name)
	return interval{}
}

func (w *walker) callSliced(name string, v interval) interval {
	below := func(x *big.Int) *big.Int { return new(big.Int).Sub(x, big.NewInt(1)) }
	minus := func(x *big.Int) *big.Int { return new(big.Int).Neg(x) }
	switch name {
	case "mul_by":
		w.need(name, v, big.NewInt(0), exp2(52))
		return span(minus(exp2(30)), below(exp2(48)))
	case "fold":
		w.need(name, v, minus(exp2(48)), exp2(57))
		return span(minus(exp2(24)), below(w.q))
	case "canon":
		w.need(name, v, minus(w.q), exp2(56))
		return span(big.NewInt(0), below(w.q))
	case "divide":
		w.need(name, v, minus(exp2(40)), exp2(57))
		return span(minus(below(w.q)), new(big.Int).Rsh(v.hi, w.logN))
	}
	w.err = fmt.Errorf("unknown function %s", name)
	return interval{}
}

// need asks that what a function takes is in [lo, hi).
func (w *walker) need(name string, v interval, lo, hi *big.Int) {
	if w.err == nil && !v.within(lo, hi) {
		w.err = fmt.Errorf("%s of a value in [%v, %v], not in [%v, %v)", name, v.lo, v.hi, lo, hi)
	}
}

// product is what a multiplication of a plain field returns, with k*q <= a word.
func (w *walker) product(k int64) interval {
	v := span(big.NewInt(0), product(w.q, big.NewInt(k)))
	v.hi.Sub(v.hi, big.NewInt(1))
	return w.lane(v)
}

// lane asks of a plain field that a value does not wrap.
func (w *walker) lane(v interval) interval {
	if w.kind != "sliced" {
		w.need("lane", v, big.NewInt(0), w.word())
	}
	return v
}
