package main

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"time"
)

const unknown = "unknown"

// commit is the revision that the program was built from. A build says so itself,
// as a release or as what the checkout was at. go run records neither; what it runs
// was built just now from the source beside it, which git can be asked about.
// Where none of this is certain the commit is "unknown".
func commit() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return unknown
	}
	if rev := recorded(info); rev != unknown {
		return rev
	}
	exe, err := os.Executable()
	_, file, _, ok := runtime.Caller(0)
	if err != nil || !ok || !filepath.IsAbs(file) || !ofGoRun(exe) {
		return unknown
	}
	return checkout(filepath.Join(filepath.Dir(file), "..", ".."), info.Main.Path)
}

// recorded is what the build recorded of its revision.
func recorded(info *debug.BuildInfo) string {
	rev, dirty := "", ""
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			rev = s.Value
		case "vcs.modified":
			if s.Value == "true" {
				dirty = "+dirty"
			}
		}
	}
	switch v := info.Main.Version; {
	case rev != "":
		return rev + dirty
	case v != "" && v != "(devel)" && info.Main.Replace == nil:
		return v // of a module that was downloaded
	}
	return unknown
}

// ofGoRun reports whether an executable lies where go run makes and keeps its own,
// in a temporary folder or in the build cache. Any other may be older than the
// source that it came from is now.
func ofGoRun(exe string) bool {
	for dir := filepath.Dir(exe); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if strings.HasPrefix(filepath.Base(dir), "go-build") {
			return true
		}
	}
	return false
}

// checkout is what git says of the working tree at root, if root is the top of a
// repository that has the module there, and not merely a folder in one that has it
// as a copy or not at all.
func checkout(root, module string) string {
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil || !declares(string(mod), module) {
		return unknown
	}
	prefix, err := git(root, "rev-parse", "--show-prefix")
	if err != nil || prefix != "" {
		return unknown
	}
	committed, err := git(root, "show", "HEAD:go.mod")
	if err != nil || !declares(committed, module) {
		return unknown
	}
	rev, err := git(root, "rev-parse", "HEAD")
	if err != nil {
		return unknown
	}
	changes, err := git(root, "--no-optional-locks", "status", "--porcelain")
	if err != nil {
		return unknown
	}
	if changes != "" {
		rev += "+dirty"
	}
	return rev
}

// declares reports whether the text of a go.mod is that of the module.
func declares(mod, module string) bool {
	lines := bufio.NewScanner(strings.NewReader(mod))
	for lines.Scan() {
		if words := strings.Fields(lines.Text()); len(words) > 1 && words[0] == "module" {
			return strings.Trim(words[1], `"`) == module
		}
	}
	return false
}

// gitPatience is how long git may take for an answer.
const gitPatience = 5 * time.Second

// git runs git in dir and returns what it says. The variables by which git can be
// sent to another repository are kept from it.
func git(dir string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), gitPatience)
	defer cancel()
	c := exec.CommandContext(ctx, "git", args...)
	c.Dir = dir
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "GIT_") {
			c.Env = append(c.Env, v)
		}
	}
	out, err := c.Output()
	return strings.TrimSpace(string(out)), err
}
