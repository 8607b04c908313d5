//go:build metalsim && cgo

package metalsim_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// What the scanner cannot give a launcher is an error, not a kernel that is
// missing or called with something else.
func TestScannerRefuses(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"nothing", "void f() {}", "no kernel in the source"},
		{"parameter without attribute", "kernel void f(device uint *x) {}", "parameter x has no attribute"},
		{"buffer by value", "kernel void f(uint x [[buffer(0)]]) {}", "parameter x is neither a pointer nor a reference"},
		{"SIMD groups", "kernel void f(uint x [[thread_index_in_simdgroup]]) {}", "attribute thread_index_in_simdgroup is not simulated"},
		{"attribute", "[[kernel]] void f(uint x [[thread_position_in_grid]]) {}", "write kernel void name"},
		{"host name", "[[host_name(\"g\")]] kernel void f() {}", "attribute host_name, which is not simulated"},
		{"template", "template <class T> kernel void f() {}", "a template is not simulated"},
		{"result", "kernel uint f() { return 0; }", "kernel is not followed by void"},
		{"twice", "kernel void f() {} kernel void f() {}", "kernel f is defined twice"},
		{"initialiser", "kernel void f() { threadgroup uint x = 1; }", "has an initialiser"},
		{"syntax", "#include <absent>", "'absent' file not found"},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "k.metal")
			require.NoError(t, os.WriteFile(file, []byte("#include <metal_stdlib>\n"+c.text), 0o600))
			out, err := exec.Command("build/metalscan", file).CombinedOutput()
			require.Error(t, err)
			require.Contains(t, string(out), c.want)
		})
	}
}

// What a kernel may look like.
func TestScannerAccepts(t *testing.T) {
	for name, text := range map[string]string{
		"no parameters":     "kernel void f() {}",
		"array parameters":  "kernel void f(device uint x[] [[buffer(0)]], constant uint (&y)[8] [[buffer(1)]]) { x[0] = y[0]; }",
		"expressions":       "kernel void f(device uint *x [[buffer(1 + 2)]]) {}",
		"attributes around": "[[max_total_threads_per_threadgroup(4 * 8)]] kernel void f() {} kernel [[max_total_threads_per_threadgroup(32)]] void g() {}",
		"widths of positions": "kernel void f(uint2 a [[thread_position_in_grid]], ushort b [[threads_per_grid]], " +
			"ushort2 c [[threadgroups_per_grid]], uint d [[thread_index_in_threadgroup]]) {}",
		"variables": "struct S { uint a, b; };\nkernel void f(uint i [[thread_index_in_threadgroup]]) { " +
			"threadgroup uint x[4][2], y; threadgroup S s; threadgroup uint *p = &x[1][0]; threadgroup uint &r = y; " +
			"for (threadgroup uint *q = p; q != p; q++) {} p[i] = r + s.a; }",
		"pointers to functions": "static void g(threadgroup uint *p, thread uint &x) { x = p[0]; }\n" +
			"kernel void f(threadgroup uint *p [[threadgroup(0)]]) { uint x; g(p, x); }",
		"braces in text": "kernel void f(device char *p [[buffer(0)]]) { p[0] = '}'; p[1] = '\\''; }",
		"by a macro":     "#define K(n) kernel void f_##n(device uint *x [[buffer(0)]]) { x[0] = n; }\nK(1) K(2)",
	} {
		t.Run(name, func(t *testing.T) { checkMSL(t, "k", "#include <metal_stdlib>\nusing namespace metal;\n"+text) })
	}
	// A position is uint or ushort, as in MSL.
	file := filepath.Join(t.TempDir(), "k.metal")
	require.NoError(t, os.WriteFile(file, []byte("#include <metal_stdlib>\nkernel void f(int i [[thread_position_in_grid]]) {}"), 0o600))
	out, err := exec.Command("./metallib.sh", file, "-o", file+"lib").CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(out), "deleted function")
}
