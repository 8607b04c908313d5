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

// wide is the 64-bit field, for odd q < 2^61.
type wide struct{ q uint64 }

func (wide) lanes() int         { return 2 }
func (wide) arithmetic() string { return wideText }
func (wide) products() string   { return wideProductText }
func (f wide) headroom() uint64 { h, _ := bits.Div64(1, 0, f.q); return h }
func (wide) mulBound() uint64   { return 4 }

func (f wide) constants(logN int) string {
	inv, unit := inverse64(f.q), (f.q-1)>>logN
	return fmt.Sprintf("const Q_LO = %#xu;\nconst Q_HI = %#xu;\n", uint32(f.q), f.q>>32) +
		fmt.Sprintf("const INV_LO = %#xu; // q^-1 mod 2^64\nconst INV_HI = %#xu;\n", uint32(inv), inv>>32) +
		fmt.Sprintf("const UNIT_LO = %#xu; // (q-1)/N\nconst UNIT_HI = %#xu;\n", uint32(unit), unit>>32) +
		fmt.Sprintf("const LOG_N = %du;\n", logN)
}

func (wide) mul(y, w string) string { return fmt.Sprintf("mul(%s, %s)", y, w) }

func (f wide) multiple(k uint64) string {
	v := k * f.q
	return fmt.Sprintf("vec4<u32>(%#xu, %#xu, %#xu, %#xu)", uint32(v), uint32(v), v>>32, v>>32)
}

func (f wide) words(w uint64) [4]uint32 {
	s, _ := bits.Div64(w, 0, f.q)
	return [4]uint32{uint32(w), uint32(w >> 32), uint32(s), uint32(s >> 32)}
}

func (f wide) literal(w uint64) string {
	t := f.words(w)
	return fmt.Sprintf("vec4<u32>(%#xu, %#xu, %#xu, %#xu)", t[0], t[1], t[2], t[3])
}

func (f wide) bias(stages int) (uint64, bool) { return plainBias(f, stages) }

func (f wide) reduce(x string, bound uint64) (string, uint64) { return plainReduce(f, x, bound) }

func (f wide) canonical(x string, bound uint64) string { return plainCanonical(f, x, bound) }

func (f wide) difference(x, y string, boundX, boundY uint64) (string, uint64) {
	return plainDifference(f, x, y, boundX, boundY)
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
	return "return " + f.canonical(f.mul("x", f.literal(c)), f.mulBound()) + ";"
}

func (f wide) scaled(c uint64) string {
	if c == scale(-64, f.q) {
		return "return " + f.canonical("redc(s)", 2) + ";"
	}
	x := f.mul("redc(s)", f.literal(mulMod(c, scale(64, f.q), f.q)))
	return "return " + f.canonical(x, f.mulBound()) + ";"
}
