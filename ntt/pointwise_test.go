package ntt

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
)

// pointwise is a pointwise operation: how to run it on reduced arguments, and
// what a coefficient of the result is, in integers: the sum of the first
// coefficient, if the operation accumulates, and the product, times R^power.
type pointwise struct {
	name       string
	run        func(r *Ring, dst, a, b []uint64)
	accumulate bool
	unary      bool // b is not used
	power      int  // of R = 2^64
}

var pointwiseOperations = []pointwise{
	{"Mul", (*Ring).MulReduced, false, false, 0},
	{"MulAdd", (*Ring).MulAddReduced, true, false, 0},
	{"MulMont", (*Ring).MulMontReduced, false, false, -1},
	{"MulAddMont", (*Ring).MulAddMontReduced, true, false, -1},
	{"MForm", func(r *Ring, dst, a, _ []uint64) { r.MFormReduced(dst, a) }, false, true, 1},
	{"IMForm", func(r *Ring, dst, a, _ []uint64) { r.IMFormReduced(dst, a) }, false, true, -1},
}

// want returns the operation's result by big integers.
func (p pointwise) want(r *Ring, dst, a, b []uint64) []uint64 {
	q := new(big.Int).SetUint64(r.q)
	factor := new(big.Int).Lsh(big.NewInt(1), 64)
	factor.Exp(factor, big.NewInt(int64(p.power)), q) // an inverse for -1
	out := make([]uint64, len(a))
	for i := range a {
		x := new(big.Int).SetUint64(a[i])
		if !p.unary {
			x.Mul(x, new(big.Int).SetUint64(b[i]))
		}
		x.Mul(x, factor)
		if p.accumulate {
			x.Add(x, new(big.Int).SetUint64(dst[i]))
		}
		out[i] = x.Mod(x, q).Uint64()
	}
	return out
}

// pairs returns batches in which pairs of coefficients at and near the ends of
// the range, and near those that Montgomery form turns into them, meet at
// random, followed by uniform ones.
func pairs(r *Ring, seed uint64) (dst, a, b []uint64) {
	rng := newRand(seed)
	edge := []uint64{0, 1, 2, r.q - 1, r.q - 2, r.q / 2, r.q/2 + 1, r.r1.w, r.q - r.r1.w, mredOne(1, r.q, r.qInv)}
	const rows = 64
	dst, a, b = randomRows(r, rng, rows), randomRows(r, rng, rows), randomRows(r, rng, rows)
	for i := range len(a) / 2 {
		dst[i], a[i], b[i] = edge[rng.IntN(len(edge))], edge[rng.IntN(len(edge))], edge[rng.IntN(len(edge))]
	}
	return dst, a, b
}

// checkPointwise compares run with big integers, with dst apart from the
// operands and then the same as each.
func checkPointwise(r *Ring, p pointwise, run func(r *Ring, dst, a, b []uint64)) error {
	dst, a, b := pairs(r, r.q)
	out, intact := guarded(len(a))
	copy(out, dst)
	run(r, out, a, b)
	if err := sameRows(r, out, p.want(r, dst, a, b)); err != nil {
		return fmt.Errorf("dst apart: %w", err)
	}
	copy(out, a)
	run(r, out, out, b)
	if err := sameRows(r, out, p.want(r, a, a, b)); err != nil {
		return fmt.Errorf("dst is a: %w", err)
	}
	copy(out, b)
	run(r, out, a, out)
	if err := sameRows(r, out, p.want(r, b, a, b)); err != nil {
		return fmt.Errorf("dst is b: %w", err)
	}
	if !intact() {
		return fmt.Errorf("wrote outside dst")
	}
	return nil
}

func pointwiseRings(t *testing.T) []*Ring {
	rings := []*Ring{mustRing(t, 8, 17), mustRing(t, 16, 97), mustRing(t, 8, primeUpTo(1<<61-1, 8)), mustRing(t, 32, primeAbove(1<<60, 32))}
	for _, name := range Names() {
		rings = append(rings, mustParse(t, name))
	}
	return rings
}

func TestPointwise(t *testing.T) {
	for _, r := range pointwiseRings(t) {
		for _, p := range pointwiseOperations {
			require.NoError(t, checkPointwise(r, p, p.run), "%s, ring %s", p.name, r)
		}
	}
}

func TestMontgomeryFormRoundTrip(t *testing.T) {
	for _, r := range pointwiseRings(t) {
		_, a, b := pairs(r, 12)
		m, back := make([]uint64, len(a)), make([]uint64, len(a))
		require.NoError(t, r.MForm(m, a))
		require.NoError(t, r.IMForm(back, m))
		require.Equal(t, a, back)
		// A product of one factor in Montgomery form is a plain one.
		require.NoError(t, r.MulMont(m, m, b))
		require.NoError(t, r.Mul(back, a, b))
		require.Equal(t, back, m)
	}
}

// TestPointwiseMutantsAreCaught shows that checkPointwise can fail.
func TestPointwiseMutantsAreCaught(t *testing.T) {
	pulsar, large := mustParse(t, "pulsar"), mustRing(t, 16, primeUpTo(1<<61-1, 16))
	mul, mulAddMont, mForm := pointwiseOperations[0], pointwiseOperations[3], pointwiseOperations[4]
	eachOf := func(f func(r *Ring, d, a, b uint64) uint64) func(r *Ring, dst, a, b []uint64) {
		return func(r *Ring, dst, a, b []uint64) {
			for i := range dst {
				dst[i] = f(r, dst[i], a[i], b[i])
			}
		}
	}
	for _, m := range []struct {
		name string
		ring *Ring
		p    pointwise
		run  func(r *Ring, dst, a, b []uint64)
	}{
		{"> for >= after the sum", pulsar, mulAddMont, eachOf(func(r *Ring, d, a, b uint64) uint64 {
			return reduceIfAbove(d+mred(a, b, r.q, r.qInv), r.q)
		})},
		{"no reduction after the sum", pulsar, mulAddMont, eachOf(func(r *Ring, d, a, b uint64) uint64 {
			return d + mred(a, b, r.q, r.qInv)
		})},
		{"product not in Montgomery form", pulsar, mulAddMont, eachOf(func(r *Ring, d, a, b uint64) uint64 {
			return reduceOnce(d+mulMod(a, b, r.q), r.q)
		})},
		{"no reduction after Shoup's product", large, mForm, eachOf(func(r *Ring, _, a, _ uint64) uint64 {
			return mulShoupLazy(a, r.r1, r.q)
		})},
		{"sum kept from before", pulsar, mul, pointwiseOperations[1].run},
		{"last row left out", pulsar, mul, func(r *Ring, dst, a, b []uint64) { mul.run(r, dst[r.n:], a[r.n:], b[r.n:]) }},
	} {
		require.NoError(t, checkPointwise(m.ring, m.p, m.p.run), "%s: the original", m.name)
		require.Error(t, checkPointwise(m.ring, m.p, m.run), m.name)
	}
}
