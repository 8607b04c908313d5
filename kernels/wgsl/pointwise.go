package wgsl

import "fmt"

// pointwiseGroup is the size of the workgroups of the pointwise kernels; an
// invocation handles one vec4.
const pointwiseGroup = 64

// accumulate bounds the products that are summed before a reduction: eight are
// below 8*q^2 < q*2^64 for q < 2^61, and fill no column of the sliced field.
const accumulate = 8

// pointwise writes the kernels that work coefficient by coefficient.
func (p *Program) pointwise(f field, logN int, q uint64) {
	text := func(bindings int, functions, body string) string {
		s := ""
		for i, name := range []string{"dst", "a", "b"}[:bindings] {
			access := "read"
			if i == 0 {
				access = "read_write"
			}
			s += fmt.Sprintf("@group(0) @binding(%d) var<storage, %s> %s: array<vec4<u32>>;\n", i, access, name)
		}
		return s + paramsText(bindings) + "\n" + f.constants(logN) + "\n" + f.arithmetic() + "\n" +
			f.products() + "\n" + functions + "\n" + body
	}
	kernel := func(name string, bindings int, functions, body string) Kernel {
		k := Kernel{Name: name, Text: text(bindings, functions, body), Entry: name + "_entry",
			GroupSize: pointwiseGroup, PerGroup: pointwiseGroup * f.lanes()}
		for i := range bindings {
			k.Access = append(k.Access, i == 0)
		}
		return k
	}
	unary := func(name string, c uint64) Kernel {
		return kernel(name, 1, function("times(x: Lanes)", f.times(c)),
			elementwise(name, f, "dst[k] = pack(times(unpack(dst[k])));"))
	}
	binary := func(name string, c uint64, body string) Kernel {
		return kernel(name, 3, function("scaled(s: Acc)", f.scaled(c)), elementwise(name, f,
			"let p = scaled(mac(Acc(), unpack(a[k]), unpack(b[k])));\n  "+body))
	}
	mont := power2(-64, q)
	const set, accumulated = "dst[k] = pack(p);", "dst[k] = pack(plus(unpack(dst[k]), p));"
	p.Mul = binary("mul", 1, set)
	p.MulAdd = binary("mul_add", 1, accumulated)
	p.MulMont = binary("mul_mont", mont, set)
	p.MulAddMont = binary("mul_add_mont", mont, accumulated)
	p.MForm = unary("mform", power2(64, q))
	p.IMForm = unary("imform", mont)
	p.MatMulAddMont = kernel("matmul_add_mont", 3, function("scaled(s: Acc)", f.scaled(mont)), matmul(f, logN))
}

func function(signature, body string) string {
	return fmt.Sprintf("fn %s -> Lanes {\n  %s\n}\n", signature, body)
}

// elementwise returns an entry point that runs body for every vec4 k of params.p0
// coefficients from coefficient params.p1 on: whole rows, so whole vec4s.
func elementwise(name string, f field, body string) string {
	return fmt.Sprintf(`@compute @workgroup_size(%d)
fn %s_entry(%s) {
  let i = %s * %du + local;
  if (i >= params.p0 / %du) { return; }
  let k = params.p1 / %du + i;
  %s
}
`, pointwiseGroup, name, builtins, groupIndex, pointwiseGroup, f.lanes(), f.lanes(), body)
}

// matmul returns the entry point of C += A*B*2^-64: every invocation makes one
// vec4 of C. Products are summed without a reduction in runs of eight.
func matmul(f field, logN int) string {
	row := 1 << logN / f.lanes()
	return fmt.Sprintf(`@compute @workgroup_size(%d)
fn matmul_add_mont_entry(%s) {
  let i = %s * %du + local;
  if (i >= params.p0 * params.p2 * %du) { return; }
  let row = i / %du / params.p2;
  let column = i / %du %% params.p2;
  let at = i %% %du;
  var sum = unpack(dst[i]);
  for (var l = 0u; l < params.p1; l += %du) {
    var s = Acc();
    for (var j = l; j < min(l + %du, params.p1); j++) {
      s = mac(s, unpack(a[(row * params.p1 + j) * %du + at]), unpack(b[(j * params.p2 + column) * %du + at]));
    }
    sum = plus(sum, scaled(s));
  }
  dst[i] = pack(sum);
}
`, pointwiseGroup, builtins, groupIndex, pointwiseGroup, row, row, row, row, accumulate, accumulate, row, row)
}
