package main

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestModelName(t *testing.T) {
	for text, want := range map[string]string{
		"processor\t: 0\nmodel name\t: AMD EPYC 9B45\n": "AMD EPYC 9B45",
		"processor : 0\nHardware : BCM2711\n":           "BCM2711",
		"cpu\t\t: POWER9\n":                             "POWER9",
		"model name\t:\nuarch : sifive,u74\n":           "sifive,u74",
		"":                                              "",
		"no colon":                                      "",
	} {
		require.Equal(t, want, modelName(text))
	}
	require.NotEmpty(t, cpuName())
}

func TestCommandLine(t *testing.T) {
	require.Equal(t, "sweep", commandLine(nil))
	for args, want := range map[string]string{
		"--device|M1 Max|--out||--n|1,4,...,16": `sweep --device 'M1 Max' --out '' --n 1,4,...,16`,
		"--out|a$HOME`ls`\\.md":                 "sweep --out 'a$HOME`ls`\\.md'",
		"--out|it's":                            `sweep --out 'it'\''s'`,
		"--out|a\nb":                            "sweep --out 'a\nb'",
		"--out|~|*":                             `sweep --out '~' '*'`,
		"--out=µ.md":                            `sweep '--out=µ.md'`,
	} {
		require.Equal(t, want, commandLine(strings.Split(args, "|")))
	}
}

// A shell reads the words back as they were.
func TestCommandLineInAShell(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no POSIX shell here")
	}
	args := []string{"", "a b", "$HOME", "`ls`", `\n`, "a\nb", "it's", `"x"`, "~", "*", "!!", "1,4,...,16", "a=b", "--x=[y]{1,2}", "#", "&;|<>()"}
	line := "printf '%s\\0' " + strings.TrimPrefix(commandLine(args), "sweep ")
	out, err := exec.Command(sh, "-c", line).Output()
	require.NoError(t, err)
	require.Equal(t, strings.Join(args, "\x00")+"\x00", string(out))
}

// Where stderr is no terminal, progress is a line every few seconds at most, and a
// last one at the end, unless that came early.
func TestPlainProgress(t *testing.T) {
	var b bytes.Buffer
	m := newMeter(&b, 200)
	require.Nil(t, m.bar)
	now := time.Unix(0, 0)
	m.now = func() time.Time { return now }
	first, second := m.stage(100), m.stage(100)
	first("a", 0, 100)
	now = now.Add(quiet / 2)
	first("b", 50, 100)
	now = now.Add(quiet)
	second("c", 50, 100)
	second("", 100, 100)
	m.finish(false)
	require.Equal(t, "sweep:   0 %  a\nsweep:  75 %  c\n", b.String())
	m.finish(true)
	require.Equal(t, "sweep:   0 %  a\nsweep:  75 %  c\nsweep: 100 %\n", b.String())
}

// The bar is drawn on a terminal, for which the null device stands here, and
// taken away at the end.
func TestBar(t *testing.T) {
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	require.NoError(t, err)
	defer null.Close()
	m := newMeter(null, 10)
	require.NotNil(t, m.bar)
	p := m.stage(10)
	p("a", 0, 10)
	p("", 10, 10)
	require.False(t, m.bar.IsFinished())
	m.finish(true)
	require.True(t, m.bar.IsFinished())
}
