package wgsl

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTransformCatches shows that the check of the transforms finds an error in
// a kernel, wherever it is planted.
func TestTransformCatches(t *testing.T) {
	dev := open(t)
	for _, m := range []struct {
		name, ring string
		inverse    bool
		old, new   string
	}{
		{"final reduction without its sign", "sliced", false, "f.xy + (negative & vec2<u32>(C))", "f.xy"},
		{"no final reduction", "sliced", false, "pack(canon(r0))", "pack(carry(r0))"},
		{"missing fold", "sliced", true, "r0 = fold(r0);\n", "\n"},
		{"quotient", "sliced", true, "n.xy - above * C", "n.xy"},
		{"division", "sliced", true, "lo - r * (C >> LOG_N)", "lo"},
		{"barrier", "pulsar", false, "storageBarrier();", ""},
		{"barrier", "mldsa", true, "storageBarrier();", ""},
		{"twiddle slot", "sliced", false, "table[tw + 32u]", "table[tw + 24u]"},
		{"twiddle", "sliced", false, "weigh(lo & vec2<u32>(M13)", "weigh(hi & vec2<u32>(M13)"},
		{"butterfly", "sliced", false, "r6 = sub(r2, t); r2 = add(r2, t);", "r6 = add(r2, t); r2 = sub(r2, t);"},
		{"row beyond the end", "sliced", false, "row >= params.p0", "row > params.p0"},
		{"team beyond the end", "sliced", false, "first >= params.p0", "first > params.p0 + 1u"},
		{"last row", "sliced", false, "min(first + 1u, params.p0 - 1u)", "(first + 1u)"},
		{"first row", "sliced", false, "(params.p1 + row)", "(row)"},
		{"grid", "sliced", false, "group.y * grid.x", "group.y"},
		{"> for >=", "narrow", false, "return min(x, x - m);", "return select(x, x - m, x > m);"},
		{"> for >=", "narrow", true, "return min(x, x - m);", "return select(x, x - m, x > m);"},
		{"no final reduction", "narrow", false, "fn reduce(x: Lanes, m: Lanes) -> Lanes { return min(x, x - m);", "fn reduce(x: Lanes, m: Lanes) -> Lanes { return select(min(x, x - m), x, m == vec4<u32>(Q));"},
		{"pair of twiddles", "narrow", false, ".zw;", ".xy;"},
		{"barrier", "fhe27", false, "storageBarrier();", ""},
		{"items", "narrow", false, "i += 4u", "i += 8u"},
		{"division", "narrow", true, "* UNIT", "* (UNIT + 1u)"},
		{"> for >=", "wide", false, "let keep = x.zw < owed;", "let keep = x.zw <= owed;"},
		{"carry of a sum", "wide", false, "a.zw + b.zw + flag(lo < a.xy)", "a.zw + b.zw"},
		{"no final reduction", "wide", true, "vec4<bool>(keep, keep)", "vec4<bool>(keep, keep) | (m == vec4<u32>(Q_LO, Q_LO, Q_HI, Q_HI))"},
		{"division", "wide", true, "r * UNIT_HI + (p1 >> vec2<u32>(16u))", "r * UNIT_HI"},
	} {
		t.Run(strings.Join([]string{m.ring, m.name}, "/"), func(t *testing.T) {
			t.Parallel()
			r := mutantRing(t, m.ring)
			p := program(t, r)
			k := p.Forward
			if m.inverse {
				k = p.Inverse
			}
			require.Contains(t, k.Text, m.old)
			k.Text = strings.ReplaceAll(k.Text, m.old, m.new)
			run, err := newRunner(dev, k)
			require.NoError(t, err)
			defer run.release()
			var found error
			for _, rows := range rowCounts(k.PerGroup) {
				if found = checkTransform(run, r, p.WordBytes, rows%3, rows, m.inverse); found != nil {
					break
				}
			}
			require.Error(t, found)
		})
	}
}

