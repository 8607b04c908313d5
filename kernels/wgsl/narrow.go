package wgsl

import (
	_ "embed"
	"fmt"
)

//go:embed narrow.wgsl
var narrowText string

//go:embed narrow_product.wgsl
var narrowProductText string

// narrow is the 32-bit field, for odd q < 2^31.
type narrow struct {
	q     uint64
	mulFn string
	m     uint64
}

// newNarrow takes the cheapest multiplication that the headroom allows: the lazy
// one where 4q for every stage and the value itself fit 32 bits without any
// reduction, else the one below 2q, else the one below q.
func newNarrow(logN int, q uint64) narrow {
	switch h := (narrow{q: q}).headroom(); {
	case h >= 1+4*2*uint64(logN):
		return narrow{q, "mul_lazy", 4}
	case h >= 4:
		return narrow{q, "mul_exact", 2}
	default:
		return narrow{q, "mul_strict", 1}
	}
}

func (narrow) lanes() int         { return 4 }
func (narrow) arithmetic() string { return narrowText }
func (narrow) products() string   { return narrowProductText }
func (f narrow) headroom() uint64 { return 1 << 32 / f.q }
func (f narrow) mulBound() uint64 { return f.m }

func (f narrow) constants(logN int) string {
	return fmt.Sprintf("const Q = %du;\nconst INV = %#xu; // q^-1 mod 2^32\nconst UNIT = %du; // (q-1)/N\nconst LOG_N = %du;\n",
		f.q, uint32(inverse64(f.q)), (f.q-1)>>logN, logN)
}

func (f narrow) mul(y, w string) string { return fmt.Sprintf("%s(%s, %s)", f.mulFn, y, w) }

func (f narrow) multiple(k uint64) string { return fmt.Sprintf("vec4<u32>(%du)", k*f.q) }

func (f narrow) words(w uint64) [2]uint32 { return [2]uint32{uint32(w), uint32(w << 32 / f.q)} }

func (f narrow) literal(w uint64) string {
	t := f.words(w)
	return fmt.Sprintf("vec2<u32>(%du, %du)", t[0], t[1])
}

func (f narrow) bias(stages int) (uint64, bool) { return plainBias(f, stages) }

func (f narrow) reduce(x string, bound uint64) (string, uint64) {
	return plainReduce(f, x, bound)
}

func (f narrow) canonical(x string, bound uint64) string { return plainCanonical(f, x, bound) }

func (f narrow) difference(x, y string, boundX, boundY uint64) (string, uint64) {
	return plainDifference(f, x, y, boundX, boundY)
}

// Two twiddles share a vec4: 2j and 2j+1 are in slot j.
func (narrow) slots(radix int) int { return radix / 2 }

func (f narrow) encode(w []uint64) []uint32 {
	out := make([]uint32, 0, 2*len(w))
	for _, x := range w {
		t := f.words(x)
		out = append(out, t[0], t[1])
	}
	return out
}

func (narrow) twiddle(k int, slot func(int) string) string {
	return slot(k/2) + [2]string{".xy", ".zw"}[k%2]
}

func (f narrow) times(c uint64) string {
	return fmt.Sprintf("return mul_strict(x, %s);", f.literal(c))
}

func (f narrow) scaled(c uint64) string {
	return fmt.Sprintf("return mul_strict(redc(s), %s);", f.literal(mulMod(c, scale(32, f.q), f.q)))
}

// The fields whose values are plain unsigned words share the following.

// plainBias returns the multiple of q which, added to the first operand of the
// first stage, keeps every later difference x - t positive: m for each stage.
// It is of use only where that much headroom is left over to the last stage.
func plainBias(f field, stages int) (uint64, bool) {
	k := f.mulBound() * uint64(stages)
	return k, 1+2*k <= f.headroom()
}

// plainReduce halves a bound.
func plainReduce(f field, x string, bound uint64) (string, uint64) {
	k := (bound + 1) / 2
	return fmt.Sprintf("reduce(%s, %s)", x, f.multiple(k)), k
}

func plainCanonical(f field, x string, bound uint64) string {
	for bound > 1 {
		x, bound = f.reduce(x, bound)
	}
	return x
}

func plainDifference(f field, x, y string, boundX, boundY uint64) (string, uint64) {
	return fmt.Sprintf("sub(add(%s, %s), %s)", x, f.multiple(boundY), y), boundX + boundY
}
