//go:build (darwin || metalsim) && cgo

package metal

import (
	"fmt"
	"math/big"
	"math/bits"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/gpu"
)

// A probe feeds pairs of values to one helper of field.h and holds what comes
// back to arbitrary precision.
type probe struct {
	name string
	x, y []uint64
	z    func(x, y uint64) uint64 // or nil
	// check says what is wrong with a result, if anything is.
	check func(x, y, z, out *big.Int) string
}

// probeRing is what probes are made for: a modulus, a degree and the words.
type probeRing struct {
	field
	logN uint
}

func number(x uint64) *big.Int { return new(big.Int).SetUint64(x) }
func exp2(e uint) *big.Int     { return new(big.Int).Lsh(big.NewInt(1), e) }

// values returns what is in [0, limit) of: its own edges, those of q and its
// multiples, and those of words and halves of words.
func (r probeRing) values(limit *big.Int) (out []uint64) {
	seen := map[uint64]bool{}
	add := func(x *big.Int) {
		for d := int64(-1); d <= 1; d++ {
			v := new(big.Int).Add(x, big.NewInt(d))
			if v.Sign() >= 0 && v.Cmp(limit) < 0 && !seen[v.Uint64()] {
				seen[v.Uint64()] = true
				out = append(out, v.Uint64())
			}
		}
	}
	for _, k := range []uint64{0, 1, 2, 3, 4, 7, 8} {
		add(new(big.Int).Mul(number(r.q), number(k)))
	}
	for _, b := range []uint{16, 31, 32, 33, 48, 63} {
		add(exp2(b))
		add(new(big.Int).Sub(number(r.q), exp2(b)))
	}
	add(limit)
	add(number(0xffffffff00000000 >> (64 - r.bits)))
	add(number(0x5555555555555555 >> (64 - r.bits)))
	return out
}

// exactly asks for f(x, y, z).
func exactly(f func(x, y, z *big.Int) *big.Int) func(x, y, z, out *big.Int) string {
	return func(x, y, z, out *big.Int) string {
		if want := f(x, y, z); want.Cmp(out) != 0 {
			return fmt.Sprintf("want %v", want)
		}
		return ""
	}
}

// congruent asks for a value congruent to f(x, y) mod q, above low and below high.
func (r probeRing) congruent(low int64, high func(x *big.Int) *big.Int, f func(x, y *big.Int) *big.Int) func(x, y, z, out *big.Int) string {
	return func(x, y, _, out *big.Int) string {
		d := f(x, y)
		if d.Mod(d.Sub(d, out), number(r.q)).Sign() != 0 {
			return "not congruent"
		}
		if h := high(x); out.Cmp(big.NewInt(low)) <= 0 || out.Cmp(h) >= 0 {
			return fmt.Sprintf("not between %d and %v", low, h)
		}
		return ""
	}
}

// times returns the bound k*q.
func (r probeRing) times(k int64) func(*big.Int) *big.Int {
	return func(*big.Int) *big.Int { return new(big.Int).Mul(number(r.q), big.NewInt(k)) }
}

// over returns f/d mod q.
func (r probeRing) over(d *big.Int, f func(x, y *big.Int) *big.Int) func(x, y *big.Int) *big.Int {
	inv := new(big.Int).ModInverse(d, number(r.q))
	return func(x, y *big.Int) *big.Int { v := f(x, y); v.Mul(v, inv); return v.Mod(v, number(r.q)) }
}

func first(x, _ *big.Int) *big.Int   { return new(big.Int).Set(x) }
func product(x, y *big.Int) *big.Int { return new(big.Int).Mul(x, y) }

// probes returns those of the helpers that both words have.
func (r probeRing) probes() []probe {
	suffix := map[uint]string{32: "_u32", 64: "_u64"}[r.bits]
	all, reduced := r.values(exp2(r.bits)), r.values(number(r.q))
	quotient := func(_, y uint64) uint64 { return r.ratio(y) }
	ps := []probe{
		{"high_word" + suffix, all, all, nil, exactly(func(x, y, _ *big.Int) *big.Int { return new(big.Int).Rsh(product(x, y), r.bits) })},
		{"shoup" + suffix, all, reduced, quotient, r.congruent(-1, r.times(2), product)},
		{"barrett" + suffix, all, []uint64{0}, nil, r.congruent(-1, r.times(2), first)},
		{"canonical" + suffix, r.values(r.times(4)(nil)), []uint64{0}, nil, r.congruent(-1, r.times(1), first)},
		{"divide" + suffix, all, []uint64{0}, nil, r.congruent(0, func(x *big.Int) *big.Int {
			return new(big.Int).Add(new(big.Int).Rsh(x, r.logN), number(r.q+1))
		}, r.over(exp2(r.logN), first))},
	}
	for _, k := range []int64{1, 2, 4} {
		m := r.times(k)(nil)
		ps = append(ps, probe{"fold" + suffix, r.values(r.times(2 * k)(nil)), []uint64{m.Uint64()}, nil,
			exactly(func(x, _, _ *big.Int) *big.Int { return new(big.Int).Mod(x, m) })})
	}
	return ps
}

