package wgsl

import "math/big"

// slicedValue is lo + 2^26*hi for a signed lo, in [-2^57, 2^57): hi counts modulo
// 2^32.
func slicedValue(r raw) *big.Int {
	v := int64(int32(r.lo)) + int64(r.hi)<<26
	return big.NewInt(v << 6 >> 6)
}

// slicedRaw is the form that unpack gives.
func slicedRaw(x *big.Int) raw {
	v := x.Int64()
	return raw{uint32(v & (1<<26 - 1)), uint32(v >> 26)}
}

// uncarried returns the values, and each with lo moved far up and down by what
// its hi then lacks or has too much.
func uncarried(v []raw) []raw {
	out := append([]raw(nil), v...)
	for _, r := range v {
		out = append(out, raw{r.lo + 15<<26, r.hi - 15}, raw{r.lo - 15<<26, r.hi + 15})
	}
	return out
}

// around returns the values of [0, limit), their negatives down to low, all
// uncarried.
func around(q uint64, low, limit *big.Int) []raw {
	v := values(q, limit, slicedRaw)
	for _, r := range values(q, new(big.Int).Neg(low), slicedRaw) {
		v = append(v, slicedRaw(new(big.Int).Neg(slicedValue(r))))
	}
	return uncarried(v)
}

func slicedProbes(q uint64, logN int) probeSuite {
	f := sliced{q}
	Q, minus := number(q), big.NewInt(-1)
	below := values(q, Q, slicedRaw)
	negative := func(e int) *big.Int { return new(big.Int).Neg(exp2(e)) }
	eight := "mac(Acc(), x, y)"
	for range 7 {
		eight = "mac(" + eight + ", x, y)"
	}
	return probeSuite{
		name: "sliced", f: f, q: q, logN: logN, value: slicedValue, get: "unpack_twiddle(t0, t1)",
		twist: func(w uint64) []uint32 { return f.encode([]uint64{0, w}) },
		probes: []probe{
			{"mul", "mul_by(x, w)", uncarried(values(q, exp2(52), slicedRaw)), below, congruent(q, negative(30), exp2(48), product)},
			{"fold", "fold(x)", around(q, negative(48), exp2(57)), []raw{{}}, congruent(q, negative(24), Q, first)},
			{"canon", "canon(x)", around(q, new(big.Int).Neg(Q), exp2(56)), []raw{{}}, congruent(q, minus, Q, first)},
			{"divide", "canon(divide(x))", around(q, negative(40), exp2(57)), []raw{{}}, congruent(q, minus, Q, over(q, exp2(logN), first))},
			{"carry", "carry(x)", around(q, negative(57), exp2(57)), []raw{{}}, exactly(first)},
			{"pack", "lazy_in(pack(unpack(lazy_out(x))))", words26(q), []raw{{}}, exactly(first)},
			{"plus", "plus(x, y)", below, below, congruent(q, minus, Q, sum)},
			{"low", "low_as_is(carried(mac(Acc(), x, y)))", below, below, exactly(low(52, product))},
			{"low times", "low(carried(mac(Acc(), x, y)), unpack_twiddle(t0, t1))", below, below,
				congruent(q, negative(30), exp2(48), func(x, y *big.Int) *big.Int { return product(low(52, product)(x, y), y) })},
			{"high", "high(carried(mac(Acc(), x, y)), unpack_twiddle(t0, t1))", below, below,
				congruent(q, negative(30), exp2(48), func(x, y *big.Int) *big.Int { return product(high(52)(x, y), y) })},
			{"high of eight", "high(carried(" + eight + "), unpack_twiddle(t0, t1))", below, below,
				congruent(q, negative(30), exp2(48), func(x, y *big.Int) *big.Int {
					p := product(x, y)
					p.Lsh(p, 3)
					return product(p.Rsh(p, 52), y)
				})},
		},
	}
}

// words26 returns values whose words, as unpack reads them, are edges: the probe
// hands them over as 64-bit words, low ones first.
func words26(q uint64) []raw {
	return values(q, exp2(57), plainRaw)
}
