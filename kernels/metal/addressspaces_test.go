//go:build metalsim

package metal

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// checkAddressSpaces has clang check a text as C++ with the address spaces of
// testdata, and returns what it says, warnings included. The simulator of Metal
// does not tell them apart, and Apple's compiler is not here.
func checkAddressSpaces(t *testing.T, text string) string {
	t.Helper()
	cmd := exec.Command("clang++", "-fsyntax-only", "-x", "c++", "-std=c++14", "-Wall", "-Wextra", "-Wconversion",
		"-Wno-unused-parameter", "-Wno-unknown-attributes", "-I.", "-isystem", "testdata/addressspaces", "-")
	// The attribute has the name of the address space, which is a macro there.
	cmd.Stdin = strings.NewReader(strings.ReplaceAll(text, "[[threadgroup(0)]]", ""))
	out, err := cmd.CombinedOutput()
	require.Equal(t, err != nil, strings.Contains(string(out), "error"), "%v: %s", err, out)
	return string(out)
}

func TestAddressSpaces(t *testing.T) {
	require.Empty(t, checkAddressSpaces(t, Source()))
	for _, name := range order {
		text, err := files.ReadFile(name)
		require.NoError(t, err)
		if strings.HasSuffix(name, ".metal") {
			require.Empty(t, checkAddressSpaces(t, string(text)), name)
		}
	}
}

// TestAddressSpacesCatch shows that the check finds a missing or a wrong one.
func TestAddressSpacesCatch(t *testing.T) {
	for _, m := range [][2]string{
		{"device T *row = data", "T *row = data"},
		{"threadgroup W *exchange = shared", "W *exchange = shared"},
		{"thread W *r, threadgroup const W *exchange", "thread W *r, const W *exchange"},
		{"device const Twiddle<W> *last", "constant Twiddle<W> *last"},
		{"uint step, constant Transform<W> &ring", "uint step, const Transform<W> &ring"},
		{"constant Pointwise &ring", "device Pointwise &ring"},
		{"device const uint *from", "const uint *from"},
		{"W r[1u << A];", "threadgroup W *r = exchange;"},
	} {
		require.Contains(t, Source(), m[0])
		require.Contains(t, checkAddressSpaces(t, strings.ReplaceAll(Source(), m[0], m[1])), "error", m[1])
	}
}
