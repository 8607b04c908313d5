package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRecorded(t *testing.T) {
	rev := debug.BuildSetting{Key: "vcs.revision", Value: "abc"}
	dirty := debug.BuildSetting{Key: "vcs.modified", Value: "true"}
	clean := debug.BuildSetting{Key: "vcs.modified", Value: "false"}
	local := &debug.Module{Path: "../here"}
	for _, c := range []struct {
		want     string
		version  string
		replace  *debug.Module
		settings []debug.BuildSetting
	}{
		{unknown, "", nil, nil},
		{unknown, "(devel)", nil, nil},
		{unknown, "(devel)", nil, []debug.BuildSetting{dirty}},
		{"abc", "(devel)", nil, []debug.BuildSetting{rev, clean}},
		{"abc+dirty", "v0.1.1-0.20261130+dirty", nil, []debug.BuildSetting{dirty, rev}},
		{"v0.1.0", "v0.1.0", nil, nil},
		{unknown, "v0.1.0", local, nil},
	} {
		info := &debug.BuildInfo{Main: debug.Module{Version: c.version, Replace: c.replace}, Settings: c.settings}
		require.Equal(t, c.want, recorded(info), "%+v", c)
	}
}

func TestOfGoRun(t *testing.T) {
	for path, want := range map[string]bool{
		"/tmp/go-build301470702/b001/exe/sweep":   true,
		"/home/me/.cache/go-build/86/86b-d/sweep": true,
		"/usr/local/bin/sweep":                    false,
		"/home/me/go-build":                       false, // a name, not a folder
		"/home/me/crosspoint/sweep":               false,
	} {
		require.Equal(t, want, ofGoRun(filepath.FromSlash(path)), path)
	}
}

const testModule = "example.com/m"

// repository makes a repository with one commit of a go.mod of the module, and
// returns its folder and the commit.
func repository(t *testing.T, module string) (dir, rev string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git here")
	}
	dir = t.TempDir()
	ask(t, dir, "init", "-q")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("// a module\nmodule "+module+"\n\ngo 1.26\n"), 0o666))
	ask(t, dir, "add", "go.mod")
	ask(t, dir, "-c", "user.name=n", "-c", "user.email=e@example.com", "-c", "commit.gpgsign=false", "commit", "-qm", "one")
	return dir, ask(t, dir, "rev-parse", "HEAD")
}

func ask(t *testing.T, dir string, args ...string) string {
	t.Helper()
	out, err := git(dir, args...)
	require.NoError(t, err, args)
	return out
}

func TestCheckout(t *testing.T) {
	dir, rev := repository(t, testModule)
	require.Len(t, rev, 40)
	require.Equal(t, rev, checkout(dir, testModule))
	require.Equal(t, unknown, checkout(dir, "example.com/other"))
	require.Equal(t, unknown, checkout(filepath.Join(dir, "none"), testModule))

	require.NoError(t, os.WriteFile(filepath.Join(dir, "new.go"), nil, 0o666))
	require.Equal(t, rev+"+dirty", checkout(dir, testModule))

	// Variables that name another repository change nothing.
	other, _ := repository(t, "example.com/other")
	t.Setenv("GIT_DIR", filepath.Join(other, ".git"))
	require.Equal(t, rev+"+dirty", checkout(dir, testModule))
}

// The commit of a repository that the module only lies in is not its own.
func TestCheckoutOfAnotherRepository(t *testing.T) {
	dir, _ := repository(t, "example.com/other")
	mod := []byte("module " + testModule + "\n")
	below := filepath.Join(dir, "third", "m")
	require.NoError(t, os.MkdirAll(below, 0o777))
	require.NoError(t, os.WriteFile(filepath.Join(below, "go.mod"), mod, 0o666))
	require.Equal(t, unknown, checkout(below, testModule))

	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), mod, 0o666))
	require.Equal(t, unknown, checkout(dir, testModule), "unpacked over it")
	plain := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(plain, "go.mod"), mod, 0o666))
	require.Equal(t, unknown, checkout(plain, testModule), "no repository")
}

// The commit that this very test was built from is known where it lies in a
// checkout, and is no other.
func TestCommitOfThisCheckout(t *testing.T) {
	before, err := git(".", "rev-parse", "HEAD")
	got := commit()
	after, _ := git(".", "rev-parse", "HEAD")
	if err == nil && got != unknown {
		require.Contains(t, []string{before, after}, strings.TrimSuffix(got, "+dirty"))
	}
}
