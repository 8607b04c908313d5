package wgsl

import (
	"math/big"
)

// The probes of the fields. Input ranges are those that the WGSL states.

// times2 and friends are the references.
func product(x, y *big.Int) *big.Int { return new(big.Int).Mul(x, y) }
func sum(x, y *big.Int) *big.Int     { return new(big.Int).Add(x, y) }
func first(x, _ *big.Int) *big.Int   { return new(big.Int).Set(x) }
func high(bits int) func(x, y *big.Int) *big.Int {
	return func(x, y *big.Int) *big.Int { p := product(x, y); return p.Rsh(p, uint(bits)) }
}
func low(bits int, f func(x, y *big.Int) *big.Int) func(x, y *big.Int) *big.Int {
	return func(x, y *big.Int) *big.Int { return f(x, y).Mod(f(x, y), exp2(bits)) }
}

// over returns f(x, y)/d mod q.
func over(q uint64, d *big.Int, f func(x, y *big.Int) *big.Int) func(x, y *big.Int) *big.Int {
	inv := new(big.Int).ModInverse(d, number(q))
	return func(x, y *big.Int) *big.Int { v := f(x, y); v.Mul(v, inv); return v.Mod(v, number(q)) }
}

// values returns raws of what is in [0, limit): its own edges, those of q and its
// multiples, and the boundaries of words and limbs.
func values(q uint64, limit *big.Int, encode func(*big.Int) raw) (out []raw) {
	seen := map[string]bool{}
	add := func(x *big.Int) {
		for d := int64(-1); d <= 1; d++ {
			v := new(big.Int).Add(x, big.NewInt(d))
			if v.Sign() >= 0 && v.Cmp(limit) < 0 && !seen[v.String()] {
				seen[v.String()] = true
				out = append(out, encode(v))
			}
		}
	}
	for _, k := range []uint64{0, 1, 2, 4, 7, 8, 15} {
		add(product(number(q), number(k)))
	}
	for _, b := range []int{13, 16, 17, 26, 31, 32, 34, 39, 48, 52, 63} {
		add(exp2(b))
		add(new(big.Int).Sub(number(q), exp2(b)))
	}
	add(limit)
	add(number(0xffffffff00000000))
	add(number(0x5555555555555555))
	return out
}

func plainRaw(x *big.Int) raw { v := x.Uint64(); return raw{uint32(v), uint32(v >> 32)} }

func narrowProbes(q uint64, logN int) probeSuite {
	all, below := values(q, exp2(32), plainRaw), values(q, number(q), plainRaw)
	Q, zero := number(q), big.NewInt(-1)
	times := func(k uint64) *big.Int { return product(Q, number(k)) }
	f := newNarrow(logN, q)
	word := func(r raw) *big.Int { return number(uint64(r.lo)) }
	s := probeSuite{
		name: "narrow", f: f, q: q, logN: logN, value: word, get: "t0.xy",
		twist: func(w uint64) []uint32 { t := f.words(w); return []uint32{t[0], t[1], 0, 0, 0, 0, 0, 0} },
	}
	s.probes = []probe{
		{"add", "add(x, y)", all, all, exactly(low(32, sum))},
		{"sub", "sub(x, y)", all, all, exactly(low(32, func(x, y *big.Int) *big.Int { return new(big.Int).Sub(x, y) }))},
		{"high32", "high32(x, y)", all, all, exactly(high(32))},
		{"about_high32", "about_high32(x, y)", all, all, about(high(32))},
		{"mul_exact", "mul_exact(x, w)", all, below, congruent(q, zero, times(2), product)},
		{"mul_strict", "mul_strict(x, w)", all, below, congruent(q, zero, Q, product)},
		{"divide", "divide(x)", all, []raw{{}}, divided(q, logN)},
		{"reduce", "reduce(x, y)", values(q, times(2), plainRaw), []raw{plainRaw(Q)}, congruent(q, zero, Q, first)},
		{"mac", "redc(mac(Acc(), x, y))", below, below, congruent(q, big.NewInt(0), times(2), over(q, exp2(32), product))},
		{"mac twice", "redc(mac(mac(Acc(), x, y), x, y))", below, below, congruent(q, big.NewInt(0), times(2), over(q, exp2(31), product))},
		{"mac thrice", "redc(mac(mac(mac(Acc(), x, y), x, y), y, y))", below, below, congruent(q, big.NewInt(0), times(2),
			over(q, exp2(32), func(x, y *big.Int) *big.Int { return product(sum(sum(x, x), y), y) }))},
		{"plus", "plus(x, y)", below, below, congruent(q, zero, Q, sum)},
	}
	if 4*q <= 1<<32 {
		s.probes = append(s.probes, probe{"mul_lazy", "mul_lazy(x, w)", all, below, congruent(q, zero, times(4), product)})
	}
	return s
}

