//go:build metalsim

package metal

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestInstructions counts the multiplications of Pulsar's kernels, compiled for
// AArch64, which multiplies and adds as Apple's GPUs do: three to a butterfly,
// two more to reduce before the last stage, one for the division by N.
func TestInstructions(t *testing.T) {
	cmd := exec.Command("clang++", "-S", "-O2", "--target=aarch64-linux-gnu", "-x", "c++", "-std=c++14", "-w",
		"-isystem", "testdata/addressspaces", "-o", "-", "-")
	text := only(join("field.h", "butterflies.h", "ntt.metal"), "forward_256_u64", "inverse_256_u64")
	cmd.Stdin = strings.NewReader(strings.ReplaceAll(text, "[[threadgroup(0)]]", ""))
	out, err := cmd.Output()
	require.NoError(t, err)
	for entry, want := range map[string]int{
		"forward_256_u64": 3*64 + 2*8,
		"inverse_256_u64": 3*64 + 8,
	} {
		label := regexp.MustCompile(`(?m)^_Z\d+` + entry + `\w*:`).FindStringIndex(string(out))
		require.NotNil(t, label, entry)
		body, _, _ := strings.Cut(string(out)[label[1]:], ".cfi_endproc")
		found := len(regexp.MustCompile(`(?m)^\t(umulh|mul|mneg|madd|msub|umull|umaddl)\t`).FindAllString(body, -1))
		require.GreaterOrEqual(t, found, want, entry)
		require.LessOrEqual(t, found, want+8, "%s: no more than the addresses besides", entry)
	}
}