// products returns the probes of the 64-bit helpers for products of two values.
func (r probeRing) products() []probe {
	all, reduced := r.values(exp2(64)), r.values(number(r.q))
	sum := func(x, y, z *big.Int) *big.Int {
		s := product(x, y)
		return s.Add(s, z).Add(s, exp2(64))
	}
	var ps []probe
	for _, z := range []uint64{0, 1, 1 << 63, 1<<64 - 1, 0x5555555555555555} {
		z := func(_, _ uint64) uint64 { return z }
		ps = append(ps,
			probe{"accumulate_lo", reduced, reduced, z, exactly(func(x, y, z *big.Int) *big.Int { s := sum(x, y, z); return s.Mod(s, exp2(64)) })},
			probe{"accumulate_hi", reduced, reduced, z, exactly(func(x, y, z *big.Int) *big.Int { return new(big.Int).Rsh(sum(x, y, z), 64) })})
	}
	return append(ps, probe{"redc", all, reduced, nil, r.congruent(0, r.times(2), r.over(exp2(64), func(x, y *big.Int) *big.Int {
		s := new(big.Int).Lsh(y, 64)
		return s.Add(s, x)
	}))})
}

// check runs a probe of a text over all pairs of its values.
func (r probeRing) check(t *testing.T, dev gpu.Device, text func(Kernel) Kernel, p probe) error {
	inverse := inverse64(r.q)
	k := Kernel{
		Name: p.name, Text: Source(), Entry: "probe_" + p.name, Access: []bool{true, false, false, false},
		Constants: r.append(nil, r.q, -r.q, r.headroom(), (r.q-1)>>r.logN, uint64(r.logN), inverse),
		GroupSize: probeGroup, PerGroup: probeGroup,
	}
	var xs, ys, zs []uint64
	for _, y := range p.y {
		for _, x := range p.x {
			z := uint64(0)
			if p.z != nil {
				z = p.z(x, y)
			}
			xs, ys, zs = append(xs, x), append(ys, y), append(zs, z)
		}
	}
	w := r.wordBytes()
	out, err := newRunner(t, dev, text(k)).run(len(xs), [gpu.ParamWords]uint32{uint32(len(xs))}, true,
		make([]byte, (len(xs)+1)*w&^7), encodeWords(w, xs), encodeWords(w, ys), encodeWords(w, zs))
	if err != nil {
		return err
	}
	for i, o := range decodeWords(w, out)[:len(xs)&^1] {
		if wrong := p.check(number(xs[i]), number(ys[i]), number(zs[i]), number(o)); wrong != "" {
			return fmt.Errorf("%s of %d, %d and %d mod %d is %d: %s", p.name, xs[i], ys[i], zs[i], r.q, o, wrong)
		}
	}
	return nil
}

func probeRings() (rs []probeRing) {
	for _, n := range []int{8, 4096} {
		for _, q := range []uint64{above(n, 3).Q(), below(n, 1<<29).Q(), above(n, 1<<32).Q(), below(n, 1<<61).Q()} {
			rs = append(rs, probeRing{newField(q), uint(bits.TrailingZeros(uint(n)))})
		}
	}
	return rs
}

func same(k Kernel) Kernel { return k }

func TestProbes(t *testing.T) {
	dev := open(t)
	for _, r := range probeRings() {
		for _, p := range r.probes() {
			require.NoError(t, r.check(t, dev, same, p))
		}
		r.field = field{r.q, 64, "u64"}
		for _, p := range r.products() {
			require.NoError(t, r.check(t, dev, same, p))
		}
	}
}

// TestProbesCatch plants what random coefficients would not show in a transform.
func TestProbesCatch(t *testing.T) {
	open(t)
	for _, m := range []struct{ probe, old, new string }{
		{"fold_u64", "return min(x, x - m);", "return x > m ? x - m : x;"},
		{"shoup_u64", "high_word(y, quotient) * negated", "high_word(y - (y > 0), quotient) * negated"},
		{"barrett_u64", "high_word(x, reciprocal)", "(high_word(x, reciprocal) - 1)"},
		{"canonical_u32", "fold(fold(x, W(2 * q)), q)", "fold(x, W(2 * q))"},
		{"divide_u64", "(q - rest * unit)", "(q - 1 - rest * unit)"},
		{"high_word_u32", "(ulong(a) * ulong(b)) >> 32", "(ulong(a) * ulong(b - (b > 1))) >> 32"},
		{"accumulate_hi", "ulong(r.lo < p)", "ulong(r.lo <= p)"},
		{"redc", "s.hi + q - mulhi", "s.hi - mulhi"},
	} {
		t.Run(m.probe, func(t *testing.T) {
			t.Parallel()
			dev := fresh(t)
			var found error
			for _, r := range probeRings() {
				ps := append(r.probes(), probeRing{field{r.q, 64, "u64"}, r.logN}.products()...)
				for _, p := range ps {
					if p.name != m.probe {
						continue
					}
					with := r
					if p.name == "redc" || p.name == "accumulate_hi" {
						with.field = field{r.q, 64, "u64"}
					}
					plant := func(k Kernel) Kernel { return mutate(t, k, "probe.metal", m.old, m.new) }
					if err := with.check(t, dev, plant, p); err != nil {
						found = err
					}
				}
				if found != nil {
					return
				}
			}
			require.Error(t, found)
		})
	}
}
