package ntt

import (
	"math/bits"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// mutant is a transform that is wrong in one place.
type mutant struct {
	name string
	ring *Ring
	d    direction
	run  transform
}

// TestMutantsAreCaught shows that the check of the real transforms can fail:
// checkTransform tells every mutant from the original.
func TestMutantsAreCaught(t *testing.T) {
	pulsar, large := mustParse(t, "pulsar"), mustRing(t, 256, primeUpTo(1<<61-1, 256))
	for _, m := range append(forwardMutants(pulsar, large), inverseMutants(pulsar, large)...) {
		rng := newRand(8)
		src, _ := structuredRows(m.ring, m.d, rng)
		src = append(src, randomRows(m.ring, rng, 20)...)
		require.NoError(t, checkTransform(m.ring, m.d, m.d.run, src), "%s: the original", m.name)
		require.Error(t, checkTransform(m.ring, m.d, m.run, src), m.name)
	}
}

func forwardMutants(pulsar, large *Ring) []mutant {
	forward := directions[0]
	return []mutant{
		{"forward: > for >= in the last reduction", pulsar, forward, func(r *Ring, dst, src []uint64) {
			forwardUnreduced(r, dst, src)
			for i, x := range dst {
				dst[i] = reduceIfAbove(barrettLazy(x, r.q), r.q)
			}
		}},
		{"forward: no last reduction", pulsar, forward, forwardUnreduced},
		{"forward: two twiddle factors swapped", pulsar, forward, forward.on(spoilt(pulsar, func(r *Ring) {
			w := &r.fwdTail[7]
			w[9], w[10] = w[10], w[9]
		}))},
		{"forward: an early twiddle factor for another", pulsar, forward, forward.on(spoilt(pulsar, func(r *Ring) { r.fwd[2] = r.fwd[3] }))},
		{"forward: last row left out", pulsar, forward, allButLastRow(forward.run)},
		{"forward: no bias", pulsar, forward, rowByRow(func(r *Ring, a []uint64) {
			forwardStages(r, a, 0)
			r.reduce(a)
		})},
		{"forward: lazy without the headroom", large, forward, rowByRow((*Ring).forwardLazy)},
		{"forward: src not read", pulsar, forward, func(r *Ring, dst, src []uint64) { forward.run(r, dst, dst) }},
		{"forward: writes past the end", pulsar, forward, func(r *Ring, dst, src []uint64) {
			forward.run(r, dst, src)
			dst[:len(dst)+1][len(dst)] = 0
		}},
	}
}

func inverseMutants(pulsar, large *Ring) []mutant {
	inverse := directions[1]
	return []mutant{
		{"inverse: > for >= in the last reduction", pulsar, inverse, inverseWithLast(func(x, y, bound uint64, r *Ring) (uint64, uint64) {
			return r.divN.div(x+y, r.q), reduceIfAbove(mulShoupLazy(x+bound-y, r.invLast, r.q), r.q)
		})},
		{"inverse: > for >= in the division by N", pulsar, inverse, inverseWithLast(func(x, y, bound uint64, r *Ring) (uint64, uint64) {
			u, v := (x+y)>>r.logN, (x+y)%uint64(r.n)*r.divN.c
			z := u - v
			if !(u > v) {
				z += r.q
			}
			return z, mulShoup(x+bound-y, r.invLast, r.q)
		})},
		{"inverse: no last reduction", pulsar, inverse, inverseWithLast(func(x, y, bound uint64, r *Ring) (uint64, uint64) {
			return r.divN.div(x+y, r.q), mulShoupLazy(x+bound-y, r.invLast, r.q)
		})},
		{"inverse: two twiddle factors swapped", pulsar, inverse, inverse.on(spoilt(pulsar, func(r *Ring) {
			w := &r.invHead[3]
			w[0], w[1] = w[1], w[0]
		}))},
		{"inverse: last row left out", pulsar, inverse, allButLastRow(inverse.run)},
		{"strict: lazy butterflies", large, inverse, rowByRow(func(r *Ring, a []uint64) {
			inverseHead(a, r.invHead, r.q)
			for m, t := r.n/32, 16; m > 1; m, t = m/2, 2*t {
				for i, w := range r.inv[m : 2*m] {
					inverseBlockStrict(a[2*i*t:2*i*t+t], a[2*i*t+t:2*i*t+2*t], w, r.q)
				}
			}
			r.inverseLast(a, 2*r.q)
		})},
	}
}

// spoilt returns a copy of r with its tables changed.
func spoilt(r *Ring, change func(r *Ring)) *Ring {
	c := *r
	c.fwd, c.inv = slices.Clone(r.fwd), slices.Clone(r.inv)
	c.fwdTail, c.invHead = slices.Clone(r.fwdTail), slices.Clone(r.invHead)
	change(&c)
	return &c
}

// on returns the transform as it runs on another ring than it is asked for.
func (d direction) on(other *Ring) transform {
	return func(_ *Ring, dst, src []uint64) { d.run(other, dst, src) }
}

func allButLastRow(run transform) transform {
	return func(r *Ring, dst, src []uint64) { run(r, dst[:len(dst)-r.n], src[:len(src)-r.n]) }
}

// forwardStages is forwardLazy without its reduction, with any bias.
func forwardStages(r *Ring, a []uint64, bias uint64) {
	forwardFirst(a[:r.n/2], a[r.n/2:], r.fwd[1], r.q, bias)
	for m, t := 2, r.n/4; t >= 16; m, t = 2*m, t/2 {
		for i, w := range r.fwd[m : 2*m] {
			forwardBlock(a[2*i*t:2*i*t+t], a[2*i*t+t:2*i*t+2*t], w, r.q)
		}
	}
	forwardTail(a, r.fwdTail, r.q)
}

// forwardUnreduced is forwardLazy without its reduction.
var forwardUnreduced = rowByRow(func(r *Ring, a []uint64) { forwardStages(r, a, 2*uint64(r.logN)*r.q) })

// barrettLazy takes x to [0, 2q), a multiple of q to q.
func barrettLazy(x, q uint64) uint64 {
	v, _ := bits.Div64(1, 0, q)
	h, _ := bits.Mul64(x, v)
	return x - h*q
}

// reduceIfAbove is reduceOnce with > for >=.
func reduceIfAbove(x, q uint64) uint64 {
	if x > q {
		return x - q
	}
	return x
}

// inverseWithLast is inverseLazy with another last stage.
func inverseWithLast(last func(x, y, bound uint64, r *Ring) (uint64, uint64)) transform {
	return rowByRow(func(r *Ring, a []uint64) {
		inverseHead(a, r.invHead, r.q)
		bound := 16 * r.q
		for m, t := r.n/32, 16; m > 1; m, t = m/2, 2*t {
			for i, w := range r.inv[m : 2*m] {
				inverseBlock(a[2*i*t:2*i*t+t], a[2*i*t+t:2*i*t+2*t], w, r.q, bound)
			}
			bound *= 2
		}
		for j := range r.n / 2 {
			a[j], a[j+r.n/2] = last(a[j], a[j+r.n/2], bound, r)
		}
	})
}
