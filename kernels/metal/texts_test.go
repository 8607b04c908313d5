package metal

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// kernels returns the kernels of a program.
func kernels(p *Program) []Kernel {
	return []Kernel{p.Forward, p.Inverse, p.Mul, p.MulAdd, p.MulMont, p.MulAddMont, p.MForm, p.IMForm, p.MatMulAddMont}
}

// macro is a macro of a source file: its parameters, of which the last may be
// variable, and its text.
type macro struct {
	params []string
	body   string
}

var (
	macroHead = regexp.MustCompile(`^#define (\w+)\(([^)]*)\) *(.*)$`)
	call      = regexp.MustCompile(`^\s*(\w+)\((.*)\)\s*$`)
	kernelAt  = regexp.MustCompile(`kernel void (\w+(?:##\w+)*)\(`)
)

// entries returns the names of the entry points of a text: those that are
// written out, and those that its macros make. It knows no more of the
// preprocessor than these files use.
func entries(text string) (names []string) {
	macros := map[string]macro{}
	var expand func(line string)
	expand = func(line string) {
		for _, part := range strings.Split(line, "\n") {
			if m := kernelAt.FindStringSubmatch(part); m != nil {
				names = append(names, m[1])
			} else if m := call.FindStringSubmatch(part); m != nil {
				if d, ok := macros[m[1]]; ok {
					expand(d.with(strings.SplitN(m[2], ", ", len(d.params))))
				}
			}
		}
	}
	lines := strings.Split(strings.ReplaceAll(text, "\\\n", "\x00"), "\n")
	for _, line := range lines {
		line = strings.TrimSpace(line)
		if m := macroHead.FindStringSubmatch(line); m != nil {
			macros[m[1]] = macro{strings.Split(m[2], ", "), strings.ReplaceAll(m[3], "\x00", "\n")}
		} else if name, ok := strings.CutPrefix(line, "#undef "); ok {
			delete(macros, name)
		} else if !strings.HasPrefix(line, "//") {
			expand(line)
		}
	}
	return names
}

// with substitutes arguments and joins tokens.
func (m macro) with(args []string) string {
	body := m.body
	for i, p := range m.params {
		arg := ""
		if i < len(args) {
			arg = args[i]
		}
		if p == "..." {
			p = "__VA_ARGS__"
		}
		body = regexp.MustCompile(`\b`+p+`\b`).ReplaceAllLiteralString(body, arg)
	}
	return strings.ReplaceAll(body, "##", "")
}

func TestEntries(t *testing.T) {
	names := entries(Source())
	seen := map[string]bool{}
	for _, name := range names {
		require.False(t, seen[name], "%s twice", name)
		seen[name] = true
	}
	require.Len(t, names, 10*6+14+2+15)
	for _, n := range degrees() {
		for _, r := range boundaries(n) {
			p := program(t, r)
			for _, k := range kernels(p) {
				require.True(t, seen[k.Entry], "%s of %s", k.Entry, r)
				require.Equal(t, Source(), k.Text)
			}
		}
	}
	for _, k := range []Kernel{Keccak().Hash, Keccak().Stream} {
		require.True(t, seen[k.Entry], k.Entry)
	}
}

// TestSource checks what a driver that compiles a string cannot do, and what the
// Metal compiler refuses.
func TestSource(t *testing.T) {
	require.NotContains(t, Source(), `#include "`)
	require.NotContains(t, Source(), "#error")
	for _, word := range []string{"static", "double", "float", "auto", "goto", "new", "virtual"} {
		require.NotRegexp(t, `(?m)^[^/\n]*\b`+word+`\b`, Source())
	}
	for name, size := range map[string]int{
		"GROUP_TARGET": groupTarget, "POINTWISE_GROUP": pointwiseGroup, "HASH_GROUP": hashGroup, "PROBE_GROUP": probeGroup, "RATE": KeccakRate,
	} {
		require.Contains(t, Source(), fmt.Sprintf("#define %s %du\n", name, size))
	}
}

// TestGroupSizes: a compiler is promised the groups that the host will ask for.
func TestGroupSizes(t *testing.T) {
	calls := degreeCall.FindAllStringSubmatch(Source(), -1)
	require.Len(t, calls, len(degrees()))
	for _, m := range calls {
		n, err := strconv.Atoi(m[1])
		require.NoError(t, err)
		s := newShape(n)
		group, _, _ := strings.Cut(m[2], ", ")
		require.Equal(t, strconv.Itoa(s.team*s.teams), group, "N=%d", n)
	}
	// Of the entries only the one of a single thread goes without.
	for _, name := range order {
		text, err := files.ReadFile(name)
		require.NoError(t, err)
		bare := strings.Count(string(text), "kernel void ") - strings.Count(string(text), "[[max_total_threads_per_threadgroup(")
		require.Equal(t, strings.Count(string(text), "kernel void keccak_stream("), bare, name)
	}
}

// TestLimits checks what every Apple GPU offers.
func TestLimits(t *testing.T) {
	for _, n := range degrees() {
		for _, r := range boundaries(n) {
			p := program(t, r)
			require.Equal(t, r.Q() < 1<<32, p.WordBytes == 4)
			for _, k := range kernels(p) {
				transform := k.Name == "forward" || k.Name == "inverse"
				require.LessOrEqual(t, k.GroupSize, uint32(256), "%s of %s", k.Name, r)
				require.Positive(t, k.PerGroup)
				require.LessOrEqual(t, k.GroupMemory, 32<<10)
				require.Zero(t, k.GroupMemory%16)
				require.Equal(t, transform, k.GroupMemory > 0)
				require.LessOrEqual(t, len(k.Constants), 4096)
				require.Zero(t, len(k.Constants)%8)
				require.NotEmpty(t, k.Constants)
				require.Equal(t, transform, len(k.Table) > 0)
				require.Zero(t, len(k.Table)%16)
			}
		}
	}
}

var (
	degreeCall = regexp.MustCompile(`(?m)^TRANSFORMS\((\d+), (.*)\)\n`)
	wordsCall  = regexp.MustCompile(`(?m)^(?:POINTWISE|PROBES?)\((\w+), .*\n`)
	wordTypes  = map[string]string{"u64": "ulong, ulong", "u32": "uint, uint", "u32_w": "uint, ulong"}
)

// only returns a text without the entries that macros make but these, for small
// texts compile fast. Of pointwise kernels it keeps all with the same words.
func only(text string, entries ...string) string {
	text = degreeCall.ReplaceAllStringFunc(text, func(line string) (calls string) {
		m := degreeCall.FindStringSubmatch(line)
		for _, e := range entries {
			way, words, _ := strings.Cut(e, "_"+m[1]+"_")
			if types := wordTypes[words]; types != "" {
				calls += fmt.Sprintf("%s(%s, %s, %s)\n", strings.ToUpper(way), e, types, m[2])
			}
		}
		return calls
	})
	return wordsCall.ReplaceAllStringFunc(text, func(line string) string {
		m := wordsCall.FindStringSubmatch(line)
		for _, e := range entries {
			if strings.HasSuffix(e, m[1]) && strings.HasPrefix(line, "PROBE") == strings.HasPrefix(e, "probe_") {
				return line
			}
		}
		return ""
	})
}
