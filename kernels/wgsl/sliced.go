package wgsl

import (
	_ "embed"
	"fmt"
)

//go:embed sliced.wgsl
var slicedText string

//go:embed sliced_product.wgsl
var slicedProductText string

// sliced is the field of q = 2^48 + c with odd c < 2^15, for up to 256
// coefficients: two lanes of two words.
//
// A value of bound b is in (-2^40, b*q + 2^40). What mul and fold return is in
// (-2^30, q), so that a sum of up to 256 of them keeps to that; and their lo is
// within 2^26 of zero, so that lo of a value of bound b is within b*2^26, far
// from the 2^31 where it would overflow.
type sliced struct{ q uint64 }

const (
	slicedBase    = 1 << 48
	slicedMaxC    = 1 << 15
	slicedMaxLogN = 8
)

func isSliced(logN int, q uint64) bool {
	return q > slicedBase && q < slicedBase+slicedMaxC && logN <= slicedMaxLogN
}

func (sliced) lanes() int         { return 2 }
func (sliced) arithmetic() string { return slicedText }
func (sliced) products() string   { return slicedProductText }

func (f sliced) constants(logN int) string {
	return fmt.Sprintf("const C = %du; // q - 2^48\nconst LOG_N = %du;\n", f.q-slicedBase, logN)
}

// mul takes values below 2^52 = 16*q - 16*c, so that a bound of 15 leaves room
// for the slack.
func (sliced) headroom() uint64 { return 15 }
func (sliced) mulBound() uint64 { return 1 }

func (sliced) mul(y, w string) string { return fmt.Sprintf("mul_by(%s, %s)", y, w) }

func (f sliced) multiple(k uint64) string {
	lo, hi := k*(f.q-slicedBase), k<<22
	return fmt.Sprintf("vec4<u32>(%du, %du, %#xu, %#xu)", lo, lo, hi, hi)
}

// bias allows for a loss of less than 2^48 in each stage but the last, whose
// results go to canon, which takes what is at least -q. In front of the last
// stage a value is then below (1 + 2*(stages-1))*q, at most the headroom.
func (sliced) bias(stages int) (uint64, bool) { return uint64(stages - 1), true }

// difference adds one q more than the bound of y, for the slack of both.
func (f sliced) difference(x, y string, boundX, boundY uint64) (string, uint64) {
	return fmt.Sprintf("sub(add(%s, %s), %s)", x, f.multiple(boundY+1), y), boundX + boundY + 1
}

func (sliced) reduce(x string, _ uint64) (string, uint64) { return "fold(" + x + ")", 1 }

func (sliced) canonical(x string, _ uint64) string { return "canon(" + x + ")" }

// limbs returns w*2^(13i) mod q, for i from 0 to 3, in limbs of 17, 17 and 15
// bits.
func (f sliced) limbs(w uint64) (k [3][4]uint32) {
	for i := range 4 {
		x := mulMod(w, 1<<(13*i), f.q)
		k[0][i], k[1][i], k[2][i] = uint32(x&0x1ffff), uint32(x>>17&0x1ffff), uint32(x>>34)
	}
	return k
}

func (f sliced) literal(w uint64) string {
	var v [3]string
	for j, k := range f.limbs(w) {
		v[j] = fmt.Sprintf("vec4<u32>(%du, %du, %du, %du)", k[0], k[1], k[2], k[3])
	}
	return fmt.Sprintf("Twiddle(%s, %s, %s)", v[0], v[1], v[2])
}

// Twiddle k is in slots 2k-2 and 2k-1; limbs 0 and 2 share words.
func (sliced) slots(radix int) int { return 2 * (radix - 1) }

func (f sliced) encode(w []uint64) []uint32 {
	var out []uint32
	for _, x := range w[1:] {
		k := f.limbs(x)
		for i := range 4 {
			out = append(out, k[0][i]|k[2][i]<<17)
		}
		out = append(out, k[1][:]...)
	}
	return out
}

func (sliced) twiddle(k int, slot func(int) string) string {
	return fmt.Sprintf("unpack_twiddle(%s, %s)", slot(2*k-2), slot(2*k-1))
}

func (f sliced) times(c uint64) string {
	return fmt.Sprintf("return canon(mul_by(x, %s));", f.literal(c))
}

// A carried sum is low + 2^52*high.
func (f sliced) scaled(c uint64) string {
	low := "low_as_is(v)"
	if c != 1 {
		low = fmt.Sprintf("low(v, %s)", f.literal(c))
	}
	high := f.literal(mulMod(c, power2(52, f.q), f.q))
	return fmt.Sprintf("let v = carried(s);\n  return canon(%s + high(v, %s));", low, high)
}
