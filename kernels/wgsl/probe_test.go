package wgsl

import (
	"encoding/binary"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/gpu"
)

// A probe feeds pairs of raw values to one function of a field's WGSL, and
// checks what comes back against arbitrary precision. Random coefficients miss
// the errors of single carries; edges of the stated input ranges do not.
type probe struct {
	name string
	expr string // of x and y, values of type Lanes, and w, a Twiddle of y
	x, y []raw
	// check says what is wrong with a result, if anything is.
	check func(x, y, out *big.Int) string
}

// raw is one lane as the device holds it: the low word of Lanes and, in the
// fields of two lanes, the high one.
type raw struct{ lo, hi uint32 }

// probeSuite is the probes of a field for one q.
type probeSuite struct {
	name   string
	f      field
	q      uint64
	logN   int
	value  func(raw) *big.Int
	twist  func(w uint64) []uint32 // the 8 words from which getTwiddle makes a Twiddle
	get    string                  // the expression of a Twiddle from the vec4s t0 and t1
	probes []probe
}

// text returns a module with one entry point that runs the probe number
// params.p1 on p0 vec4s: one compilation for all of them.
func (s probeSuite) text() string {
	var b strings.Builder
	for i, name := range []string{"dst", "a", "b", "t"} {
		access := "read"
		if i == 0 {
			access = "read_write"
		}
		fmt.Fprintf(&b, "@group(0) @binding(%d) var<storage, %s> %s: array<vec4<u32>>;\n", i, access, name)
	}
	b.WriteString(paramsText(4) + s.f.constants(s.logN) + s.f.arithmetic() + s.f.products())
	fmt.Fprintf(&b, "@compute @workgroup_size(64)\nfn probe(%s) {\n", builtins)
	fmt.Fprintf(&b, "  let i = %s * 64u + local;\n  if (i >= params.p0) { return; }\n", groupIndex)
	fmt.Fprintf(&b, "  let x = a[i]; let y = b[i]; let t0 = t[2u * i]; let t1 = t[2u * i + 1u];\n  let w = %s;\n", s.get)
	b.WriteString("  var out = Lanes();\n  switch params.p1 {\n")
	for i, p := range s.probes {
		fmt.Fprintf(&b, "    case %du: { out = %s; }\n", i, p.expr)
	}
	b.WriteString("    default: {}\n  }\n  dst[i] = out;\n}\n")
	return b.String()
}

// run runs every probe of a text over all pairs of its values. A Twiddle belongs to a whole
// vec4, so that its lanes all have the same y.
func (s probeSuite) run(dev gpu.Device, text string) error {
	r, err := newRunner(dev, Kernel{Name: "probe", Text: text, Entry: "probe", Access: []bool{true, false, false, false}, GroupSize: 64, PerGroup: 64})
	if err != nil {
		return err
	}
	defer r.release()
	lanes := s.f.lanes()
	for i, p := range s.probes {
		var xs, ys []raw
		var tw []uint32
		for _, y := range p.y {
			for j := 0; j < len(p.x); j += lanes {
				for l := range lanes {
					xs, ys = append(xs, p.x[(j+l)%len(p.x)]), append(ys, y)
				}
				w := s.value(y)
				w.Mod(w, new(big.Int).SetUint64(s.q))
				tw = append(tw, s.twist(w.Uint64())...)
			}
		}
		in := packLanes(lanes, xs)
		count := len(xs) / lanes
		out, err := r.run(count, [gpu.ParamWords]uint32{uint32(count), uint32(i)}, true,
			make([]byte, len(in)), in, packLanes(lanes, ys), words(tw))
		if err != nil {
			return err
		}
		for j, o := range unpackLanes(lanes, out) {
			if wrong := p.check(s.value(xs[j]), s.value(ys[j]), s.value(o)); wrong != "" {
				return fmt.Errorf("%s of %v and %v is %v: %s", p.name, xs[j], ys[j], o, wrong)
			}
		}
	}
	return nil
}

// packLanes puts lanes where a Lanes has them: low words first.
func packLanes(lanes int, v []raw) (out []byte) {
	for ; len(v) > 0; v = v[lanes:] {
		for _, x := range v[:lanes] {
			out = binary.LittleEndian.AppendUint32(out, x.lo)
		}
		for _, x := range v[:lanes] {
			if lanes == 2 {
				out = binary.LittleEndian.AppendUint32(out, x.hi)
			}
		}
	}
	return out
}

func unpackLanes(lanes int, b []byte) (v []raw) {
	for ; len(b) > 0; b = b[16:] {
		for l := range lanes {
			x := raw{lo: binary.LittleEndian.Uint32(b[4*l:])}
			if lanes == 2 {
				x.hi = binary.LittleEndian.Uint32(b[8+4*l:])
			}
			v = append(v, x)
		}
	}
	return v
}

// The checks.

func number(x uint64) *big.Int { return new(big.Int).SetUint64(x) }
func exp2(e int) *big.Int      { return new(big.Int).Lsh(big.NewInt(1), uint(e)) }

// exactly asks for f(x, y).
func exactly(f func(x, y *big.Int) *big.Int) func(x, y, out *big.Int) string {
	return func(x, y, out *big.Int) string {
		if want := f(x, y); want.Cmp(out) != 0 {
			return fmt.Sprintf("want %v", want)
		}
		return ""
	}
}

// congruent asks for a value congruent to f(x, y) mod q, above low and below high.
func congruent(q uint64, low, high *big.Int, f func(x, y *big.Int) *big.Int) func(x, y, out *big.Int) string {
	return func(x, y, out *big.Int) string {
		d := f(x, y)
		d.Sub(d, out)
		if d.Mod(d, number(q)).Sign() != 0 {
			return "not congruent"
		}
		if out.Cmp(low) <= 0 || out.Cmp(high) >= 0 {
			return fmt.Sprintf("not between %v and %v", low, high)
		}
		return ""
	}
}

func TestProbes(t *testing.T) {
	dev := open(t)
	suites := []probeSuite{
		slicedProbes(named(t, "pulsar").Q(), 8), slicedProbes(below(t, 256, 1<<48+1<<15).Q(), 8), slicedProbes(above(t, 8, 1<<48).Q(), 3),
		wideProbes(below(t, 2048, 1<<61).Q(), 11), wideProbes(above(t, 8, 1<<31).Q(), 3),
		narrowProbes(below(t, 2048, 1<<31).Q(), 11), narrowProbes(97, 3), narrowProbes(below(t, 64, 1<<30).Q(), 6),
	}
	for _, s := range suites {
		t.Run(fmt.Sprintf("%s/q=%d", s.name, s.q), func(t *testing.T) {
			require.NoError(t, s.run(dev, s.text()))
		})
	}
}
