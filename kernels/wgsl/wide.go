package wgsl

import (
	_ "embed"
	"fmt"
	"math/bits"
)

//go:embed wide.wgsl
var wideText string

//go:embed wide_product.wgsl
var wideProductText string

// wide is the 64-bit field, for odd q < 2^61: two lanes of two words. Four times
// q is at most half of the headroom.
type wide struct{ plain }

func newWide(q uint64) wide {
	h, _ := bits.Div64(1, 0, q)
	return wide{plain{q, h, 4, func(v uint64) string {
		return fmt.Sprintf("vec4<u32>(%#xu, %#xu, %#xu, %#xu)", uint32(v), uint32(v), v>>32, v>>32)
	}}}
}

func (wide) lanes() int         { return 2 }
func (wide) arithmetic() string { return wideText }
func (wide) products() string   { return wideProductText }

func (f wide) constants(logN int) string {
	inv, unit := inverse64(f.q), (f.q-1)>>logN
	return fmt.Sprintf(`const Q_LO = %#xu;
const Q_HI = %#xu;
const INV_LO = %#xu; // q^-1 mod 2^64
const INV_HI = %#xu;
const UNIT_LO = %#xu; // (q-1)/N
const UNIT_HI = %#xu;
const LOG_N = %du;
`, uint32(f.q), f.q>>32, uint32(inv), inv>>32, uint32(unit), unit>>32, logN)
}

func (wide) mul(y, w string) string { return fmt.Sprintf("mul_by(%s, %s)", y, w) }

// words returns w and floor(w*2^64/q), low word first.
func (f wide) words(w uint64) [4]uint32 {
	s, _ := bits.Div64(w, 0, f.q)
	return [4]uint32{uint32(w), uint32(w >> 32), uint32(s), uint32(s >> 32)}
}

func (f wide) literal(w uint64) string {
	t := f.words(w)
	return fmt.Sprintf("vec4<u32>(%#xu, %#xu, %#xu, %#xu)", t[0], t[1], t[2], t[3])
}

// Twiddle k is slot k-1.
func (wide) slots(radix int) int { return radix - 1 }

func (f wide) encode(w []uint64) []uint32 {
	var out []uint32
	for _, x := range w[1:] {
		t := f.words(x)
		out = append(out, t[:]...)
	}
	return out
}

func (wide) twiddle(k int, slot func(int) string) string { return slot(k - 1) }

func (f wide) times(c uint64) string {
	return "return " + f.canonical(f.mul("x", f.literal(c)), f.m) + ";"
}

// redc divides by 2^64, which is all that the Montgomery products ask for.
func (f wide) scaled(c uint64) string {
	if c == power2(-64, f.q) {
		return "return " + f.canonical("redc(s)", 2) + ";"
	}
	x := f.mul("redc(s)", f.literal(mulMod(c, power2(64, f.q), f.q)))
	return "return " + f.canonical(x, f.m) + ";"
}
