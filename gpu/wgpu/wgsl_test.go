package wgpu

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCheckEntry(t *testing.T) {
	const text = `
		// @compute @workgroup_size(1) fn commented() {}
		/* @compute /* nested */ @workgroup_size(1) fn blocked() {} */
		const width = 64;
		fn helper(x: u32) -> u32 { return x; }
		@compute @workgroup_size(64)
		fn main(@builtin(global_invocation_id) id: vec3<u32>) { }
		@workgroup_size(8u, /* of */ 0x4, 2,)   @compute fn  cube  () {}
		@compute @workgroup_size(width, 2) fn named() {}
		@compute fn unsized() {}
	`
	for _, c := range []struct {
		name string
		size [3]uint32
		want string // a part of the error
	}{
		{"main", [3]uint32{64, 1, 1}, ""},
		{"cube", [3]uint32{8, 4, 2}, ""},
		{"named", [3]uint32{7, 7, 7}, ""}, // a constant is the compiler's business
		{"main", [3]uint32{64, 2, 1}, "declares groups of [64 1 1]"},
		{"cube", [3]uint32{8, 4, 1}, "declares groups of [8 4 2]"},
		{"helper", [3]uint32{1, 1, 1}, "no compute entry point"},
		{"commented", [3]uint32{1, 1, 1}, "no compute entry point"},
		{"blocked", [3]uint32{1, 1, 1}, "no compute entry point"},
		{"mai", [3]uint32{64, 1, 1}, "no compute entry point"},
		{"", [3]uint32{64, 1, 1}, "no compute entry point"},
		{"unsized", [3]uint32{1, 1, 1}, "no @workgroup_size"},
	} {
		err := checkEntry(text, c.name, c.size)
		if c.want == "" {
			require.NoError(t, err, "%+v", c)
		} else {
			require.ErrorContains(t, err, c.want, "%+v", c)
		}
	}
	require.Error(t, checkEntry("/* never closed", "main", [3]uint32{1, 1, 1}))
	require.Error(t, checkEntry("fn ", "main", [3]uint32{1, 1, 1}))
}
