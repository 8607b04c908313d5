package wgsl

import (
	_ "embed"
	"fmt"
)

//go:embed narrow.wgsl
var narrowText string

//go:embed narrow_product.wgsl
var narrowProductText string

// narrow is the 32-bit field, for odd q < 2^31: four lanes of a word.
type narrow struct {
	plain
	mulName string
}

// newNarrow takes the cheapest multiplication that the headroom 2^32/q allows:
// the lazy one where 4q a stage and a bias of as much fit without any reduction,
// else the exact one, and the strict one where even 4q do not fit a word.
func newNarrow(logN int, q uint64) narrow {
	splat := func(v uint64) string { return fmt.Sprintf("vec4<u32>(%du)", v) }
	h := uint64(1<<32) / q
	lazy := narrow{plain{q, h, 4, splat}, "mul_lazy"}
	switch _, ok := lazy.bias(logN); {
	case ok:
		return lazy
	case h >= 4:
		return narrow{plain{q, h, 2, splat}, "mul_exact"}
	default:
		return narrow{plain{q, h, 1, splat}, "mul_strict"}
	}
}

func (narrow) lanes() int         { return 4 }
func (narrow) arithmetic() string { return narrowText }
func (narrow) products() string   { return narrowProductText }

func (f narrow) constants(logN int) string {
	return fmt.Sprintf(`const Q = %du;
const INV = %#xu; // q^-1 mod 2^32
const UNIT = %du; // (q-1)/N
const LOG_N = %du;
`, f.q, uint32(inverse64(f.q)), (f.q-1)>>logN, logN)
}

func (f narrow) mul(y, w string) string { return fmt.Sprintf("%s(%s, %s)", f.mulName, y, w) }

// words returns w and floor(w*2^32/q).
func (f narrow) words(w uint64) [2]uint32 { return [2]uint32{uint32(w), uint32(w << 32 / f.q)} }

func (f narrow) literal(w uint64) string {
	t := f.words(w)
	return fmt.Sprintf("vec2<u32>(%du, %du)", t[0], t[1])
}

// Twiddles 2j and 2j+1 share slot j.
func (narrow) slots(radix int) int { return radix / 2 }

func (f narrow) encode(w []uint64) []uint32 {
	var out []uint32
	for _, x := range w {
		t := f.words(x)
		out = append(out, t[:]...)
	}
	return out
}

func (narrow) twiddle(k int, slot func(int) string) string {
	return slot(k/2) + [2]string{".xy", ".zw"}[k%2]
}

func (f narrow) times(c uint64) string {
	return fmt.Sprintf("return mul_strict(x, %s);", f.literal(c))
}

// redc divides by 2^32.
func (f narrow) scaled(c uint64) string {
	return fmt.Sprintf("return mul_strict(redc(s), %s);", f.literal(mulMod(c, power2(32, f.q), f.q)))
}
