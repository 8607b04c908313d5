package wgsl

import (
	"fmt"
	"math/bits"
	"strings"
)

// pointwiseGroup is the size of the workgroups of the pointwise kernels; an
// invocation handles one vec4.
const pointwiseGroup = 64

// accumulate bounds the products that are summed before a reduction: eight are
// below 8*q^2 < q*2^64 for q < 2^61, and fill no column of the sliced field.
const accumulate = 8

// pointwise writes the kernels that work coefficient by coefficient.
func (p *Program) pointwise(f field, n int, q uint64) {
	k := pointwiseWriter{f, n}
	into, outOf := power2(64, q), power2(-64, q)
	const set = "result[k] = pack(p);"
	const accumulated = "result[k] = pack(plus(unpack(result[k]), p));"
	p.Mul = k.binary("mul", 1, set)
	p.MulAdd = k.binary("mul_add", 1, accumulated)
	p.MulMont = k.binary("mul_mont", outOf, set)
	p.MulAddMont = k.binary("mul_add_mont", outOf, accumulated)
	p.MForm = k.unary("mform", into)
	p.IMForm = k.unary("imform", outOf)
	p.MatMulAddMont = k.kernel("matmul_add_mont", 3, function("scaled(s: Acc)", f.scaled(outOf)), k.matmul("matmul_add_mont"))
}

// A pointwiseWriter writes the pointwise kernels of rows of n coefficients.
type pointwiseWriter struct {
	f field
	n int
}

// unary returns the kernel of x*c.
func (w pointwiseWriter) unary(name string, c uint64) Kernel {
	return w.kernel(name, 1, function("times(x: Lanes)", w.f.times(c)),
		w.elementwise(name, "result[k] = pack(times(unpack(result[k])));"))
}

// binary returns the kernel that does body with p = a*b*c.
func (w pointwiseWriter) binary(name string, c uint64, body string) Kernel {
	return w.kernel(name, 3, function("scaled(s: Acc)", w.f.scaled(c)),
		w.elementwise(name, "let p = scaled(mac(Acc(), unpack(a[k]), unpack(b[k])));\n  "+body))
}

// kernel puts a module together: bindings, field, functions and entry point.
func (w pointwiseWriter) kernel(name string, bindings int, functions, entry string) Kernel {
	k := Kernel{Name: name, Entry: entryName(name), GroupSize: pointwiseGroup, PerGroup: pointwiseGroup * w.f.lanes()}
	for i, binding := range []string{"result", "a", "b"}[:bindings] {
		access := "read"
		if i == 0 {
			access = "read_write"
		}
		k.Access = append(k.Access, i == 0)
		k.Text += fmt.Sprintf("@group(0) @binding(%d) var<storage, %s> %s: array<vec4<u32>>;\n", i, access, binding)
	}
	logN := bits.TrailingZeros(uint(w.n))
	k.Text += strings.Join([]string{
		paramsText(bindings), w.f.constants(logN), w.f.arithmetic(), w.f.products(), functions, entry,
	}, "\n")
	return k
}

func entryName(name string) string { return name + "_entry" }

func function(signature, body string) string {
	return fmt.Sprintf("fn %s -> Lanes {\n  %s\n}\n", signature, body)
}

// elementwise returns an entry point that runs body for every vec4 k of params.p0
// coefficients from coefficient params.p1 on: whole rows, so whole vec4s.
func (w pointwiseWriter) elementwise(name, body string) string {
	return fmt.Sprintf(`@compute @workgroup_size(%[1]d)
fn %[2]s(%[3]s) {
  let i = %[4]s * %[1]du + local;
  if (i >= params.p0 / %[5]du) { return; }
  let k = params.p1 / %[5]du + i;
  %[6]s
}
`, pointwiseGroup, entryName(name), builtins, groupIndex, w.f.lanes(), body)
}

// matmul returns the entry point of C += A*B*2^-64. An invocation makes one vec4
// of C. Products are summed in runs of accumulate without a reduction.
func (w pointwiseWriter) matmul(name string) string {
	return fmt.Sprintf(`@compute @workgroup_size(%[1]d)
fn %[2]s(%[3]s) {
  let i = %[4]s * %[1]du + local;
  if (i >= params.p0 * params.p2 * %[5]du) { return; }
  let row = i / %[5]du / params.p2;
  let column = i / %[5]du %% params.p2;
  let at = i %% %[5]du;
  var sum = unpack(result[i]);
  for (var l = 0u; l < params.p1; l += %[6]du) {
    var s = Acc();
    for (var j = l; j < min(l + %[6]du, params.p1); j++) {
      s = mac(s, unpack(a[(row * params.p1 + j) * %[5]du + at]), unpack(b[(j * params.p2 + column) * %[5]du + at]));
    }
    sum = plus(sum, scaled(s));
  }
  result[i] = pack(sum);
}
`, pointwiseGroup, entryName(name), builtins, groupIndex, w.n/w.f.lanes(), accumulate)
}
