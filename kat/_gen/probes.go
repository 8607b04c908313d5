package main

import (
	"math/bits"
	"slices"
)

// probeFile holds pairs of the single operations, computed by math/big alone.
func probeFile() file {
	f := newFile("probe", "a b a+b a-b a*b a*b/2^64, modulo q")
	f.Provenance.Source = "math/big"
	f.Provenance.Licence = "none needed: computed here"
	f.Provenance.Versions = "Go 1.26"
	for _, o := range oracles {
		f.Probes = append(f.Probes, probe{Ring: o.name, Cases: o.probes()})
	}
	return f
}

func (o *oracle) probes() []string {
	rInv := o.inverse(o.exp(2, 64))
	var cases []string
	for _, p := range o.pairs() {
		a, b := p[0], p[1]
		product := o.mul(a, b)
		cases = append(cases, words([]uint64{a, b, o.add(a, b), o.sub(a, b), product, o.mul(product, rInv)}))
	}
	return cases
}

// pairs returns every pair of the ends and the middle of [0, q), limb
// boundaries against themselves, their neighbour and both ends, and pairs whose
// results are 0, 1 and q-1.
func (o *oracle) pairs() [][2]uint64 {
	q := o.Modulus
	var ps [][2]uint64
	ends := []uint64{0, 1, q / 2, q - 2, q - 1}
	for _, a := range ends {
		for _, b := range ends {
			ps = append(ps, [2]uint64{a, b})
		}
	}
	limbs := o.limbs()
	for i, a := range limbs {
		b := limbs[(i+1)%len(limbs)]
		ps = append(ps, [2]uint64{a, a}, [2]uint64{a, b}, [2]uint64{a, q - 1}, [2]uint64{0, a})
	}
	r := o.exp(2, 64)
	stream := splitMix64{seedOf("probe " + o.name)}
	for range 2 {
		a := 1 + stream.next()%(q-1)
		inv := o.inverse(a)
		ps = append(ps,
			[2]uint64{a, q - a},           // a+b = q, which is 0
			[2]uint64{a, o.sub(q-1, a)},   // a+b = q-1
			[2]uint64{a, a},               // a-b = 0
			[2]uint64{a, o.add(a, 1)},     // a-b = -1
			[2]uint64{a, inv},             // a*b = 1
			[2]uint64{a, q - inv},         // a*b = q-1
			[2]uint64{a, o.mul(inv, r)},   // a*b/2^64 = 1
			[2]uint64{a, o.mul(q-inv, r)}, // a*b/2^64 = q-1
			[2]uint64{a, stream.next() % q},
		)
	}
	return unique(ps)
}

// limbs returns the words of ones below q, ascending, at the limbs that kernels
// cut words into (13, 16, 17, 26, 32, 34, 39, 48 and 52 bits), and the top bit
// of q with its neighbour.
func (o *oracle) limbs() []uint64 {
	top := uint64(1) << (bits.Len64(o.Modulus) - 1)
	ls := []uint64{top - 1, top}
	for _, width := range []int{13, 16, 17, 26, 32, 34, 39, 48, 52} {
		if w := uint64(1)<<width - 1; w < o.Modulus {
			ls = append(ls, w)
		}
	}
	slices.Sort(ls)
	return slices.Compact(ls)
}

func unique(ps [][2]uint64) [][2]uint64 {
	var out [][2]uint64
	seen := map[[2]uint64]bool{}
	for _, p := range ps {
		if !seen[p] {
			seen[p] = true
			out = append(out, p)
		}
	}
	return out
}
