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