// TestPointwiseCatches does the same for the check of the pointwise kernels.
func TestPointwiseCatches(t *testing.T) {
	dev := open(t)
	for _, m := range []struct{ ring, kernel, old, new string }{
		{"sliced", "mul_add", "canon(a + b)", "(a + b)"},
		{"sliced", "mul", "s.c3 + a0 * b3", "s.c3 + a0 * b2"},
		{"sliced", "mul_mont", "let c6 = s.c6 + (c5 >> vec2<u32>(13u));", "let c6 = s.c6;"},
		{"narrow", "mul_mont", "high32(s.lo * INV, vec4<u32>(Q)) + vec4<u32>(Q)", "high32(s.lo * INV, vec4<u32>(Q))"},
		{"narrow", "mul_add", "return min(x, x - m);", "return select(x, x - m, x > m);"},
		{"largest narrow", "mform", "return reduce(mul_exact(y, w), vec4<u32>(Q));", "return mul_exact(y, w);"},
		{"wide", "mul", "flag(m1 < lh.xy) + flag(m2 < m1)", "flag(m1 < lh.xy)"},
		{"wide", "mul_mont", "flag(s < p.xy) + flag(t < s)", "flag(t < s)"},
		{"wide", "mul_add_mont", "let keep = x.zw < owed;", "let keep = x.zw <= owed;"},
		{"wide", "imform", "i >= params.p0 / 2u", "i > params.p0 / 2u"},
	} {
		t.Run(strings.Join([]string{m.ring, m.kernel}, "/"), func(t *testing.T) {
			t.Parallel()
			r := mutantRing(t, m.ring)
			p := program(t, r)
			for _, c := range pointwiseCases(p, r) {
				if c.kernel.Name != m.kernel {
					continue
				}
				require.Contains(t, c.kernel.Text, m.old)
				c.kernel.Text = strings.ReplaceAll(c.kernel.Text, m.old, m.new)
				run, err := newRunner(dev, c.kernel)
				require.NoError(t, err)
				defer run.release()
				require.Error(t, checkPointwise(run, c, r, p.WordBytes, 1, 2+6000/r.N()))
			}
		})
	}
}

// TestMatMulCatches does it for the check of the matrix product.
func TestMatMulCatches(t *testing.T) {
	dev := open(t)
	r := mutantRing(t, "narrow")
	for _, m := range [][2]string{
		{"a[(row * params.p1 + j)", "a[(row * params.p0 + j)"},
		{"b[(j * params.p2 + column)", "b[(j * params.p1 + column)"},
		{"j < min(l + 8u, params.p1)", "j < min(l + 7u, params.p1)"},
		{"i >= params.p0 * params.p2 * 8u", "i > params.p0 * params.p2 * 8u"},
		{"var sum = unpack(result[i]);", "var sum = Lanes();"},
	} {
		t.Run(m[1], func(t *testing.T) {
			t.Parallel()
			p := program(t, r)
			k := p.MatMulAddMont
			require.Contains(t, k.Text, m[0])
			k.Text = strings.ReplaceAll(k.Text, m[0], m[1])
			run, err := newRunner(dev, k)
			require.NoError(t, err)
			defer run.release()
			require.Error(t, checkMatMul(run, r, p.WordBytes, 3, 9, 2))
		})
	}
}

// TestProbesCatch plants what random coefficients would not show in a transform.
func TestProbesCatch(t *testing.T) {
	dev := open(t)
	for _, m := range []struct {
		suite    probeSuite
		old, new string
	}{
		{slicedProbes(named(t, "pulsar").Q(), 8), "let c1 = b1 + (c0 >> vec2<u32>(17u));", "let c1 = b1;"},
		{slicedProbes(named(t, "pulsar").Q(), 8), "hi - (fold >> vec2<u32>(26u))", "hi"},
		{slicedProbes(named(t, "pulsar").Q(), 8), "bitcast<vec2<i32>>(carry(f).zw) >> vec2<u32>(31u)", "bitcast<vec2<i32>>(f.zw) >> vec2<u32>(31u)"},
		{wideProbes(below(t, 2048, 1<<61).Q(), 11), "let keep = x.zw < owed;", "let keep = x.zw <= owed;"},
		{wideProbes(below(t, 2048, 1<<61).Q(), 11), "flag(s < p.xy) + flag(t < s)", "flag(s < p.xy)"},
		{wideProbes(below(t, 2048, 1<<61).Q(), 11), "((lo.zw == s.lo.zw) & (lo.xy < s.lo.xy))", "((lo.zw == s.lo.zw) & (lo.xy <= s.lo.xy))"},
		{narrowProbes(below(t, 2048, 1<<31).Q(), 11), "return min(x, x - m);", "return select(x, x - m, x > m);"},
		{narrowProbes(below(t, 2048, 1<<31).Q(), 11), "s.hi + high32(a, b) + carry", "s.hi + high32(a, b)"},
		{narrowProbes(below(t, 2048, 1<<31).Q(), 11), "al * bh + (m & vec4<u32>(M16))", "al * bh"},
	} {
		t.Run(m.suite.name+"/"+m.new, func(t *testing.T) {
			t.Parallel()
			text := m.suite.text()
			require.Contains(t, text, m.old)
			require.Error(t, m.suite.run(dev, strings.ReplaceAll(text, m.old, m.new)))
		})
	}
}