// about asks for f(x, y) or up to 2 less.
func about(f func(x, y *big.Int) *big.Int) func(x, y, out *big.Int) string {
	return func(x, y, out *big.Int) string {
		if d := new(big.Int).Sub(f(x, y), out); d.Sign() < 0 || d.Cmp(big.NewInt(2)) > 0 {
			return "off by " + d.String()
		}
		return ""
	}
}

// divided asks for x/N mod q in (0, q + x/N].
func divided(q uint64, logN int) func(x, y, out *big.Int) string {
	return func(x, y, out *big.Int) string {
		high := new(big.Int).Rsh(x, uint(logN))
		high.Add(high, number(q+1))
		return congruent(q, big.NewInt(0), high, over(q, exp2(logN), first))(x, y, out)
	}
}

func wideProbes(q uint64, logN int) probeSuite {
	all, below := values(q, exp2(64), plainRaw), values(q, number(q), plainRaw)
	Q, zero := number(q), big.NewInt(-1)
	times := func(k uint64) *big.Int { return product(Q, number(k)) }
	f := newWide(q)
	word := func(r raw) *big.Int { return number(uint64(r.lo) | uint64(r.hi)<<32) }
	words32 := values(q, exp2(32), plainRaw)
	eight := "mac(Acc(), x, y)"
	for range 7 {
		eight = "mac(" + eight + ", x, y)"
	}
	s := probeSuite{
		name: "wide", f: f, q: q, logN: logN, value: word, get: "t0",
		twist: func(w uint64) []uint32 { t := f.words(w); return append(t[:], 0, 0, 0, 0) },
	}
	s.probes = []probe{
		{"add", "add(x, y)", all, all, exactly(low(64, sum))},
		{"sub", "sub(x, y)", all, all, exactly(low(64, func(x, y *big.Int) *big.Int { return new(big.Int).Sub(x, y) }))},
		{"high32", "vec4<u32>(high32(x.xy, y.xy), 0u, 0u)", words32, words32, exactly(high(32))},
		{"mul32", "mul32(x.xy, y.xy)", words32, words32, exactly(product)},
		{"low64", "low64(x, y)", all, all, exactly(low(64, product))},
		{"about_high64", "about_high64(x, y)", all, all, about(high(64))},
		{"high64", "high64(x, y)", all, all, exactly(high(64))},
		{"mul", "mul_by(x, w)", all, below, congruent(q, zero, times(4), product)},
		{"divide", "divide(x)", all, []raw{{}}, divided(q, logN)},
		{"mac", "redc(mac(Acc(), x, y))", below, below, congruent(q, big.NewInt(0), times(2), over(q, exp2(64), product))},
		{"mac eight times", "redc(" + eight + ")", below, below, congruent(q, big.NewInt(0), times(2), over(q, exp2(61), product))},
		{"plus", "plus(x, y)", below, below, congruent(q, zero, Q, sum)},
	}
	for _, k := range []uint64{1, 2, 4} {
		s.probes = append(s.probes, probe{"reduce", "reduce(x, y)", values(q, times(2*k), plainRaw), []raw{plainRaw(times(k))},
			congruent(q, zero, times(k), first)})
	}
	return s
}
